#!/usr/bin/env python3
"""Compares two measurements: compare.py OLD.csv NEW.csv. Exit 1 when something became slower.

A figure is faster or slower when all runs of one side are on one side of all runs of the other and the medians differ
by more than --least; otherwise the difference is inside the noise of the repeated runs.
"""

import argparse
import csv
import sys

from harness.figures import FIELDS, Table


def read(path):
    try:
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as problem:
        sys.exit(f"compare.py: '{path}' cannot be read: {problem.strerror}")
    if not rows or list(rows[0]) != FIELDS:
        sys.exit(f"compare.py: '{path}' is no report.csv of run.py; its first line must be {','.join(FIELDS)}")
    return {(row["name"], row["size"]): row for row in rows}


def judge(old, new, least):
    """The ratio of medians, and a word."""
    a, b = ({key: float(row[key]) for key in ("median", "low", "high")} for row in (old, new))
    if a["median"] == 0:
        return None, "not comparable"
    ratio = b["median"] / a["median"]
    apart = b["low"] > a["high"] or b["high"] < a["low"]
    if min(int(old["n"]), int(new["n"])) < 2:
        return ratio, "measured once"
    if not apart or abs(ratio - 1) < least:
        return ratio, "inside the noise"
    return ratio, "faster" if (ratio < 1) == (old["better"] == "lower") else "SLOWER"


WORDS = {"MiB": {"faster": "smaller", "SLOWER": "LARGER"}, "exponent": {"faster": "lower", "SLOWER": "HIGHER"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--least", type=float, default=0.03, help="smallest change of the median that counts (0.03)")
    asked = parser.parse_args()
    old, new = read(asked.old), read(asked.new)
    rows, worse = [], 0
    for key in (key for key in old if key in new):
        ratio, word = judge(old[key], new[key], asked.least)
        worse += word == "SLOWER"
        word = WORDS.get(old[key]["unit"], {}).get(word, word)
        spans = [f"{float(row['median']):.4g} ({float(row['low']):.4g} to {float(row['high']):.4g})"
                 for row in (old[key], new[key])]
        rows.append([" ".join(key), old[key]["unit"], *spans, "-" if ratio is None else f"{ratio:.3f}", word])
    if not rows:
        sys.exit("compare.py: the two files have no figure in common")
    lonely = len(old) + len(new) - 2 * len(rows)
    notes = [f"{lonely} figures are in one file only."] if lonely else []
    print(Table("New beside old", ["figure", "unit", "old", "new", "new/old", "so"], rows, notes).text(), end="")
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
