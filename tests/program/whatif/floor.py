#!/usr/bin/env python3
"""No prediction below the device work: whatif and look on made traces of 1 to 5,000 launches.

    floor.py ASSAY [COUNT]

Each trace has 1 to 4 streams, steps with or without a name, and waits for the device never, now and then, in each step or
at the end. The floor is computed here from the events alone: the union of the kernels of a step, median over the steps that
a prediction counts (those that nothing disturbs, all but the last; without steps the whole capture).
"""
import csv
import io
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SEED = 1000
COUNTED = """SELECT number FROM steps WHERE whole AND (disturbed = 'none' OR NOT EXISTS
    (SELECT 1 FROM steps WHERE whole AND disturbed = 'none')) ORDER BY number"""
MOST_LAUNCHES = 3.699  # 10 to the power of this: 5,000


def union(intervals):
    time, reach = 0.0, float("-inf")
    for start, end in sorted(intervals):
        time += max(0.0, end - max(start, reach))
        reach = max(reach, end)
    return time


class Trace:
    """One program: its events, and the kernels of each step."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.events, self.steps = [], []
        self.now, self.free = 1000.0, [0.0] * rng.randint(1, 4)
        launches = round(10 ** rng.uniform(0, MOST_LAUNCHES))
        steps = min(rng.choice([1, 2, 3, 5, 12, 45, 100]), launches)
        self.sync = rng.choice(["never", "never", "each step", "now and then", "at the end"])
        self.kernel = rng.choice([2, 5, 20, 60, 175, 600]) * rng.uniform(0.7, 1.3)
        self.cost, self.host = rng.choice([3, 5, 8, 20]), rng.choice([0, 1, 5, 30, 190])
        self.named = rng.random() < 0.8
        for step in range(steps):
            self.add_step(rng, step, launches // steps)
            if self.sync == "each step" or (self.sync == "at the end" and step == steps - 1):
                self.wait()

    def event(self, category, name, start, duration, thread=100, process=1, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": process, "tid": thread, "ts": round(start, 3),
                            "dur": round(duration, 3), "args": args})

    def wait(self):
        end = max(max(self.free), self.now + 1)
        self.event("cuda_runtime", "cudaDeviceSynchronize", self.now, end - self.now, correlation=1 + len(self.events))
        self.now = end + 1

    def add_step(self, rng, number, launches):
        begin, kernels = self.now, []
        for _ in range(launches):
            stream, link = rng.randrange(len(self.free)), 1 + len(self.events)
            self.event("cuda_runtime", "cudaLaunchKernel", self.now, self.cost, correlation=link)
            start = max(self.now + self.cost + 2, self.free[stream])
            length = round(self.kernel * rng.uniform(0.8, 1.25), 3)
            self.event("kernel", "gemm", start, length, 7 + stream, 0, correlation=link, stream=7 + stream, device=0)
            kernels.append((round(start, 3), round(start, 3) + length))
            self.free[stream] = start + length
            self.now += self.cost + 1 + self.host
            if self.sync == "now and then" and rng.random() < 0.05:
                self.wait()
        if self.named:
            self.event("user_annotation", f"ProfilerStep#{number}", begin, self.now - begin)
        self.now += 2
        self.steps.append(kernels)

    def floor(self, counted):
        """ns; of the steps with these numbers"""
        if not self.named or len(self.steps) == 1:
            return 1e3 * union(sum(self.steps, []))
        return 1e3 * statistics.mean(union(self.steps[n]) for n in counted)

    def write(self, file):
        device = {"id": 0, "name": "NVIDIA H100 80GB HBM3", "computeMajor": 9, "computeMinor": 0, "numSms": 132}
        file.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [device], "traceEvents": self.events}))


def said(assay, *words):
    return subprocess.run([assay, *words], capture_output=True, text=True, check=True).stdout


def problems_of(assay, file, floor):
    row = next(csv.DictReader(io.StringIO(said(assay, "whatif", file, "--launch-cost", "0", "--format", "csv"))))
    before, after = float(row["before_ns"]), float(row["after_ns"])
    found = []
    if after < floor * (1 - 1e-4) - 2:
        found.append(f"predicts {after:.0f} ns, the device works for {floor:.0f} ns")
    page = re.sub(r"\s+", " ", said(assay, "look", file))
    advice = re.search(r"launch less[^%]*\((\d+) %\)", page)
    if advice and int(advice[1]) > 100 * (1 - floor / before) + 1:
        found.append(f"look says {advice[1]} %, {100 * (1 - floor / before):.1f} % is the most")
    return found, advice is not None


def main():
    assay, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 24
    failures = advised = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(SEED, SEED + count):
            trace, file = Trace(seed), Path(folder) / "made.pt.trace.json"
            trace.write(file)
            rows = csv.DictReader(io.StringIO(said(assay, "query", file, COUNTED, "--format", "csv")))
            found, has_advice = problems_of(assay, file, trace.floor([int(row["number"]) for row in rows]))
            advised += has_advice
            for problem in found:
                failures += 1
                print(f"seed {seed}: {problem}")
    print(f"{count} traces, {advised} with advice on launches, {failures} failures")
    return 1 if failures or advised == 0 else 0


sys.exit(main())
