"""Recorded studies with a known truth: folders as `assay record` leaves them, and the recorder itself on a synthetic profiler.

Each study has three claims with the truth on a bound of each, in every stratum, and the A/A pair of the first base.
"""
import json
import math
import os

from noise import BLOCK_KINDS
from program import claim
from studies import BUSY, CLAIMS, DECIDED, INF, METRIC, Outcome

BLOCKS = 30
LOOKS = (7, 14, 21, 30)  # blocks after which a folder is judged; a verdict that is false at any of them is a false one
TWIN = ("twin", "base")

QUESTION = """
[question]
id = "planted"
title = "Planted"
text = "Does the program find what was planted?"
[labels]
patterns = ["s{{stratum}}_{{side}}"]
stratum = {{ type = "int", changes = ["kernels"] }}
side = {{ values = {sides}, changes = ["kernels"] }}
[[matrix]]
stratum = {strata}
side = {sides}
[window]
nvtx = "window"
[iterations]
nvtx = "iter_{{i}}"
[experiment]
command = ["true", "{{stratum}}", "{{side}}"]
profiler = {{ name = "planted", command = ["{profiler}", "{{report}}", "{{run}}"] }}
replicates = 2
most = {most}
warmup = 0
[analyzers.run_summary]
[analyzers.claim_verdicts]
"""


def _question(strata, levels, most=BLOCKS, profiler="planted", claims=CLAIMS):
    sides = json.dumps(list(claims) if levels else ["base", *claims])
    head = QUESTION.format(sides=sides, strata=list(range(strata)), most=most, profiler=profiler)
    how = lambda name: {"where": [f"side={name}"]} if levels else {
        "compare": "ratio", "label": "side", "base": "base", "treated": [name]}
    scale = BUSY if levels else 1
    return head + "".join(claim(name, METRIC, tuple(scale * end for end in between), **how(name))
                          for name, (between, _) in claims.items())


def _values(random, kind, strata, levels, claims=CLAIMS):
    """{cell: [busy ns in each block]}; the twin is a cell of its own."""
    sides = list(claims) if levels else ["base", *claims]
    cells = [(s, side) for s in range(strata) for side in sides] + [TWIN]
    noise = BLOCK_KINDS[kind](random, cells, BLOCKS)
    truth = {name: t for name, (_, t) in claims.items()}
    twin = truth.get(sides[0], 1)
    return {cell: [BUSY * (twin if cell == TWIN else truth.get(cell[1], 1)) * math.exp(d) for d in noise[cell]]
            for cell in cells}, sides


def _run_of(cell, block, sides):
    name = f"aa/s0_{sides[0]}" if cell == TWIN else f"s{cell[0]}_{cell[1]}"
    return f"block_{block:03}/{name}"


def write_exports(program, folder, values, sides, blocks=range(1, BLOCKS + 1)):
    for cell, runs in values.items():
        for block in blocks:
            path = os.path.join(folder, _run_of(cell, block, sides) + ".sqlite")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            program.template.write(path, runs[block - 1])


def write_journal(folder, values, sides, blocks):
    """journal.jsonl and results.json of so many blocks."""
    events = [{"event": "begin", "time": "2026-01-01T00:00:00.000Z", "assay": "simulated", "epoch": 1,
               "design": {"name": "planted", "questions": ["planted"], "cells": len(values), "configurations": len(values) - 1,
                          "replicates": blocks, "most": BLOCKS, "order": "blocks", "gpus_at_once": 1, "seed": 1,
                          "until_decided": False, "budget_seconds": 0.0}}]
    results = []
    for block in range(1, blocks + 1):
        for position, cell in enumerate(values, 1):
            run, twin = _run_of(cell, block, sides), cell == TWIN
            stratum, side = (0, sides[0]) if twin else cell
            start = {"event": "start", "time": "2026-01-01T00:00:00.000Z", "run": run, "cell": run[10:], "attempt": 1, "epoch": 1,
                     "block": block, "position": position, "replicate": block, "twin": twin}
            end = {"event": "end", "time": "2026-01-01T00:00:01.000Z", "run": run, "attempt": 1, "outcome": "ok", "seconds": 1.0}
            events += [start, end]
            results.append({"run_id": run, "stratum": stratum, "side": side, "start_time": start["time"], "duration": 1.0,
                            "success": True, "exit_code": 0, "error": None, "outcome": "ok", "block": block,
                            "position": position, "replicate": block, "epoch": 1, "attempts": 1,
                            "twin": "yes" if twin else "no", "marks": [], "reports": [f"profiles/{run}.sqlite"],
                            "labels": {"stratum": str(stratum), "side": side}})
    with open(os.path.join(folder, "journal.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(event) + "\n" for event in events)
    with open(os.path.join(folder, "results.json"), "w", encoding="utf-8") as file:
        json.dump(results, file)


def _holds(effect, truth):
    low, high = effect["ci"]
    return (low is None or low <= truth) and (high is None or truth <= high)


def folders(program, random, kind, strata=2, levels=False):
    """A recording of 30 blocks, judged by `assay run` at a few looks."""
    values, sides = _values(random, kind, strata, levels)
    scale, out = BUSY if levels else 1, Outcome()
    with program.folder() as folder:
        runs = os.path.join(folder, "runs")
        done = 0
        for look in LOOKS:
            write_exports(program, os.path.join(runs, "profiles"), values, sides, range(done + 1, look + 1))
            write_journal(runs, values, sides, look)
            done = look
            found = program.conclude(folder, _question(strata, levels))
            out.false = out.false or any(c["verdict"] in DECIDED for c in found["claims"])
        for one in found["claims"]:
            for stratum in one["strata"]:
                effect = stratum["effect"]
                if effect is not None and effect["ci"] is not None:
                    out.covers.append(_holds(effect, scale * CLAIMS[one["id"]][1]))
    return out


def until_decided(program, random, kind, strata=2):
    """`assay record --until-decided` itself; its profiler copies the export that was planted for the run."""
    values, sides = _values(random, kind, strata, False)
    found = _recorded(program, values, sides, _question, strata)
    return Outcome(any(c["verdict"] in DECIDED for c in found["claims"]))


def found_early(program, random, kind, effect, by_block):
    """A large effect beside truths at a bound, by the recorder: it is found by that block, and nothing is false."""
    claims = dict(CLAIMS, large=((-INF, 0.9 if effect < 1 else -INF), effect) if effect < 1 else ((1.1, INF), effect))
    values, sides = _values(random, kind, 1, False, claims)
    ask = lambda strata, levels, **how: _question(strata, levels, claims=claims, **how)
    found = _recorded(program, values, sides, ask, 1)
    verdicts = {c["claim"]: c for c in found["claims"]}
    out = Outcome(any(c["verdict"] in DECIDED for name, c in verdicts.items() if name != "large"))
    out.decided = found["decided_at"].get("large", BLOCKS + 1) <= by_block
    return out


def _recorded(program, values, sides, ask, strata):
    """Records until decided; gives the claims of the last look and the block at which each was decided."""
    with program.folder() as folder:
        planted = os.path.join(folder, "planted")
        write_exports(program, planted, values, sides)
        profiler, config = os.path.join(folder, "profiler"), os.path.join(folder, "question.toml")
        with open(profiler, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec cp "{planted}/$2.sqlite" "$1.sqlite"\n')
        os.chmod(profiler, 0o755)
        with open(config, "w", encoding="utf-8") as file:
            file.write(ask(strata, False, most=BLOCKS, profiler=profiler))
        program.run("record", config, "-o", os.path.join(folder, "out"), "--until-decided")
        for place, _, files in os.walk(os.path.join(folder, "out")):
            if "journal.jsonl" in files:
                with open(os.path.join(place, "journal.jsonl"), encoding="utf-8") as file:
                    looks = [e for e in map(json.loads, file) if e["event"] == "look"]
    decided_at = {}
    for look in looks:
        for one in look["claims"]:
            if one["verdict"] in DECIDED:
                decided_at.setdefault(one["claim"], look["block"])
    return {"claims": looks[-1]["claims"], "decided_at": decided_at}
