#!/usr/bin/env python3
"""Simulates studies end to end: exports with planted effects and planted noise, judged by the program itself.

  simulate.py ASSAY                                    every row, 100 studies each, a fresh seed (it is printed)
  simulate.py ASSAY --rows 'ratios*' --studies 300 --seed 7
  simulate.py ASSAY --quick                            what the test does: few rows, few studies, a fixed seed

Prints one line per row: how many studies hold a false verdict (promise: at most 5 %), how many intervals hold the truth, and how
many studies found what was planted, each with its exact 95 % interval. Exits with 1 when a row breaks its promise beyond chance.
"""
import argparse
import fnmatch
import os
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Callable

import exact
import recordings
import studies
from program import Program

PROMISE = 0.05  # of studies with a false verdict
COVERAGE = 0.93  # of intervals of 95 % and more


@dataclass
class Row:
    """One kind of study. `make(program, random)` gives an Outcome."""
    name: str
    make: Callable
    found: float = 0  # least share of studies that must find what was planted
    quick: int = 0  # studies of it in the test; 0: none


def rows():
    out = []
    def add(name, function, *arguments, found=0.0, quick=0):
        out.append(Row(name, lambda p, r: function(p, r, *arguments), found, quick))
    for kind in studies.KINDS:
        for strata, runs in [(2, 3), (6, 3), (6, 5)]:
            quick = 30 if (kind, strata, runs) == ("unlike strata", 6, 3) else 0
            add(f"ratios, {kind}, {strata} strata, {runs} runs", studies.ratios, kind, strata, runs, quick=quick)
    for kind in ["normal", "unlike strata", "outliers", "two clocks"]:
        add(f"ratios, {kind}, 6 strata, 2 runs", studies.ratios, kind, 6, 2)
        add(f"ratios, {kind}, 6 strata, 10 runs", studies.ratios, kind, 6, 10)
    for kind in ["normal", "lognormal", "unlike strata"]:
        for runs in [2, 3, 10]:
            add(f"levels, {kind}, 2 strata, {runs} runs", studies.levels, kind, 2, runs)
    for base, treated, runs in [(0.5, 0.97, 3), (0.5, 0.97, 10), (0.3, 0.9, 5), (0.9, 0.95, 5), (0.9, 0.5, 5), (0.7, 0.7, 5)]:
        quick = 30 if (treated, runs) == (0.97, 3) else 0
        add(f"shares, {base} to {treated}, {runs} runs", studies.shares, base, treated, runs, quick=quick)
    for kind in ["normal", "unlike strata", "outliers", "two clocks"]:
        add(f"equal pairs, {kind}, 6 pairs, 3 runs", studies.equal_pairs, kind, 6, 3)
    for kind in ["normal", "two clocks"]:
        add(f"single runs, {kind}, 6 strata", studies.single_runs, kind, 6)
    for kind, pairs, treated in [("own bases", 6, 1), ("own bases", 13, 1), ("shared bases", 7, 3), ("odd pair", 13, 1),
                                 ("other days", 13, 1)]:
        add(f"together, {kind}, {pairs} pairs" + (f" x {treated}" if treated > 1 else ""), studies.together, kind, pairs, treated)
    add("together, found, 13 pairs", studies.together, "found", 13, found=0.9, quick=5)
    for results, noise, day in [(1, 0, 0.01), (1, 8, 0.01), (2, 0, 0.01), (3, 0, 0.01), (1, 8, 0.03), (4, 0, 0.03)]:
        quick = 10 if (results, noise) == (1, 0) else 0
        add(f"compare, days differ by {100 * day:g} %, {results} a side, {noise} others", studies.days, results, noise, day, quick=quick)
    for results, noise, change in [(1, 0, 1.15), (1, 12, 1.1), (4, 0, 1.05)]:
        add(f"compare, days differ by 1 %, {change} of the time, {results} a side, {noise} others", studies.days, results, noise, 0.01,
            change)
    for effect, runs in [(0.95, 3), (0.95, 5), (0.9, 3), (0.5, 2)]:
        least = 0.9 if effect <= 0.9 and runs > 2 else 0.0
        add(f"power, normal, {effect} of the time, 1 stratum, {runs} runs", studies.power, "normal", 1, runs, effect,
            found=least, quick=5 if least else 0)
        add(f"power, normal, {effect} of the time, 6 strata, {runs} runs", studies.power, "normal", 6, runs, effect)
    for kind in recordings.BLOCK_KINDS:
        if kind != "linear warming":
            quick = 10 if kind == "sticky clocks" else 0
            add(f"recorded ratios, {kind}, 2 strata, 30 blocks", recordings.folders, kind, quick=quick)
            add(f"recorded until decided, {kind}, 2 strata", recordings.until_decided, kind)
    for kind in ["normal", "AR(1) 0.8 of the machine", "linear warming", "AR(1) 0.8 of each cell", "sticky clocks, little else"]:
        add(f"recorded levels, {kind}, 2 strata, 30 blocks", recordings.folders, kind, 2, True)
    for kind in ["normal", "AR(1) 0.8 of each cell", "sticky clocks", "sticky clocks, little else"]:
        add(f"recorded until decided, {kind}, an effect of 28 times", recordings.found_early, kind, 28, 3, found=0.9)
    return out


@dataclass
class Tally:
    """Of all studies of a row."""
    studies: int = 0
    false: int = 0
    covers: int = 0
    intervals: int = 0
    found: int = 0
    asked: int = 0

    def add(self, outcome):
        self.studies += 1
        self.false += outcome.false
        self.covers += sum(outcome.covers)
        self.intervals += len(outcome.covers)
        if outcome.decided is not None:
            self.asked += 1
            self.found += outcome.decided

    def broken(self, row):
        """Promises that are broken beyond chance."""
        out = []
        if exact.interval(self.false, self.studies, 0.99)[0] > PROMISE:
            out.append("false verdicts")
        # Intervals of one study share a base, so a coverage is told from the promise by its studies and not by its intervals.
        if self.intervals:
            share = self.covers / self.intervals
            if exact.interval(round(share * self.studies), self.studies, 0.99)[1] < COVERAGE:
                out.append("coverage")
        if self.asked and exact.interval(self.found, self.asked, 0.99)[1] < row.found:
            out.append("power")
        return out


def simulate(program, row, count, seed, jobs):
    tally = Tally()
    with ThreadPoolExecutor(jobs) as pool:
        make = lambda i: row.make(program, random.Random(f"{seed}/{row.name}/{i}"))
        for outcome in pool.map(make, range(count)):
            tally.add(outcome)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay")
    parser.add_argument("--rows", action="append", default=[], help="only rows that match; may be repeated")
    parser.add_argument("--studies", type=int, default=100)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    chosen = [r for r in rows() if not options.rows or any(fnmatch.fnmatch(r.name, pattern) for pattern in options.rows)]
    if options.quick:
        chosen = [r for r in chosen if r.quick]
    if not chosen:
        sys.exit(f"no row matches {options.rows}; --list prints them all")
    if options.list:
        print("\n".join(r.name for r in chosen))
        return 0
    seed = options.seed if options.seed is not None else 1 if options.quick else random.SystemRandom().randrange(1 << 31)
    print(f"seed {seed} (the same studies again: --seed {seed})\n")
    print("| study | false verdicts | intervals that hold the truth | found | |\n|---|---|---|---|---|")
    program, failed, start = Program(options.assay), [], time.time()
    for row in chosen:
        tally = simulate(program, row, row.quick if options.quick else options.studies, seed, options.jobs)
        broken = tally.broken(row)
        failed += [row.name] if broken else []
        print(f"| {row.name} | {exact.text(tally.false, tally.studies)} | {exact.text(tally.covers, tally.intervals)} | "
              f"{exact.text(tally.found, tally.asked)} | {', '.join(broken)} |", flush=True)
    print(f"\n{len(chosen)} rows in {time.time() - start:.0f} s; " + (f"{len(failed)} broke a promise" if failed else "all promises held"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
