#!/usr/bin/env python3
"""What step_breakdown says of PyTorch traces against a second computation of it, in Python from the JSON alone.

    step_tables.py ASSAY CONFIG                 runs the question on every trace of ASSAY_EXAMPLES, and of public and
                                                h200 in ASSAY_DATA (below torch/) and compares facts and tables
    step_tables.py --print TRACE...             prints the second computation

The definitions are those of the TensorBoard profiler plugin (README of step_breakdown). After every comparison a value of
the program's output is changed, which must be noticed. Exits with 77 (skipped) when none of the variables is set.
"""
import bisect
import collections
import contextlib
import copy
import csv
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
from decimal import Decimal

from step_trace import PYTHON, Trace

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from real_data import real_data  # noqa: E402

CATEGORIES = ["kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "cpu_exec", "other"]
LEAST_LAST_STEP = 0.8
DATA = ["examples", "public", "h200"]


def is_loader(name):
    return name.startswith("enumerate(DataLoader)#") and name.endswith(".__next__")


def is_communication(name):
    return "nccl" in name.lower() or "gloo" in name.lower()


def steps_of(trace):
    """[(name, start, end, device events)] and how many were dropped at the end."""
    ranges = [e for e in trace.host if e.name.startswith("ProfilerStep#") and e.category not in PYTHON]
    ranges.sort(key=lambda e: (e.start, e.end))
    hosts = [(e.name, e.start, e.end) for e in ranges]
    if not hosts:
        host = trace.host + trace.calls
        hosts = [("whole capture", min(e.start for e in host), max(e.end for e in host))]
    launched = sorted([w for w in trace.work() if w.call is not None], key=lambda w: w.call.start)
    starts = [w.call.start for w in launched]
    steps, reach = [], None
    for name, start, end in hosts:
        mine = [w for w in launched[bisect.bisect_left(starts, start):] if w.call.start <= end and w.call.end <= end]
        first = start if reach is None else max(reach, start)
        last = max([end] + [w.end for w in mine])
        reach = max(first, last)
        steps.append((name, min(first, reach), reach, len(mine)))
    kept = steps
    if any(s[3] for s in steps) and len(steps) > 1:
        while kept[-1][3] == 0:
            kept = kept[:-1]
        if len(kept) > 1 and kept[-1][3] < LEAST_LAST_STEP * kept[-2][3]:
            kept = kept[:-1]
    return kept, len(steps) - len(kept)


def split(trace, steps):
    """Per step a list of ns by category: the events' ends cut time into pieces, each looked at by itself."""
    marks = [[] for _ in CATEGORIES]
    for kernel in trace.kernels:
        marks[3 if is_communication(kernel.name) else 0].append(kernel)
    marks[1], marks[2], marks[4] = trace.copies, trace.sets, trace.calls
    for event in trace.host:
        if event.name.startswith("ProfilerStep#") and event.category not in PYTHON:
            continue
        if event.category not in PYTHON and is_loader(event.name):
            marks[5].append(event)
        else:
            marks[6].append(event)
    changes = []
    for category, events in enumerate(marks):
        for event in events:
            if event.end > event.start:
                changes += [(event.start, category, 1), (event.end, category, -1)]
    for number, (_, start, end, _) in enumerate(steps):
        changes += [(start, -1, number), (end, -2, number)]
    changes.sort()
    out, active, running, before = [[0] * len(CATEGORIES) for _ in steps], [0] * len(CATEGORIES), set(), None
    for time, category, change in changes:
        if before is not None and time > before:
            first = next((c for c in range(7) if active[c]), 7)
            for step in running:
                out[step][first] += time - before
        before = time
        if category == -1:
            running.add(change)
        elif category == -2:
            running.discard(change)
        else:
            active[category] += change
    # a step that starts where it ends was never running
    return out


def union(pairs):
    total, reach = 0, None
    for start, end in sorted(pairs):
        start = start if reach is None else max(start, reach)
        if end > start:
            total += end - start
            reach = end
    return total


def utilization(trace, device, span):
    return union((max(k.start, span[0]), min(k.end, span[1])) for k in trace.kernels
                 if k.device == device and min(k.end, span[1]) > max(k.start, span[0])) / (span[1] - span[0])


def sm_efficiency(trace, device, span):
    changes = []
    for k in trace.kernels:
        blocks = k.args.get("blocks per SM")
        if blocks is None:  # AMD: blocks by multiprocessors of the one device that is described
            count = trace.devices[0].get("numSms") if len(trace.devices) == 1 else None
            grid = k.args.get("grid")
            blocks = Decimal(grid[0] * grid[1] * grid[2]) / count if grid and count else None
        if k.device != device or not blocks or blocks <= 0:
            continue
        start, end = max(k.start, span[0]), min(k.end, span[1])
        if end > start:
            changes += [(start, Decimal(blocks)), (end, -Decimal(blocks))]
    if not changes:
        return None
    changes.sort(key=lambda c: c[0])
    area, running, before = Decimal(0), Decimal(0), changes[0][0]
    for time, change in changes:
        area += min(Decimal(1), running) * (time - before)
        running, before = running + change, time
    return float(area / (span[1] - span[0]))


def weighted(values):
    """Mean of (value, weight), None when there is no weight."""
    values = list(values)
    weight = sum(w for _, w in values)
    return float(sum(Decimal(v) * w for v, w in values) / weight) if weight else None


def occupancy(trace, device, span):
    inside = ((k.args.get("est. achieved occupancy %"), min(k.end, span[1]) - max(k.start, span[0]))
              for k in trace.kernels if k.device == device)
    mean = weighted((o, t) for o, t in inside if o is not None and t > 0)
    return None if mean is None else mean / 100


def kernel_rows(trace):
    groups = collections.defaultdict(list)
    for k in trace.kernels:
        groups[k.name].append(k)
    return {name: {"calls": len(g), "total": sum(k.time for k in g), "max": max(k.time for k in g),
                   "min": min(k.time for k in g)} for name, g in groups.items()}


def operator_rows(trace):
    work = collections.Counter()
    for w in trace.work():
        if w.op is not None:
            work[w.op] += w.time
    rows = collections.defaultdict(lambda: {"calls": 0, "device self": 0, "device total": 0, "host self": 0, "host total": 0})

    def inner(event):
        """Operators right below, whatever else lies between, and all that is launched there outside of them."""
        below, launched, calls = [], work[event], list(event.calls)
        stack = list(event.children)
        while stack:
            child = stack.pop()
            if child.is_operator:
                below.append(child)
            else:
                launched += work[child]
                calls += child.calls
                stack += child.children
        return below, launched, calls

    totals = {}
    for event in sorted((e for e in trace.host if e.is_operator), key=lambda e: -e.depth):
        below, launched, calls = inner(event)
        totals[event] = launched + sum(totals[b] for b in below)
        row = rows[event.name]
        row["calls"] += 1
        row["device self"] += launched
        row["device total"] += totals[event]
        row["host total"] += event.time
        busy = [(b.start, b.end) for b in below]
        busy += [(max(c.start, event.start), min(c.end, event.end)) for c in calls]
        row["host self"] += event.time - union(busy)
    return dict(rows)


def module_rows(trace):
    work = collections.Counter()
    for w in trace.work():
        if w.op is not None:
            work[w.op] += w.time
    is_module = lambda e: e.category in PYTHON and "Python module id" in e.args
    rows = collections.defaultdict(lambda: {"occurrences": 0, "operators": 0, "host self": 0, "host total": 0,
                                            "device self": 0, "device total": 0})

    def walk(event):
        """Device time of the module, of modules in it, host time of modules in it, operators outside of those."""
        own, nested, host, operators = work[event], 0, 0, 0
        stack = [(child, False) for child in event.children]
        while stack:
            child, in_operator = stack.pop()
            if is_module(child):
                below = walk(child)
                nested += below
                host += child.time
                continue
            own += work[child]
            operators += child.is_operator and not in_operator
            stack += [(c, in_operator or child.is_operator) for c in child.children]
        row = rows[(event.name, event.args["Python module id"])]
        row["occurrences"] += 1
        row["operators"] += operators
        row["host total"] += event.time
        row["host self"] += event.time - host
        row["device self"] += own
        row["device total"] += own + nested
        return own + nested

    stack = [e for e in trace.host if e.parent is None]
    while stack:
        event = stack.pop()
        if is_module(event):
            walk(event)
        else:
            stack += event.children
    return dict(rows)


def peaks(trace):
    out = {}
    for event in trace.memory:
        args = event["args"]
        if args.get("Device Type") == 0 or "Total Allocated" not in args:
            continue
        allocated, reserved = out.get(args["Device Id"], (0, 0))
        out[args["Device Id"]] = (max(allocated, args["Total Allocated"]), max(reserved, args["Total Reserved"]))
    return out


def expected(path):
    """Everything that is compared: facts {(metric, dims): value}, samples, and tables."""
    trace = Trace(path)
    steps, dropped = steps_of(trace)
    parts = split(trace, steps)
    times = [end - start for _, start, end, _ in steps]
    assert [sum(p) for p in parts] == times, "a step is not the sum of its parts"
    facts = {("step.count", ""): len(steps), ("step.dropped_count", ""): dropped,
             ("step.time_ns", ""): sum(times) / len(times)}
    for c, category in enumerate(CATEGORIES):
        facts["step.category_time_ns", f"category={category}"] = sum(p[c] for p in parts) / len(parts)
    span = (steps[0][1], steps[-1][2])
    devices = sorted({k.device for k in trace.kernels})
    for metric, measure in (("gpu.utilization_ratio", utilization), ("gpu.sm_efficiency_ratio", sm_efficiency),
                            ("gpu.achieved_occupancy_ratio", occupancy)):
        values = [v for v in (measure(trace, d, span) for d in devices) if v is not None]
        if values:
            facts[metric, ""] = sum(values) / len(values)
    for device, (allocated, reserved) in peaks(trace).items():
        facts["memory.peak_allocated_bytes", f"device={device}"] = allocated
        facts["memory.peak_reserved_bytes", f"device={device}"] = reserved
    modules = collections.defaultdict(collections.Counter)
    for (name, _), row in module_rows(trace).items():
        modules[name].update(row)
    return {"facts": facts, "kernels": kernel_rows(trace), "operators": operator_rows(trace), "modules": dict(modules)}


TABLES = {"step_kernels": "kernels", "step_operators": "operators", "step_modules": "modules"}
COMPARED = {"step.count", "step.dropped_count", "step.time_ns", "step.category_time_ns", "gpu.utilization_ratio",
            "gpu.sm_efficiency_ratio", "gpu.achieved_occupancy_ratio", "memory.peak_allocated_bytes",
            "memory.peak_reserved_bytes"}
MARGIN = 1e-9  # of means and ratios, which are computed in another order; sums of ns must be equal


def outputs(assay, config, folder, out):
    """{report: {"facts": ..., "kernels": ...}} as the program wrote them."""
    subprocess.run([assay, "run", config, "--reports", folder, "-o", out, "-q"], check=True)
    reports = collections.defaultdict(lambda: {"facts": {}, "kernels": {}, "operators": {}, "modules": {}})
    with open(os.path.join(out, "facts.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            reports[row["report"]]["facts"][row["metric"], row["dims"]] = float(row["value"])
    with contextlib.closing(sqlite3.connect(os.path.join(out, "results.sqlite"))) as database:
        tables = database.execute("SELECT table_id, report, name FROM tables WHERE report <> ''").fetchall()
        for number, report, name in tables:
            if name in TABLES:
                reports[report][TABLES[name]] = cells(database, number, summed=name == "step_modules")
    return reports


def cells(database, number, summed):
    """{name: {column: integer}}; the rows of a name are added up where several have it."""
    rows = collections.defaultdict(dict)
    for row, column, value in database.execute("SELECT row, name, value FROM table_cells WHERE table_id = ?", (number,)):
        if column == "name" or isinstance(value, int):
            rows[row][column] = value
    out = collections.defaultdict(collections.Counter)
    for row in rows.values():
        assert summed or row["name"] not in out
        out[row["name"]].update({column: value for column, value in row.items() if column != "name"})
    return dict(out)


def differences(got, wanted):
    """Sentences; every value that is wanted must be there, and every row that is there must be wanted."""
    out = []
    for key, value in wanted["facts"].items():
        found = got["facts"].get(key)
        if found is None or abs(found - value) > MARGIN * max(1, abs(value)):
            out.append(f"{key}: {found}, by Python {value}")
    out += [f"{key} is a fact, but not by Python" for key in got["facts"].keys() - wanted["facts"].keys()
            if key[0] in COMPARED]
    for table in TABLES.values():
        for name in got[table].keys() ^ wanted[table].keys():
            out.append(f"{table}: {name!r} is in one of the two only")
        for name in got[table].keys() & wanted[table].keys():
            for column, value in wanted[table][name].items():
                if got[table][name].get(column) != value:
                    out.append(f"{table}: {name!r} {column}: {got[table][name].get(column)}, by Python {value}")
    return out


def planted(got):
    """Copies of the output with one wrong value each."""
    for part, key in [("facts", ("step.category_time_ns", "category=cpu_exec")), ("facts", ("step.time_ns", ""))]:
        wrong = copy.deepcopy(got)
        wrong[part][key] += 1
        yield f"{key} + 1", wrong
    for table in TABLES.values():
        if not got[table]:
            continue
        name = max(got[table])
        column = max(got[table][name])
        wrong = copy.deepcopy(got)
        wrong[table][name][column] += 1
        yield f"{table} {name!r} {column} + 1", wrong
        del wrong[table][name]
        yield f"{table} without {name!r}", wrong


def check(assay, config, folder):
    """Number of traces compared, and of those that differ."""
    compared = bad = 0
    with tempfile.TemporaryDirectory() as out:
        reports = outputs(assay, config, folder, out)
        for report in sorted(reports):
            if not report:
                continue
            wanted = expected(os.path.join(folder, report))
            found = differences(reports[report], wanted)
            found += [f"not noticed: {what}" for what, wrong in planted(reports[report]) if not differences(wrong, wanted)]
            compared += 1
            bad += bool(found)
            rows = sum(len(wanted[t]) for t in TABLES.values())
            print(f"{report}: {len(wanted['facts'])} facts, {rows} rows, {len(found)} differ")
            for sentence in found[:10]:
                print("   ", sentence)
    return compared, bad


def main(assay, config):
    folders = [os.path.join(real_data(d), "torch") for d in DATA if real_data(d)]
    folders = [folder for folder in folders if os.path.isdir(folder)]
    if not folders:
        print(f"SKIPPED: none of {', '.join(DATA)} is a folder of real data with torch/")
        return 77
    results = [check(assay, config, folder) for folder in folders]
    compared, bad = (sum(numbers) for numbers in zip(*results))
    print(f"{compared} traces, {bad} of them differ")
    return 1 if bad or not compared else 0


if __name__ == "__main__":
    if sys.argv[1] == "--print":
        for argument in sys.argv[2:]:
            print(argument, expected(argument)["facts"])
    else:
        sys.exit(main(*sys.argv[1:]))
