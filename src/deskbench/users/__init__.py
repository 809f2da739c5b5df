"""The person at the other end of a task."""
