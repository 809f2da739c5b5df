"""How high the tide stands at the gauges of the lower river, in metres."""

from math import cos, pi

PERIOD = 12.42
RANGE = {"wexcombe": 3.1, "tarn-pier": 4.6}


def height(gauge, hour):
    return RANGE[gauge] / 2 * cos(2 * pi * hour / PERIOD)


def highest(gauge, hours):
    return max(height(gauge, hour) for hour in hours)


def lowest(gauge, hours):
    return min(height(gauge, hour) for hour in hours)
