"""Prints a report on the readings of a file."""

import argparse

from formatting import heading
from readings import fmt, load, total


def lines(readings):
    """The lines of the report."""
    yield heading("Water meters")
    for meter, value in readings:
        yield f"{meter:<12}{fmt(value):>14}"
    yield f"{'total':<12}{fmt(total(readings)):>14}"


def main(argv=None):
    parser = argparse.ArgumentParser(description="Prints a report on the readings of a file.")
    parser.add_argument("file", help="a file of readings, as CSV")
    args = parser.parse_args(argv)
    readings = load(args.file)
    for line in lines(readings):
        print(line)


if __name__ == "__main__":
    main()
