#!/bin/sh
# Prints the next tides of a gauge.
exec python3 "$(dirname "$0")/src/tides.py" "$@"
