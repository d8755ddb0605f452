#!/usr/bin/env python3
"""Steps and their account, computed here from the files alone: account.py ASSAY. For each file: every step's rows sum to it, the
time of its kernels is the union of those in the file, `budget` says the mean of the steps that count, and the first line of
`look` says the same. Without ASSAY_DATA skipped."""
import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

FILES = ("levers/levers/nsys/*_before.sqlite", "levers/levers/torch/*_before.pt.trace.json.gz", "serve/*_level/*.sqlite",
         "serve/torch/*.json.gz", "step/nsys/step_base_block1.sqlite", "ddp/*/overlap_rank*", "parallel/pp_m4_*.json.gz")
SYNC = re.compile(r"(Device|Stream|Ctx|Context)Synchronize")


def read(path):
    """Kernels as (start, end), other work, and calls as (start, end, name, correlation); ns."""
    if path.suffix == ".gz":
        events = [e for e in json.load(gzip.open(path))["traceEvents"] if e.get("ph") == "X" and "dur" in e]
        times = lambda e: (round(e["ts"] * 1000), round(e["ts"] * 1000) + round(e["dur"] * 1000))
        of = lambda *kinds: [(*times(e), e["args"].get("correlation", 0), e["args"].get("stream"), e["name"]) for e in events
                             if e.get("cat") in kinds]
        calls = [(*times(e), e["name"], e["args"].get("correlation", 0)) for e in events
                 if e.get("cat") in ("cuda_runtime", "cuda_driver")]
        return of("kernel"), of("gpu_memcpy", "gpu_memset"), calls
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    names = dict(db.execute("SELECT id, value FROM StringIds"))
    tables = {name for name, in db.execute("SELECT name FROM sqlite_master")}
    rows = lambda table, name="0": [(*row[:4], names.get(row[4], "")) for row in db.execute(
        f"SELECT start, end, correlationId, streamId, {name} FROM {table}")] if table in tables else []
    kernels = rows("CUPTI_ACTIVITY_KIND_KERNEL", "shortName") + rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE")
    calls = [(s, e, names[n], k) for s, e, n, k in db.execute(
        "SELECT start, end, nameId, correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME ORDER BY start")]
    return kernels, rows("CUPTI_ACTIVITY_KIND_MEMCPY") + rows("CUPTI_ACTIVITY_KIND_MEMSET"), calls


def lateness(work, calls):
    """ns that the device's clock is behind the host's: a wait returns at most 25 us after its work."""
    start = {k: s for s, _, _, k in calls if k}
    ends, lag = {}, None
    for s, e, k, *_ in work:
        if k in start:
            ends[k] = max(ends.get(k, e), e)
            lag = s - start[k] if lag is None else min(lag, s - start[k])
    several = len({row[3] for row in work if row[2] in start}) > 1
    last = excess = None
    for s, e, name, k in sorted(calls):
        if SYNC.search(name) and last is not None and not ("Stream" in name and several):
            excess = last - e if excess is None else max(excess, last - e)
        if k in ends:
            last = ends[k] if last is None else max(last, ends[k])
    if excess is None or excess <= -25_000:
        return 0
    late = min(excess + 3500, lag - 3500)
    return late if late > 2000 else 0


def union(times, start, end):
    total, reach = 0, start
    for s, e in sorted(times):
        s, e = max(s, reach), min(e, end)
        total, reach = total + max(0, e - s), max(reach, e)
    return total


def asked(assay, path, sql):
    done = subprocess.run([assay, "query", path, sql, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["result"]


def check(assay, path, wrong):
    rows = asked(assay, path, "SELECT id, start, end, whole, disturbed FROM steps ORDER BY start")
    account = asked(assay, path, "SELECT step, device, kind, sum(time) AS ns FROM account GROUP BY 1, 2, 3")
    kernels, others, calls = read(path)
    origin = min(s for s, *_ in kernels) - asked(assay, path, "SELECT min(start) AS first FROM device_work WHERE kind IN ('kernels', 'graphs')")[0]["first"]
    late = lateness(kernels + others, calls) + origin
    compute = [(s - late, e - late) for s, e, _, _, name in kernels if "nccl" not in name.lower()]
    counted = [row for row in rows if row["whole"] and row["disturbed"] == "none"] or rows
    for row in rows:
        if not row["whole"]:
            continue
        own = [part for part in account if part["step"] == row["id"]]
        if sum(part["ns"] for part in own) != row["end"] - row["start"]:
            wrong.append(f"{path.name}: step {row['id']} is not the sum of its rows")
        ran = sum(part["ns"] for part in own if part["kind"] in ("kernel", "graph"))
        if abs(ran - union(compute, row["start"], row["end"])) > 2:
            wrong.append(f"{path.name}: kernels of step {row['id']}: {ran}, {union(compute, row['start'], row['end'])} here")
    mean = sum(row["end"] - row["start"] for row in counted) / len(counted)
    said = json.loads(subprocess.run([assay, "budget", path, "--json"], capture_output=True, text=True).stdout)
    steps = said["result"]["iteration"]
    if steps["count"] != len(counted) or abs(steps["wall_ns"] - mean) > 1:
        wrong.append(f"{path.name}: budget says {steps['count']} of {steps['wall_ns']}, {len(counted)} of {mean} here")
    return len(rows)


def main():
    data, assay = os.environ.get("ASSAY_DATA"), sys.argv[1]
    files = sorted({path for name in FILES for path in Path(data).glob(name)}) if data else []
    if not files:
        print("SKIPPED: ASSAY_DATA has none of these files")
        return 77
    wrong, steps = [], 0
    for path in files:
        steps += check(assay, path, wrong)
    print("\n".join(wrong))
    print(f"{len(files)} files, {steps} steps, {len(wrong)} differences")
    return 1 if wrong or steps < 100 else 0


sys.exit(main())
