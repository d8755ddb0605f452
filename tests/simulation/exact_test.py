#!/usr/bin/env python3
"""exact.py against the definition in whole numbers, and against the closed form where nothing or everything was seen."""
import math
import unittest
from fractions import Fraction

import exact


def tail(successes, trials, p):
    p = Fraction(p)
    return float(sum(math.comb(trials, k) * p**k * (1 - p)**(trials - k) for k in range(successes, trials + 1)))


class Exact(unittest.TestCase):
    def test_ends_leave_a_fortieth_on_either_side(self):
        for successes, trials in [(4, 30), (9, 30), (29, 30)]:
            low, high = exact.interval(successes, trials)
            self.assertAlmostEqual(tail(successes, trials, low), 0.025, 9)
            self.assertAlmostEqual(1 - tail(successes + 1, trials, high), 0.025, 9)

    def test_nothing_and_everything(self):
        self.assertEqual(exact.interval(0, 60)[0], 0)
        self.assertAlmostEqual(exact.interval(0, 60)[1], 1 - 0.025 ** (1 / 60), 12)
        self.assertAlmostEqual(exact.interval(60, 60)[0], 0.025 ** (1 / 60), 12)
        self.assertEqual(exact.interval(60, 60)[1], 1)


if __name__ == "__main__":
    unittest.main()
