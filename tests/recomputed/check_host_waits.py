#!/usr/bin/env python3
"""Causes of idle time in an export of Nsight Systems, against intervals computed from its own tables.

    check_host_waits.py ASSAY

Of each thread, outside of calls of CUDA: waiting for Python's interpreter lock (by the thread that holds it), else in a
call of the operating system, else scheduled out. Exits with 77 if the data are not here.
"""
import collections
import csv
import io
import pathlib
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from real_data import data_file


def union(times):
    out = []
    for start, end in sorted(t for t in times if t[1] > t[0]):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return [tuple(t) for t in out]


def common(a, b):
    return union([(max(s, t), min(e, f)) for s, e in a for t, f in b if min(e, f) > max(s, t)])


def minus(a, b):
    out = []
    for start, end in a:
        for s, e in b:
            if e <= start or s >= end:
                continue
            out.append((start, s))
            start = max(start, e)
        out.append((start, end))
    return union(out)


def length(times):
    return sum(end - start for start, end in times)


def theirs_of(db):
    by_thread = lambda sql: collections.defaultdict(list, {
        t: [(s, e) for u, s, e in rows if u == t] for rows in [db.execute(sql).fetchall()] for t in {r[0] for r in rows}})
    gil = lambda name: by_thread("SELECT globalTid, start, end FROM NVTX_EVENTS LEFT JOIN StringIds ON id = textId "
                                 f"WHERE coalesce(text, value) = '{name}' AND end IS NOT NULL")
    waits, holds = gil("Waiting for GIL"), gil("Holding GIL")
    calls = by_thread("SELECT globalTid, start, end FROM CUPTI_ACTIVITY_KIND_RUNTIME")
    system = db.execute("SELECT globalTid, start, end, value FROM OSRT_API JOIN StringIds ON id = nameId WHERE eventClass = 27").fetchall()
    switches = by_thread("SELECT globalTid, start, isSchedIn FROM SCHED_EVENTS ORDER BY start")
    known = set(waits) | set(holds) | set(calls) | {row[0] for row in system} | set(
        row[0] for row in db.execute("SELECT DISTINCT globalTid FROM NVTX_EVENTS WHERE globalTid IS NOT NULL"))
    out = collections.Counter()
    for thread in known:
        taken = union(calls[thread])
        waiting = minus(union(waits[thread]), taken)
        left = waiting
        for holder in sorted(holds):
            if holder != thread:
                out[f"waiting for the GIL, held by thread {holder & 0xFFFFFF}", thread & 0xFFFFFF] += length(common(waiting, union(holds[holder])))
                left = minus(left, union(holds[holder]))
        out["waiting for the GIL", thread & 0xFFFFFF] += length(left)
        taken = union(taken + waiting)
        own = [row for row in system if row[0] == thread]
        for _, start, end, name in own:
            out[f"blocked in {name}", thread & 0xFFFFFF] += length(minus([(start, end)] if end > start else [], taken))
        taken = union(taken + [(s, e) for _, s, e, _ in own])
        events = switches[thread]
        away = [(a[0], b[0]) for a, b in zip(events, events[1:]) if not a[1] and b[1]]
        out["scheduled out", thread & 0xFFFFFF] += length(minus(union(away), taken))
    return {key: time for key, time in out.items() if time > 0}


def main():
    assay, export = sys.argv[1], data_file("stacks", "stacks/full.sqlite")
    if export is None:
        print("the recording with scheduling is not here")
        sys.exit(77)
    theirs = theirs_of(sqlite3.connect(f"file:{export}?mode=ro&immutable=1", uri=True))
    sql = "SELECT c.name, t.tid, sum(c.duration) FROM causes c JOIN threads t ON t.id = c.thread GROUP BY 1, 2"
    done = subprocess.run([assay, "query", str(export), sql, "--format", "csv"], capture_output=True, text=True, check=True)
    ours = {(name, int(tid)): int(time) for name, tid, time in list(csv.reader(io.StringIO(done.stdout)))[1:]}
    ours = {key: time for key, time in ours.items() if time > 0}
    wrong = [(key, theirs.get(key), ours.get(key)) for key in theirs.keys() | ours.keys() if theirs.get(key) != ours.get(key)]
    for key, there, here in sorted(wrong):
        print(f"{key}: {there} there, {here} here")
    kinds = collections.Counter()
    for (name, _), time in ours.items():
        kinds[name.split(" ")[0]] += time
    print(f"{len(theirs)} causes by thread, {len(wrong)} wrong; {dict(kinds)} ns")
    sys.exit(1 if wrong or len(kinds) < 3 else 0)


main()
