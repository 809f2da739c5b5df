"""The run folder, which is the truth, and an index that can always be rebuilt from it."""
