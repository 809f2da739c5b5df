"""The vocabulary: every noun the rest of the house speaks. Nothing here opens a file, a socket or a process."""
