"""Readings of water meters, from a file of comma-separated values."""

import csv


def load(path):
    """The readings of a file: pairs of meter and cubic metres."""
    with open(path, encoding="utf-8", newline="") as handle:
        return [(row["meter"], float(row["m3"])) for row in csv.DictReader(handle)]


def fmt(value):
    """Cubic metres as they are printed: one decimal, thousands apart."""
    return f"{value:,.1f} m3".replace(",", " ")


def total(readings):
    """The sum of all readings."""
    return sum(value for _, value in readings)
