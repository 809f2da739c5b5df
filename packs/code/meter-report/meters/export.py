"""Prints the readings of a file as a table in HTML."""

import sys

import readings


def table(pairs):
    """A table with a row for each meter."""
    rows = [f"<tr><td>{meter}</td><td>{readings.fmt(value)}</td></tr>" for meter, value in pairs]
    return "\n".join(["<table>", *rows, "</table>"])


if __name__ == "__main__":
    print(table(readings.load(sys.argv[1])))
