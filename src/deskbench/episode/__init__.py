"""One episode: prepare, loop, phases, collect, grade."""
