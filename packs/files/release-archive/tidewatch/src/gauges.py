from math import cos, pi

PERIOD = 12.42
RANGE = {"wexcombe": 3.1, "tarn-pier": 4.6}


def height(gauge, hour):
    return RANGE[gauge] / 2 * cos(2 * pi * hour / PERIOD)
