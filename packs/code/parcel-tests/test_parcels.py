import unittest
from datetime import date

import parcels


class Weight(unittest.TestCase):
    def test_heavy_parcel(self):
        self.assertEqual(parcels.chargeable_weight(12, 30, 20, 10), 12)

    def test_bulky_parcel(self):
        self.assertEqual(parcels.chargeable_weight(2, 100, 50, 40), 40)


class Zone(unittest.TestCase):
    def test_inside_a_zone(self):
        self.assertEqual(parcels.zone_of("08115"), "near")
        self.assertEqual(parcels.zone_of("44001"), "country")

    def test_border_of_a_zone(self):
        self.assertEqual(parcels.zone_of("20001"), "country")
        self.assertEqual(parcels.zone_of("60210"), "islands")


class Price(unittest.TestCase):
    def test_smallest_price(self):
        self.assertEqual(parcels.price(0.5, "08115"), 490)

    def test_price_by_weight(self):
        self.assertEqual(parcels.price(10, "44001"), 1450)


class Delivery(unittest.TestCase):
    def test_within_a_week(self):
        self.assertEqual(parcels.delivery_day(date(2026, 3, 2), 2), date(2026, 3, 4))

    def test_over_a_weekend(self):
        self.assertEqual(parcels.delivery_day(date(2026, 3, 5), 2), date(2026, 3, 9))


if __name__ == "__main__":
    unittest.main()
