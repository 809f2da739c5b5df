"""Prices and delivery days of parcels."""

from datetime import date, timedelta

ZONES = [(20, "near"), (60, "country"), (100, "islands")]
PRICE_PER_KG = {"near": 110, "country": 145, "islands": 230}
SMALLEST_PRICE = 490
VOLUME_PER_KG = 5000


def chargeable_weight(weight, length, width, height):
    """The weight in kg that is paid for: the real one or that of the volume in cm, whichever is more."""
    return max(weight, length * width * height / VOLUME_PER_KG)


def zone_of(postcode):
    """The zone of a postcode, by its first two digits: below 20 near, below 60 country, the rest islands."""
    area = int(postcode[:2])
    for end, zone in ZONES:
        if area < end:
            return zone
    raise ValueError(f"no zone for {postcode}")


def price(weight, postcode):
    """The price in cents; there is a smallest one."""
    return max(SMALLEST_PRICE, round(weight * PRICE_PER_KG[zone_of(postcode)]))


def delivery_day(posted, days):
    """The day of delivery: so many working days after a parcel was posted."""
    day = posted
    while days:
        day += timedelta(days=1)
        if day.weekday() < 5:
            days -= 1
    return day
