#!/usr/bin/env python3
"""Runs the question of resolution on real reports and fits every exponent once more, from the reports' facts and names.

    ASSAY_EXAMPLES=REPORTS check_resolution.py ASSAY CONFIG

Exits with 77 (skipped) when ASSAY_EXAMPLES is not set.
"""
import collections
import csv
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

COSTS = [("iteration.gpu_busy_ns", "", False), ("iteration.period_ns", "", False), ("kernel.time_sum_ns", "", True),
         ("kernel_class.time_sum_ns", "class=attention", True), ("copy.time_sum_ns", "direction=h2d", True)]
NAME = re.compile(r"gpu\d+_numa\d+_vit(\d+)x(\d+)x(\d+)_(\d+)px\.sqlite$")


def fail_unless(condition, message):
    if not condition:
        sys.exit(message)


def exponent(values, metric, dims, per_iteration, reports):
    """Slope of log cost on log px; `reports` is {px: report}."""
    x = [math.log(px) for px in reports]
    y = [math.log(values[r, metric, dims] / (values[r, "iteration.count", ""] if per_iteration else 1))
         for r in reports.values()]
    return statistics.linear_regression(x, y).slope


def main():
    assay, config = sys.argv[1:]
    examples = os.environ.get("ASSAY_EXAMPLES")
    if not examples:
        print("SKIPPED: ASSAY_EXAMPLES is not set; it names the unpacked example reports")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([assay, "run", config, "--reports", examples, "-o", out, "-q", "--no-cache"], check=True)
        with open(os.path.join(out, "facts.csv"), newline="", encoding="utf-8") as file:
            values = {(r["report"], r["metric"], r["dims"]): float(r["value"]) for r in csv.DictReader(file)}
    models = collections.defaultdict(dict)
    for report in {r for r, _, _ in values}:
        if match := NAME.search(report):
            models[match.groups()[:3]][int(match[4])] = report
    models = {model: reports for model, reports in models.items() if len(reports) > 1}
    fail_unless(len(models) == 6, f"{len(models)} models at several resolutions, not 6")
    given = {dims: value for (_, metric, dims), value in values.items() if metric == "scaling.exponent"}
    fail_unless(len(given) == len(models) * len(COSTS), f"{len(given)} exponents")
    for (patch, depth, dim), reports in models.items():
        for metric, own, per_iteration in COSTS:
            labels = [own] * (own != "") + ["batch=4", f"depth={depth}", f"dim={dim}", "gpu=0", "numa=0",
                                            f"metric={metric}", f"patch={patch}"]
            key = ";".join(sorted(labels))
            wanted = exponent(values, metric, own, per_iteration, reports)
            fail_unless(math.isclose(given[key], wanted, rel_tol=1e-9, abs_tol=1e-12), f"{key}: {given[key]}, not {wanted}")
    print(f"{len(given)} exponents of {len(models)} models are as fitted here")


if __name__ == "__main__":
    main()
