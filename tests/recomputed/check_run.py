#!/usr/bin/env python3
"""Runs the host on a folder of reports and checks its facts with check_facts.py; then that a wrong fact would be found.

    ASSAY_EXAMPLES=REPORTS check_run.py ASSAY CONFIG AT_LEAST [SEED_REFERENCE]

Exits with 77 (skipped) when ASSAY_EXAMPLES is not set. SEED_REFERENCE is a file below
ASSAY_REFERENCE; a reference that is not there is not compared, which is said.
"""
import csv
import os
import subprocess
import sys
import tempfile
import tomllib

CHECKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_facts.py")
# A value that is off by a little, a fact that is gone, and one too many must each be found.
SPOILT = {
    "changed": lambda rows: [dict(r, value="%.17g" % (float(r["value"]) * (1 + 1e-6))) if r["metric"] == "gpu.idle_ns" else r for r in rows],
    "missing": lambda rows: [r for r in rows if r["metric"] != "launch.bound_ratio"],
    "surplus": lambda rows: rows + [dict(rows[-1], metric="gap.count", dims="over=1s", value="0", n="1")],
}


def check(facts, reports, question, at_least, *more):
    arguments = [facts, reports, "--at-least", at_least, *more]
    if "window" in question:
        arguments += ["--window", question["window"]["nvtx"]]
    if "iterations" in question:
        arguments += ["--iterations", question["iterations"]["nvtx"]]
    return subprocess.run([sys.executable, CHECKER, *arguments], capture_output=True, text=True, check=False)


def main():
    assay, config, at_least, *reference = sys.argv[1:]
    reports = os.environ.get("ASSAY_EXAMPLES")
    if not reports:
        print("SKIPPED: ASSAY_EXAMPLES is not set; it names the unpacked example reports")
        sys.exit(77)
    with open(config, "rb") as file:
        question = tomllib.load(file)
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([assay, "run", config, "--reports", reports, "-o", out, "-q", "--no-cache"], check=True)
        facts = os.path.join(out, "facts.csv")
        more = ["--groups"]
        for name in reference:
            path = os.path.join(os.environ.get("ASSAY_REFERENCE", ""), name)
            if os.path.exists(path):
                more += ["--seed-reference", path]
            else:
                print("note: %s is not below ASSAY_REFERENCE; the published values are not compared" % name)
        result = check(facts, reports, question, at_least, *more)
        print(result.stdout, result.stderr, sep="", end="")
        if result.returncode != 0:
            sys.exit("the facts of %s are wrong" % config)

        with open(facts, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        first = next(r["report"] for r in rows if r["metric"] == "launch.bound_ratio")
        rows = [r for r in rows if r["report"] == first]
        for name, spoil in SPOILT.items():
            with open(facts, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0].keys())
                writer.writeheader()
                writer.writerows(spoil(rows))
            if check(facts, reports, question, "1").returncode == 0:
                sys.exit("the checker does not see a fact that is %s" % name)
        print("the checker sees facts that are %s" % ", ".join(SPOILT))


if __name__ == "__main__":
    main()
