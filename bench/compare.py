#!/usr/bin/env python3
"""Compares two measurements: compare.py OLD.csv NEW.csv. Exit 1 when something became slower.

A figure is faster or slower when all runs of one side are on one side of all runs of the other and the medians differ
by more than --least; otherwise the difference is inside the noise of the repeated runs.
"""

import argparse
import sys

from harness import beside


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--least", type=float, default=0.03, help="smallest change of the median that counts (0.03)")
    asked = parser.parse_args()
    try:
        old, new = beside.read(asked.old), beside.read(asked.new)
    except beside.NoReport as problem:
        sys.exit(f"compare.py: {problem}")
    table, worse = beside.table("New beside old", old, new, asked.least)
    if not table.rows:
        sys.exit("compare.py: the two files have no figure in common")
    print(table.text(), end="")
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
