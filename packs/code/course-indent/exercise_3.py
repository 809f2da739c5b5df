"""Exercise 3: how often each word occurs in a text."""

import sys


def count_words(text):
	counts = {}
	for word in text.lower().split():
		word = word.strip(".,;:!?\"'()")
		if word:
			counts[word] = counts.get(word, 0) + 1
	return counts


def most_common(counts, number):
	return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:number]


if __name__ == "__main__":
	for word, times in most_common(count_words(sys.stdin.read()), 10):
		print(f"{times:5d}  {word}")
