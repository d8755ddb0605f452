#!/usr/bin/env python3
"""Facts of communication and ranks on training with two ranks against values that a second program found in the same files.

    check_ranks.py ASSAY     runs ranks.toml beside this file on ASSAY_DDP_DATA and compares every row of
                             multirank.tsv.xz in ASSAY_REFERENCE

ns must be equal (a mean to the ns), ratios to 1e-6 of what the table prints. After the comparison a fact is changed, which must
be noticed. Exits with 77 (skipped) when one of the two is not set.
"""
import collections
import csv
import lzma
import math
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = {"nsys": ".sqlite", "torch": ".pt.trace.json.gz"}
# What the table calls otherwise; of a step, per step, or of all device work.
NAMES = {"idle_ns": "comm.idle_ns", "kernel.count": "compute.kernel_count", "kernel.time_sum_ns": "compute.time_sum_ns",
         "straggler.last_count_by_arrival": "straggler.last_by_arrival_count",
         # The table's is the plain greatest, which is no verdict; those are checked by findings_wrong.
         "straggler.rank": "straggler.slowest_rank",
         "collective.matched": "collective.matched_count", "collective.unmatched": "collective.unmatched_count"}
# Needs a label of the batch, which these names do not have: rank 1 of straggler takes 12 in the place of 8.
BATCH = {("straggler", "scaling.efficiency_ratio"): 20 / 16}


class Results:
    def __init__(self, path):
        db = sqlite3.connect(path)
        self.facts, self.samples, self.steps, self.attributes = {}, collections.defaultdict(list), {}, {}
        ids = {}
        for fact, report, metric, dims, value in db.execute("SELECT fact, report, metric, dims, value FROM facts"):
            self.facts[report, metric, dims] = value
            ids[fact] = report, metric, dims
        for fact, value in db.execute("SELECT fact, value FROM samples ORDER BY fact, position"):
            self.samples[ids[fact]].append(value)
        for report, name, value in db.execute("SELECT report, name, value FROM attributes"):
            self.attributes[report, name] = value
        for report, row, name, value in db.execute(
                "SELECT t.report, c.row, c.name, c.value FROM table_cells c JOIN tables t USING (table_id) "
                "WHERE t.analyzer = 'communication' AND t.name = 'steps'"):
            self.steps.setdefault(report, {}).setdefault(row, {})[name] = value


def quantile(values, q):
    """A value that is there, as the table has it."""
    return sorted(values)[min(int(q * len(values)), len(values) - 1)]


def dims_of(text):
    """"kind=all_reduce;bytes=3072" with sorted keys."""
    return ";".join(sorted(text.split(";"))) if text else ""


class Reader:
    def __init__(self, results, source, variant, rank):
        self.r, self.variant, self.source, self.rank = results, variant, source, rank
        self.path = self.report(0 if rank == "*" else int(rank))
        self.first, self.second = self.report(0), self.report(1)

    def report(self, rank):
        return f"{self.source}/{self.variant}_rank{rank}{SOURCES[self.source]}"

    def fact(self, metric, dims="", report=None):
        return self.r.facts.get((report or self.path, metric, dims))

    def sampled(self, metric, dims="", report=None):
        return self.r.samples.get((report or self.path, metric, dims))

    def of_step(self, metric, step):
        for row in self.r.steps.get(self.path, {}).values():
            if row["step"] == step:
                return row.get(metric)
        return None

    def value(self, name):
        """What the program says for a row of the table; None: nothing."""
        plain, inner, rest = re.fullmatch(r"([^\[(]*)(?:[\[(]([^\])]*)[\])])?(.*)", name).groups()
        stem = re.sub(r"\.(mean|median|max|min|p05|p95|per_step|weighted|median_of_steps)$", "", plain)
        suffix = plain[len(stem) + 1:]
        metric = NAMES.get(stem, stem)
        if inner == "whole":
            return self.fact(metric) if metric == "capture.window_ns" else self.fact(metric, "over=capture")
        if inner and inner.startswith("step="):
            return self.of_step(metric, int(inner[5:]))
        if name == "steps":
            return len(self.r.steps.get(self.path, {}))
        if name == "world":
            return int(self.r.attributes.get((self.path, "world_size"), "1"))
        if name == "clock.base_ns":
            return self.r.attributes.get((self.path, name))
        if name == "comm.streams":
            return self.r.attributes.get((self.path, "comm.streams"), "-")
        if name == "step.period_ns.mean":
            return statistics.fmean(self.sampled("step.period_ns"))
        if stem == "job.step_period_ns":
            return self.fact("job.step_period_ns" if self.variant != "single" else "step.period_ns")
        if stem == "straggler.slowdown_ratio":
            return self.fact("straggler.slowdown_ratio" if suffix else "straggler.mean_slowdown_ratio")
        if stem == "rank.skew_signed_ns":
            return self.fact("rank.arrival_ns", report=self.second)
        if stem == "rank.skew_ns":
            return {"median": statistics.median, "max": max, "mean": statistics.fmean}[suffix](self.sampled(metric))
        if stem == "clock.end_difference_ns":
            values = self.sampled(metric, report=self.second)
            return {"median": statistics.median, "min": min, "max": max, "p05": lambda v: quantile(v, .05),
                    "p95": lambda v: quantile(v, .95)}[suffix](values)
        if stem.startswith("clock."):
            return self.fact(metric, report=self.second)
        if stem == "collective.count":
            if suffix == "per_step":
                return self.fact("collective.count", dims_of(inner))
            return len(self.sampled("collective.transfer_ns", dims_of(inner)) or []) or sum(
                len(samples) for (report, m, dims), samples in self.r.samples.items()
                if report == self.path and m == "collective.transfer_ns" and inner in dims)
        if stem == "comm.busbw_bytes_per_s" and suffix == "weighted":
            return self.fact("comm.weighted_busbw_bytes_per_s", dims_of(inner))
        if stem == "comm.transfer_ns":
            return self.fact(metric, report=self.first)
        dims = "" if inner is None else dims_of(inner)
        value = self.fact(metric, dims)
        factor = BATCH.get((self.variant, name))
        return value * factor if factor and value is not None else value


def agrees(printed, got):
    if got is None:
        return False
    if isinstance(got, str) or printed == "-":
        return str(got) == printed
    want = float(printed)
    if "e" not in printed and "." not in printed:
        return abs(want - got) <= 0.5 + 1e-9 * abs(want)  # whole numbers: to the ns
    # The table has six digits.
    return abs(want - got) <= max(1e-6 * abs(want), 0.5001 * 10.0 ** (math.floor(math.log10(abs(want) or 1)) - 5))


def compare(table, results):
    met, wrong = collections.Counter(), []
    for source, variant, rank, name, printed in table:
        try:
            got = Reader(results, source, variant, rank).value(name)
        except (TypeError, KeyError, statistics.StatisticsError):
            got = None
        if agrees(printed, got):
            met[source, variant] += 1
        else:
            wrong.append((source, variant, rank, name, printed, got))
    return met, wrong


def findings_wrong(results):
    """What must come out of the variants, and what must not: sentences about what does not."""
    wrong = []
    named = {report: dims for report, metric, dims in results.facts if metric == "straggler.rank"}
    expected = {f"{source}/straggler_rank0{end}": "cause=compute" for source, end in SOURCES.items()}
    if named != expected:
        wrong.append(f"stragglers are {named} and not {expected}")
    # The second group of twogroups: an all_reduce of one float and an all_gather a step, each counted once.
    groups = {"nsys": ("group 1", "group 2"), "torch": ("0,1", "0,1#2")}
    for source, (first, second) in groups.items():
        for rank in (0, 1):
            report = f"{source}/twogroups_rank{rank}{SOURCES[source]}"
            counts = {dims: value for (r, metric, dims), value in results.facts.items()
                      if r == report and metric == "collective.count"}
            want = {f"group={first};kind=all_reduce": 10, f"group={second};kind=all_reduce": 1,
                    f"group={second};kind=all_gather": 1}
            if counts != want:
                wrong.append(f"{report}: collectives are {counts} and not {want}")
        report = f"{source}/twogroups_rank0{SOURCES[source]}"
        for dims in (f"bytes=4;group={second};kind=all_reduce", f"bytes=65536;group={second};kind=all_gather"):
            if (report, "collective.transfer_ns", dims) not in results.facts:
                wrong.append(f"{report}: no collective.transfer_ns of {dims}")
    for report, metric, dims in results.facts:
        if "/single_" in report and (metric.startswith(("rank.", "straggler.")) or metric == "comm.overlap_ratio"):
            wrong.append(f"{report}: {metric} of a run without other ranks")
    return wrong


def main(assay):
    data, reference = os.environ.get("ASSAY_DDP_DATA"), os.environ.get("ASSAY_REFERENCE")
    if not data or not reference:
        print("skipped: ASSAY_DDP_DATA or ASSAY_REFERENCE is not set")
        return 77
    table_file = Path(reference) / "multirank.tsv.xz"
    with lzma.open(table_file, "rt") as text:
        table = [row for row in csv.reader(text, delimiter="\t")][1:]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results"
        subprocess.run([assay, "run", str(Path(__file__).parent / "ranks.toml"), "--reports", data, "-o", str(out), "--no-cache",
                        "-q"], check=True)
        results = Results(out / "results.sqlite")
    met, wrong = compare(table, results)
    for row in wrong:
        print("differs:", *row)
    misjudged = findings_wrong(results)
    for sentence in misjudged:
        print(sentence)
    totals = collections.Counter((row[0], row[1]) for row in table)
    for key in sorted(totals):
        print(*key, f"{met[key]} of {totals[key]} met")
    key = next(k for k in results.facts if k[1] == "rank.wait_exposed_ns" and "straggler" in k[0] and results.facts[k] > 0)
    results.facts[key] += 1
    if len(compare(table, results)[1]) != len(wrong) + 1:
        print("a fact that is off by 1 ns went unnoticed")
        return 1
    return 1 if wrong or misjudged else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
