"""Studies with a known truth: each function makes one study, has the program judge it and gives an Outcome.

A verdict is false when a claim whose truth lies on a bound of its range is `supported` or `refuted`: an interval that covers the
truth gives neither.
"""
import math
import os
from dataclasses import dataclass, field

from noise import KINDS
from exports import EPOCH
from program import DAY, QUESTION, claim

BUSY = 1e8  # ns
METRIC = "iteration.gpu_busy_ns"
INF = float("inf")
DECIDED = ("supported", "refuted")


@dataclass
class Outcome:
    """What came of one study."""
    false: bool = False  # it holds a false verdict
    covers: list = field(default_factory=list)  # of each interval of the main kind: whether it holds the truth
    decided: bool | None = None  # whether what was planted was found; None: not asked


# Ranges with the truth of the ratio on a bound of each.
CLAIMS = {"a": ((0.99, 1.01), 1.01), "b": ((1, INF), 1.0), "c": ((0.95, 1.05), 0.95)}


def _busy(deviations, truth):
    return {cell: [BUSY * truth.get(cell[1], 1) * math.exp(d) for d in runs] for cell, runs in deviations.items()}


def _intervals(claims):
    """(claim id, interval) of every stratum with a bounded interval."""
    for one in claims:
        for stratum in one["strata"]:
            effect = stratum["effect"]
            if effect is not None and effect["ci"] is not None:
                yield one["id"], effect


def _holds(effect, truth):
    low, high = effect["ci"]
    return (low is None or low <= truth) and (high is None or truth <= high)


def ratios(program, random, kind, strata, runs):
    """Three claims about ratios to one base in each stratum, every truth on a bound."""
    truth = {name: t for name, (_, t) in CLAIMS.items()}
    cells = [(s, side) for s in range(strata) for side in ["base", *CLAIMS]]
    values = _busy(KINDS[kind](random, cells, runs), truth)
    question = QUESTION + "[analyzers.claim_verdicts]\n" + "".join(
        claim(name, METRIC, between, compare="ratio", label="side", base="base", treated=[name])
        for name, (between, _) in CLAIMS.items())
    found = program.judged(values, question, in_a_row="in a row" in kind)
    out = Outcome(any(c["verdict"] in DECIDED for c in found["claims"]))
    out.covers = [_holds(effect, truth[name]) for name, effect in _intervals(found["claims"])]
    return out


def levels(program, random, kind, strata, runs):
    """Three claims about the level of a cell, every truth on a bound."""
    cells = [(s, side) for s in range(strata) for side in CLAIMS]
    truth = {name: t for name, (_, t) in CLAIMS.items()}
    values = _busy(KINDS[kind](random, cells, runs), truth)
    question = QUESTION + "[analyzers.claim_verdicts]\n" + "".join(
        claim(name, METRIC, [BUSY * end for end in between], compare="level", where=[f"side={name}"])
        for name, (between, _) in CLAIMS.items())
    found = program.judged(values, question, in_a_row="in a row" in kind)
    out = Outcome(any(c["verdict"] in DECIDED for c in found["claims"]))
    out.covers = [_holds(effect, BUSY * truth[name]) for name, effect in _intervals(found["claims"])]
    return out


def shares(program, random, base, treated, runs, sd=0.2):
    """One claim about the ratio of two shares (gpu.busy_ratio), the truth on its bound; noise in logits."""
    window = 1_000_000_000
    def share(level):
        x = math.log(level / (1 - level)) + random.gauss(0, sd)
        return window / (1 + math.exp(-x))
    truth = treated / base
    values = {(0, "base"): [share(base) for _ in range(runs)], (0, "a"): [share(treated) for _ in range(runs)]}
    question = QUESTION + "[analyzers.claim_verdicts]\n" + claim(
        "share", "gpu.busy_ratio", (truth, INF), compare="ratio", label="side", base="base", treated=["a"])
    found = program.judged(values, question, window_ns=window + 10_000)
    out = Outcome(any(c["verdict"] in DECIDED for c in found["claims"]))
    out.covers = [_holds(effect, truth) for _, effect in _intervals(found["claims"])]
    return out


def equal_pairs(program, random, kind, strata, runs):
    """label_effect over pairs without a difference: a false verdict is a pair that is told to differ."""
    cells = [(s, side) for s in range(strata) for side in ["base", "a"]]
    values = _busy(KINDS[kind](random, cells, runs), {})
    question = QUESTION + f'[analyzers.label_effect]\nlabel = "side"\nbase = "base"\nmetrics = ["{METRIC}"]\n'
    found = program.judged(values, question, in_a_row="in a row" in kind)
    pairs = [f["effect"] for f in found["findings"] if f["role"] == "evidence" and f["effect"] and f["effect"]["ci"]]
    told = [f for f in found["findings"] if f["role"] == "evidence" and "beyond the noise floor" in f["text"]]
    return Outcome(bool(told), [_holds(effect, 1) for effect in pairs])


def power(program, random, kind, strata, runs, effect):
    """Whether one claim, that the treated side is faster, is supported where it takes `effect` of the base's time."""
    cells = [(s, side) for s in range(strata) for side in ["base", "a"]]
    values = _busy(KINDS[kind](random, cells, runs), {"a": effect})
    question = QUESTION + "[analyzers.claim_verdicts]\n" + claim(
        "faster", METRIC, (0, 1), compare="ratio", label="side", base="base", treated=["a"])
    found = program.judged(values, question, in_a_row="in a row" in kind)
    verdict = found["claims"][0]["verdict"]
    return Outcome(verdict == "refuted", [_holds(e, effect) for _, e in _intervals(found["claims"])], verdict == "supported")


def together(program, random, kind, pairs, treated=1):
    """A claim about the geometric mean of pairs, whose truth is no change: the bound of the range. One run a side.

    own bases: every pair has its own base, pairs differ by 10 %; shared bases: `treated` sides of each base, whose own noise is 10 %;
    odd pair: one pair changes by half, the others the other way; other days: all treated runs are from the day after, days differ by 3 %;
    found: every pair gets 20 % faster, give or take 10 %."""
    sides = ["a", "b", "c"][:treated]
    own = 0.1 if kind == "shared bases" else 0.01
    apart = 0.1 if kind in ("own bases", "found") else 0.01
    values = {}
    for p in range(pairs):
        odd = kind == "odd pair" and p == 0
        change = math.log(1.5) if odd else -math.log(1.5) / (pairs - 1) if kind == "odd pair" else 0
        values[(p, "base")] = [BUSY * math.exp(random.gauss(0, own))]
        for side in sides:
            values[(p, side)] = [BUSY * math.exp(random.gauss(change, apart) + (math.log(0.8) if kind == "found" else 0))]
    if kind == "other days":
        day = math.exp(random.gauss(0, 0.03))
        values = {cell: [v * day if cell[1] != "base" else v for v in runs] for cell, runs in values.items()}
    question = QUESTION + "[analyzers.claim_verdicts]\n" + claim(
        "mean", METRIC, (0, 1), compare="ratio", label="side", base="base", treated=sides, over="mean")
    start = lambda cell: EPOCH + (DAY if kind == "other days" and cell[1] != "base" else 0)
    found = program.judged(values, question, start=start)
    verdict = found["claims"][0]["verdict"]
    joint = [f["effect"] for f in found["findings"] if f["effect"] and f["title"].startswith("mean: ")]
    truth = 0.8 if kind == "found" else 1
    out = Outcome(verdict == "refuted" if kind == "found" else verdict in DECIDED, [_holds(e, truth) for e in joint if e["scope"] == "between-run"])
    out.decided = verdict == "supported" if kind == "found" else None
    return out


def single_runs(program, random, kind, strata):
    """As `ratios`, with one run per side; six other programs have three runs each, which lend their spread."""
    sides = ["base", *CLAIMS]
    cells = [(s, side) for s in range(strata) for side in sides] + [(100 + p, "other") for p in range(6)]
    truth = {name: t for name, (_, t) in CLAIMS.items()}
    noise = KINDS[kind](random, cells, 3)
    values = _busy({cell: runs[:1] if cell[0] < 100 else runs for cell, runs in noise.items()}, truth)
    question = QUESTION + "[analyzers.claim_verdicts]\n" + "".join(
        claim(name, METRIC, between, compare="ratio", label="side", base="base", treated=[name])
        for name, (between, _) in CLAIMS.items())
    found = program.judged(values, question)
    out = Outcome(any(c["verdict"] in DECIDED for c in found["claims"]))
    out.covers = [_holds(effect, truth[name]) for name, effect in _intervals(found["claims"])
                  if effect["scope"] == "between-run"]
    return out


def days(program, random, results, noise, day, change=1.0):
    """`compare --gate` of results of six cells, five runs each, that differ by 0.5 %; the machine's days differ by `day`. So many
    results a side, and so many more of one program. `change`: of the treated side's time; 1: a gate that fails is false."""
    cells = [(s, "base") for s in range(6)]
    with program.folder() as folder:
        def made(name, at, factor):
            today = factor * math.exp(random.gauss(0, day))
            values = {c: [BUSY * today * math.exp(random.gauss(0, 0.005)) for _ in range(5)] for c in cells}
            place = os.path.join(folder, name)
            program.write_runs(os.path.join(place, "runs"), values, start=lambda cell: EPOCH + at * DAY)
            return program.result(place, QUESTION)
        before = [made(f"before{i}", i, 1) for i in range(results)]
        after = [made(f"after{i}", results + i, change) for i in range(results)]
        others = [made(f"noise{i}", 2 * results + i, 1) for i in range(noise)]
        more = lambda option, names: [part for name in names for part in (option, name)]
        code = program.run("compare", before[0], after[0], "--gate", "--metric", METRIC, *more("--before", before[1:]),
                           *more("--after", after[1:]), *more("--noise", others), accept=(0, 1))
    failed = code == 1
    return Outcome(failed) if change == 1 else Outcome(decided=failed)
