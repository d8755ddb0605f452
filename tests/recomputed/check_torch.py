#!/usr/bin/env python3
"""attention_softmax_matmul and token_reduction_overhead on PyTorch traces, against the JSON itself.

    ASSAY_EXAMPLES=REPORTS check_torch.py ASSAY

A pass is a step of the profiler. Kernels belong to what launched them: their runtime call has the same correlation, and
lies inside the operator on its thread, or inside the step. Exits with 77 (skipped) without the reports.
"""
import collections
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
ROOT = Path(__file__).resolve().parents[2]
ATTENTION = "aten::scaled_dot_product_attention"
FUSED = ("flash_fwd", "flash_bwd", "fmha", "sdpa", "flash_attn", "attn_fwd", "attn_bwd")


def ns(microseconds):
    whole, _, rest = str(microseconds).partition(".")
    return int(whole) * 1000 + int((rest + "000")[:3])


class Trace:
    def __init__(self, path):
        text = gzip.open(path, "rt", encoding="utf-8").read()
        events = json.loads(text, parse_float=str)["traceEvents"]
        self.events = [e for e in events if e.get("ph") == "X"]
        for e in self.events:
            e["begin"] = ns(e["ts"])
            e["end"] = e["begin"] + ns(e["dur"])
        self.steps = [e for e in self.of("user_annotation") if e["name"].startswith("ProfilerStep#")]
        self.calls = {e["args"]["correlation"]: e for e in self.of("cuda_runtime") + self.of("cuda_driver")}

    def of(self, category):
        return [e for e in self.events if e.get("cat") == category]

    def launches(self):
        for kernel in self.of("kernel"):
            call = self.calls.get(kernel["args"]["correlation"])
            if call and any(inside(call, step) for step in self.steps):
                yield kernel, call


def inside(inner, outer):
    return outer["begin"] <= inner["begin"] and inner["end"] <= outer["end"]


def union(spans):
    total, reach = 0, None
    for begin, end in sorted(spans):
        if reach is None or begin > reach:
            total, reach = total + end - begin, end
        elif end > reach:
            total, reach = total + end - reach, end
    return total


def attention_facts(trace):
    called = [e for e in trace.of("cpu_op") if e["name"] == ATTENTION and any(inside(e, s) for s in trace.steps)]
    outer = [e for e in called if not any(e is not o and e["tid"] == o["tid"] and inside(e, o) for o in called)]
    whole = [k for k, call in trace.launches() if any(call["tid"] == o["tid"] and inside(call, o) for o in outer)]
    fused = [k for k, _ in trace.launches() if any(word in k["name"] for word in FUSED)]
    spans = lambda kernels: [(k["begin"], k["end"]) for k in kernels]
    return {("attention.range_count", "part=whole"): len(outer),
            ("attention.host_time_ns", "part=whole"): sum(o["end"] - o["begin"] for o in outer),
            ("attention.kernel_count", "part=whole"): len(whole),
            ("attention.time_ns", "part=whole"): union(spans(whole)),
            ("attention.kernel_count", "part=fused"): len(fused),
            ("attention.time_ns", "part=fused"): union(spans(fused))}


def token_facts(trace):
    steps = len(trace.steps)
    sums = collections.Counter()
    for kernel, _ in trace.launches():
        sums["token.kernel_count"] += 1 / steps
        sums["token.kernel_time_ns"] += (kernel["end"] - kernel["begin"]) / steps
    return sums


def run(assay, config, reports):
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([assay, "run", ROOT / "configs" / config, "--reports", reports, "-o", out, "-q", "--no-cache"],
                       check=True)
        with open(Path(out) / "facts.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


def differences(facts, reports, expected_of, actual_of):
    compared, wrong = 0, []
    for report in sorted({f["report"] for f in facts if f["report"]}):
        trace = Trace(Path(reports) / report)
        actual = actual_of([f for f in facts if f["report"] == report])
        for key, value in expected_of(trace).items():
            compared += 1
            if abs(actual.get(key, 0) - value) > 1e-9 * max(1, abs(value)):
                wrong.append(f"{report} {key}: {actual.get(key)}, expected {value}")
    return compared, wrong


def by_dims(facts):
    return {(f["metric"], f["dims"]): float(f["value"]) for f in facts}


def summed(facts):
    sums = collections.Counter()
    for f in facts:
        sums[f["metric"]] += float(f["value"])
    return sums


def main(assay):
    reports = os.environ.get("ASSAY_EXAMPLES")
    if not reports:
        print("SKIPPED: ASSAY_EXAMPLES is not set: the bundled reports are not unpacked")
        return SKIPPED
    good = True
    for config, expected, actual in (("attention_torch.toml", attention_facts, by_dims),
                                     ("token_reduction_torch.toml", token_facts, summed)):
        facts = run(assay, config, reports)
        compared, wrong = differences(facts, reports, expected, actual)
        print(f"{config}: {compared} numbers compared, {len(wrong)} differ")
        for line in wrong:
            print("  " + line)
        good = good and compared > 0 and not wrong
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
