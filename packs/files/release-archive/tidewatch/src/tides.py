from gauges import height


def next_high(gauge, hours):
    return max(hours, key=lambda hour: height(gauge, hour))
