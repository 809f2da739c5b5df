"""Plan and pool: which episodes are to be played, and who plays them."""
