#!/usr/bin/env python3
"""Holds `assay stats --over` against the same tables counted in Python from the SQLite exports of two ranks.

    ASSAY_DDP_DATA=... check_stats_over.py ASSAY

Compares, for the two ranks of the variant `straggler`: the pooled summary of kernels (every column), the pace of a
collective on one clock, and how much of each part of its time each device was in use. Exits with 77 (skipped) when the
exports are not there.
"""
import csv
import math
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

SKIPPED = 77
COLLECTIVE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
PARTS = 30


def kernels(db):
    return db.execute("SELECT start, end, deviceId, globalPid, d.value, s.value FROM CUPTI_ACTIVITY_KIND_KERNEL "
                      "JOIN StringIds d ON d.id = demangledName JOIN StringIds s ON s.id = shortName "
                      "ORDER BY start, end").fetchall()


def quartile(values, quarters):
    """Type 2 of sorted values."""
    place, rest = divmod(len(values) * quarters, 4)
    return values[place] if rest else (values[place - 1] + values[place]) / 2


def near(theirs, ours, what):
    """Equal but for how a tie at the last printed digit is rounded."""
    if abs(float(theirs) - ours) > 0.0501:
        sys.exit(f"{what}: assay says {theirs}, counted {ours}")


def check_pool(out, by_name):
    rows = list(csv.DictReader(open(out / "cuda_gpu_kern_sum_all.csv")))
    if {row["Name"] for row in rows} != set(by_name):
        sys.exit("cuda_gpu_kern_sum: other kernels than in the exports")
    whole = sum(map(sum, by_name.values()))
    for row in rows:
        values = sorted(by_name[row["Name"]])
        mean = sum(values) / len(values)
        deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else 0
        for column, value in {"Time (%)": 100 * sum(values) / whole, "Total Time (ns)": sum(values),
                              "Instances": len(values), "Avg (ns)": mean, "Q1 (ns)": quartile(values, 1),
                              "Med (ns)": quartile(values, 2), "Q3 (ns)": quartile(values, 3),
                              "Min (ns)": values[0], "Max (ns)": values[-1], "StdDev (ns)": deviation}.items():
            near(row[column], value, f"{row['Name']} {column}")
    return len(rows)


def check_pace(out, runs, origins):
    rows = list(csv.DictReader(open(out / "cuda_gpu_kern_pace_trace.csv")))
    expected = []
    for rank, run in enumerate(runs):
        shift, last, accum = origins[rank] - min(origins), None, 0
        for k, (start, end, *_rest) in enumerate(r for r in run if r[5] == COLLECTIVE):
            delta = "" if last is None else start - last
            accum += delta or 0
            expected.append([str(v) for v in (rank, k, start + shift, end + shift, end - start, delta, accum)])
            last = end
    columns = ["Rank", "Iteration", "Start (ns)", "End (ns)", "Duration (ns)", "Delta (ns)", "Delta Accum (ns)"]
    ours = [[row[c] for c in columns] for row in rows]
    if ours != expected or not rows:
        sys.exit("cuda_gpu_kern_pace: other steps than in the exports")
    return len(rows)


def work_of(db):
    """Of each device and process: when anything ran."""
    work = {}
    for table in ("KERNEL", "MEMCPY", "MEMSET"):
        try:
            rows = db.execute(f"SELECT start, end, deviceId, globalPid FROM CUPTI_ACTIVITY_KIND_{table}").fetchall()
        except sqlite3.OperationalError:
            continue
        for start, end, device, process in rows:
            work.setdefault((device, (process >> 24) & 0xFFFFFF), []).append((start, end))
    return work


def check_use(out, databases, origins):
    rows = iter(list(csv.DictReader(open(out / "gpu_time_util_map.csv"))))
    compared = 0
    for rank, db in enumerate(databases):
        shift = origins[rank] - min(origins)
        for (device, process), times in sorted(work_of(db).items()):
            first, last = min(t[0] for t in times), max(t[1] for t in times)
            length = -(-(last - first) // PARTS)
            for part in range(PARTS):
                low, high = first + part * length, min(first + (part + 1) * length, last)
                busy = sum(max(0, min(end, high) - max(start, low)) for start, end in times)
                row = next(rows)
                place = [str(v) for v in (rank, device, process, part, low + shift, high - low)]
                if [row[c] for c in ("Rank", "Device ID", "PID", "Part", "Start (ns)", "Duration (ns)")] != place:
                    sys.exit(f"gpu_time_util: {row} instead of {place}")
                near(row["In-Use (%)"], 100 * busy / (high - low), f"gpu_time_util {place}")
                compared += 1
    return compared


def main():
    data = os.environ.get("ASSAY_DDP_DATA")
    files = sorted((pathlib.Path(data) / "nsys").glob("straggler_rank*.sqlite")) if data else []
    if len(files) < 2:
        print("skipped: the exports of two ranks are not there (ASSAY_DDP_DATA)")
        sys.exit(SKIPPED)
    databases = [sqlite3.connect(f"file:{file}?immutable=1", uri=True) for file in files]
    runs = [kernels(db) for db in databases]
    origins = [db.execute("SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME").fetchone()[0] for db in databases]
    by_name = {}
    for run in runs:
        for start, end, _device, _process, name, _short in run:
            by_name.setdefault(name, []).append(end - start)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "ranks").mkdir()
        for file in files:
            shutil.copy(file, folder / "ranks")
        out = folder / "out"
        subprocess.run([sys.argv[1], "stats", "--over", folder / "ranks", "-o", out, "--name", COLLECTIVE, "--report",
                        "cuda_gpu_kern_sum,cuda_gpu_kern_pace,gpu_time_util"], check=True)
        print(f"equal: {check_pool(out, by_name)} kernels pooled, {check_pace(out, runs, origins)} collectives, "
              f"{check_use(out, databases, origins)} parts of time")


main()
