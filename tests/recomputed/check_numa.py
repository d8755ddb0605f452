#!/usr/bin/env python3
"""Runs the question of NUMA nodes on real reports, of which no node can matter, and on copies with a planted effect.

    ASSAY_EXAMPLES=REPORTS check_numa.py ASSAY CONFIG

The bundled runs were made on a machine with one node: any effect found there is a false one. In the copies the host times
of runs bound to node 2 at batch 1 are stretched, GPU work keeps its durations: with replicates that must be found in the
durations alone, without them nothing may be. Exits with 77 (skipped) when ASSAY_EXAMPLES is not set.
"""
import collections
import csv
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

FOLDER = "rq4_numa_locality_effects"
MODEL = "vit32x12x768_numa_local"
MEASURES = [("iteration.period_ns", ""), ("window.duration_ns", ""), ("iteration.gpu_busy_ns", ""),
            ("copy.bandwidth_bytes_per_s", "h2d"), ("copy.bandwidth_bytes_per_s", "d2h")]
STRETCH = 1.35
SCATTER = [1.0, 1.012, 0.991, 1.006, 0.994, 1.009, 0.997, 1.003]  # of runs of one program


def fail_unless(condition, message):
    if not condition:
        sys.exit(message)


def stretched(source, target, factor):
    """Copies a report; its calls and ranges are stretched, GPU work starts later and keeps its duration."""
    shutil.copyfile(source, target)
    with sqlite3.connect(target) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = {row[1] for row in database.execute(f'PRAGMA table_info("{table}")')}
            if not {"start", "end"} <= columns:
                continue
            on_gpu = "streamId" in columns and "SYNCHRONIZATION" not in table
            end = 'CAST(start * :f AS INTEGER) + "end" - start' if on_gpu else 'CAST("end" * :f AS INTEGER)'
            database.execute(f'UPDATE "{table}" SET start = CAST(start * :f AS INTEGER), "end" = {end}', {"f": factor})


def plant(examples, reports, replicates):
    scatter = iter(SCATTER * 4)
    for batch in ("_batch1", ""):
        source = os.path.join(examples, FOLDER, f"gpu0_numa0_{MODEL}{batch}.sqlite")
        for node in ("0", "2"):
            for run in range(replicates):
                factor = next(scatter) * (STRETCH if node == "2" and batch == "_batch1" else 1)
                folder = os.path.join(reports, FOLDER, f"run{run}")
                os.makedirs(folder, exist_ok=True)
                stretched(source, os.path.join(folder, f"gpu0_numa{node}_{MODEL}{batch}.sqlite"), factor)


def facts_of(assay, config, reports, out):
    subprocess.run([assay, "run", config, "--reports", reports, "-o", out, "-q", "--no-cache"], check=True)
    with open(os.path.join(out, "facts.csv"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def dims_of(row):
    return dict(pair.split("=", 1) for pair in row["dims"].split(";") if pair)


def outcomes(facts):
    """{(metric, direction): {outcome: number of comparisons}}"""
    out = collections.defaultdict(dict)
    for row in facts:
        if row["metric"] == "numa.comparisons":
            dims = dims_of(row)
            out[dims["metric"], dims.get("direction", "")][dims["outcome"]] = int(row["value"])
    return out


def effects_found(facts):
    return int(next(row["value"] for row in facts if row["metric"] == "numa.effects_found"))


def program_of(report):
    """(bound node, model with batch) by the name alone; the words local and remote say nothing."""
    gpu, numa, rest = os.path.basename(report).removesuffix(".sqlite").split("_", 2)
    return numa.removeprefix("numa"), rest.replace("_numa_local", "").replace("_numa_remote", "")


def check_ratios(facts, pairs):
    """Ratios of geometric means, once more from the reports' facts and names."""
    for metric, direction in MEASURES:
        values = collections.defaultdict(list)
        for row in facts:
            if row["report"] and row["metric"] == metric and dims_of(row).get("direction", "") == direction:
                values[program_of(row["report"])].append(float(row["value"]))
        programs = {program for _, program in values}
        wanted = sorted(statistics.geometric_mean(values["2", p]) / statistics.geometric_mean(values["0", p]) for p in programs)
        given = sorted(float(row["value"]) for row in facts if row["metric"] == "numa.ratio"
                       and (dims_of(row)["metric"], dims_of(row).get("direction", "")) == (metric, direction))
        fail_unless(len(given) == pairs, f"{metric} {direction}: {len(given)} ratios, not {pairs}")
        close = all(abs(g - w) <= 1e-9 * w for g, w in zip(given, wanted))
        fail_unless(close, f"{metric} {direction}: ratios {given}, not {wanted}")


def main():
    assay, config = sys.argv[1:]
    examples = os.environ.get("ASSAY_EXAMPLES")
    if not examples:
        print("SKIPPED: ASSAY_EXAMPLES is not set; it names the unpacked example reports")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        facts = facts_of(assay, config, examples, os.path.join(work, "real"))
        check_ratios(facts, 13)
        found = outcomes(facts)
        fail_unless(effects_found(facts) == 0, f"an effect on a machine with one node: {found}")
        # Not all 13: runs of a cell that were made in a row widen its interval.
        busy = found["iteration.gpu_busy_ns", ""]
        fail_unless(busy["differs"] == 0 and busy["equivalent"] >= 6, f"busy time is not seen to be equal: {found}")
        fail_unless(found["copy.bandwidth_bytes_per_s", "h2d"]["differs"] == 0, f"bandwidth differs: {found}")
        fail_unless(found["window.duration_ns", ""]["equivalent"] == 0, f"host-bound times cannot be equal: {found}")

        plant(examples, os.path.join(work, "planted"), 4)
        facts = facts_of(assay, config, os.path.join(work, "planted"), os.path.join(work, "planted_out"))
        check_ratios(facts, 2)
        found = outcomes(facts)
        for metric, direction in MEASURES:
            expected = 1 if direction == "" and metric != "iteration.gpu_busy_ns" else 0
            fail_unless(found[metric, direction]["differs"] == expected, f"planted, {metric} {direction}: {found}")

        plant(examples, os.path.join(work, "alone"), 1)
        found = outcomes(facts_of(assay, config, os.path.join(work, "alone"), os.path.join(work, "alone_out")))
        for measure in MEASURES:
            fail_unless(found[measure]["inconclusive"] == 2, f"without replicates, {measure}: {found}")
    print("no effect on the bundled reports; the planted one is found, and not without replicates")


if __name__ == "__main__":
    main()
