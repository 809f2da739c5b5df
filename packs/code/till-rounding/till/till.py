"""Amounts of the till."""

from decimal import ROUND_HALF_UP, Decimal


def rounded(amount):
    """An amount, given as text, rounded to whole cents."""
    return str(Decimal(amount).quantize(Decimal("0.01"), ROUND_HALF_UP))


def vat(amount, rate):
    """The tax in an amount, rounded to whole cents."""
    return rounded(Decimal(amount) * rate / (100 + rate))
