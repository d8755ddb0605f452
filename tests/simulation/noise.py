"""Noise of runs, in logs (of shares: in logits): each kind gives the deviations of all runs of a study.

A kind is called with (random, cells, runs) and gives {cell: [deviation of each run]}; cells are (stratum, side). Sides are
"base" and the treated ones. Runs of a study are made cell by cell unless the kind says otherwise.
"""
import math


def normal(sd=0.02):
    return lambda random, cells, runs: {c: [random.gauss(0, sd) for _ in range(runs)] for c in cells}


def unlike_strata(noisy=0.05, quiet=0.005):
    """One stratum is noisy, the others are quiet."""
    return lambda random, cells, runs: {
        c: [random.gauss(0, noisy if c[0] == 0 else quiet) for _ in range(runs)] for c in cells}


def unlike_sides(base=0.005, treated=0.05):
    return lambda random, cells, runs: {
        c: [random.gauss(0, base if c[1] == "base" else treated) for _ in range(runs)] for c in cells}


def outliers(sd=0.02, share=0.05):
    """Some runs take 2 to 3 times as long."""
    def run(random):
        return random.gauss(0, sd) + (math.log(2 + random.random()) if random.random() < share else 0)
    return lambda random, cells, runs: {c: [run(random) for _ in range(runs)] for c in cells}


def two_clocks(slow=0.3, apart=0.05, sd=0.005):
    """Each run is made at one of two clocks."""
    def run(random):
        return random.gauss(0, sd) + (apart if random.random() < slow else 0)
    return lambda random, cells, runs: {c: [run(random) for _ in range(runs)] for c in cells}


def in_a_row(r=0.5, sd=0.02):
    """AR(1) over the runs of a cell, which are made one after the other."""
    def cell(random, runs):
        out = [random.gauss(0, sd)]
        while len(out) < runs:
            out.append(r * out[-1] + random.gauss(0, sd * math.sqrt(1 - r * r)))
        return out
    return lambda random, cells, runs: {c: cell(random, runs) for c in cells}


KINDS = {
    "normal": normal(),
    "lognormal": normal(0.5),
    "unlike strata": unlike_strata(),
    "unlike sides": unlike_sides(),
    "outliers": outliers(),
    "two clocks": two_clocks(),
    "rare slow state": two_clocks(0.1),
    "AR(1) 0.5 in a row": in_a_row(0.5),
    "AR(1) 0.8 in a row": in_a_row(0.8),
}


def _sticky(random, blocks, slow=0.3, length=8):
    """Whether a clock is slow in each block: for about `length` blocks on end, `slow` of the time."""
    now, out = random.random() < slow, []
    for _ in range(blocks):
        out.append(now)
        if random.random() < (1 if now else slow / (1 - slow)) / length:
            now = not now
    return out


def _lasting(random, blocks, r, sd):
    """AR(1) whose innovations have the deviation `sd`, in its stationary state."""
    now, out = random.gauss(0, sd / math.sqrt(1 - r * r)), []
    for _ in range(blocks):
        out.append(now)
        now = r * now + random.gauss(0, sd)
    return out


def _cells(series):
    """A kind from the series of one cell, `series(random, blocks)`."""
    return lambda random, cells, blocks: {c: series(random, blocks) for c in cells}


def _machine(series, sd=0.02):
    """What all cells of a block share, and what each run has of its own."""
    def kind(random, cells, blocks):
        shared = series(random, blocks)
        return {c: [s + random.gauss(0, sd) for s in shared] for c in cells}
    return kind


def _sticky_clocks(sd, apart=0.05):
    return _cells(lambda random, blocks: [random.gauss(0, sd) + apart * s for s in _sticky(random, blocks)])


def _trend(random, blocks, sd=0.02, over_all=0.04):
    slope = random.gauss(0, over_all * math.sqrt(12) / max(1, blocks - 1))
    return [random.gauss(0, sd) + slope * (b - (blocks - 1) / 2) for b in range(blocks)]


# Noise over the blocks of a recording, called with (random, cells, blocks).
BLOCK_KINDS = {
    "normal": normal(),
    "lognormal": normal(0.5),
    "outliers": outliers(),
    "two clocks": two_clocks(),
    "AR(1) 0.3 of each cell": _cells(lambda random, blocks: _lasting(random, blocks, 0.3, 0.02)),
    "AR(1) 0.5 of each cell": _cells(lambda random, blocks: _lasting(random, blocks, 0.5, 0.02)),
    "AR(1) 0.8 of each cell": _cells(lambda random, blocks: _lasting(random, blocks, 0.8, 0.02)),
    "sticky clocks": _sticky_clocks(0.02),
    "sticky clocks, little else": _sticky_clocks(0.005),
    "slow trend of each cell": _cells(_trend),
    "AR(1) 0.8 of the machine": _machine(lambda random, blocks: _lasting(random, blocks, 0.8, 0.06)),
    "linear warming": _machine(lambda random, blocks: [0.1 * b / max(1, blocks - 1) for b in range(blocks)]),
}
