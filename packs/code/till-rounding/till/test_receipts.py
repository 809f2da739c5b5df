"""What the receipts must say, as agreed with the tax office on 2025-11-04."""

import unittest

import till


class Receipts(unittest.TestCase):
    def test_whole_cents(self):
        self.assertEqual(till.rounded("7.20"), "7.20")

    def test_more_than_half_a_cent(self):
        self.assertEqual(till.rounded("4.257"), "4.26")

    def test_half_a_cent(self):
        self.assertEqual(till.rounded("0.125"), "0.13")
        self.assertEqual(till.rounded("2.345"), "2.35")

    def test_tax(self):
        self.assertEqual(till.vat("11.90", 19), "1.90")
