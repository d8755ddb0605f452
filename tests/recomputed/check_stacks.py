#!/usr/bin/env python3
"""Functions that a GPU waits for, against the python_function events of the trace itself, read by json.

    check_stacks.py ASSAY

read_rows, tokenize and log_metrics do 4, 2 and 1 ms of work a step (stacks.py); wait_for_writer waits for a lock. Exits
with 77 if the data are not here.
"""
import csv
import gzip
import io
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from real_data import real_data

NAMES = {"read_rows": 9, "tokenize": 8, "log_metrics": 11, "wait_for_writer": 12}


def ns(us):
    return round(us * 1000)


def union(times):
    out = []
    for start, end in sorted(times):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def outside(start, end, busy):
    """ns of [start, end) outside of the intervals."""
    return end - start - sum(max(0, min(e, end) - max(s, start)) for s, e in busy)


def query(assay, trace, sql):
    done = subprocess.run([assay, "query", str(trace), sql, "--format", "csv"], capture_output=True, text=True, check=True)
    return list(csv.reader(io.StringIO(done.stdout)))[1:]


def main():
    assay, folder = sys.argv[1], real_data("stacks")
    if folder is None:
        print("the recording with stacks is not here")
        sys.exit(77)
    trace = folder / "stacks/stacks.pt.trace.json.gz"
    events = [e for e in json.load(gzip.open(trace))["traceEvents"] if e.get("ph") == "X"]
    spans = lambda *cats: [(ns(e["ts"]), ns(e["ts"] + e["dur"]), e["name"]) for e in events if e.get("cat") in cats]
    taken = union([s[:2] for s in spans("kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver")])
    steps = len(spans("user_annotation"))
    rows = query(assay, trace, "SELECT name, sum(time) FROM account WHERE kind = 'idle' AND cause IN ('host', 'between') GROUP BY 1")
    ours = {name: int(time) for name, time in rows}
    page = json.loads(subprocess.run([assay, "look", "--json", str(trace)], capture_output=True, text=True, check=True).stdout)
    failed = 0
    for name, line in NAMES.items():
        full = f"stacks.py({line}): {name}"
        theirs = sum(outside(s, e, taken) for s, e, n in spans("python_function") if n == full) / steps
        account = ours.get(full, 0) / steps
        off = abs(account - theirs) / theirs
        failed += off > 0.01
        print(f"{name}: {theirs / 1e6:.4f} ms a step by the events, {account / 1e6:.4f} ms in the account")
    said = json.dumps(page)
    for text in ("read_rows (stacks.py:9)", "tokenize (stacks.py:8)"):
        failed += text not in said
        print(f"{text}: {'said' if text in said else 'NOT said'}")
    sys.exit(1 if failed else 0)


main()
