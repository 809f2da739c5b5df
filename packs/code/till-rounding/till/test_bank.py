"""What goes to the bank, as agreed with the bank on 2026-02-17."""

import unittest

import till


class Bank(unittest.TestCase):
    def test_less_than_half_a_cent(self):
        self.assertEqual(till.rounded("9.994"), "9.99")

    def test_half_a_cent(self):
        self.assertEqual(till.rounded("0.125"), "0.12")
        self.assertEqual(till.rounded("0.375"), "0.38")
