import unittest

import export
import formatting
import readings


class Meters(unittest.TestCase):
    def test_load(self):
        self.assertEqual(readings.load("data/2026-03.csv")[0], ("A-104", 182.4))

    def test_cubic_metres(self):
        self.assertEqual(formatting.cubic_metres(1240), "1 240.0 m3")

    def test_table(self):
        self.assertIn("<td>182.4 m3</td>", export.table([("A-104", 182.4)]))


if __name__ == "__main__":
    unittest.main()
