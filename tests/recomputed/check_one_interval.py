#!/usr/bin/env python3
"""One effect has one interval: what a claim is judged on, every finding about it, the table and the plot agree.

    check_one_interval.py ASSAY SOURCES

Runs the question of compilation on the recording in examples/, in blocks, and on it without its journal, as plain runs.
"""
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile


def fail_unless(condition, message):
    if not condition:
        sys.exit(message)


def run(assay, config, reports, out):
    done = subprocess.run([assay, "run", config, "--reports", reports, "-o", out, "--force"], capture_output=True, text=True)
    fail_unless(done.returncode == 0, done.stderr)
    return json.loads((out / "findings.json").read_text())["questions"][0]


def numbers(effect):
    ci = effect["ci"]
    return effect["value"], None if ci is None or ci[0] is None else tuple(ci), effect["level"], effect["n"]


def claimed(question):
    """By metric and labels: what claims about ratios are judged on."""
    found = {}
    for claim in question["claims"]:
        for stratum in claim["strata"]:
            effect = stratum.get("effect")
            if effect and effect["kind"] == "ratio" and effect["scope"] == "between-run":
                found[effect["metric"], frozenset(stratum["labels"].items())] = numbers(effect)
    return found


def check(question, out):
    claims, same = claimed(question), 0
    for finding in question["findings"]:
        effect, labels = finding.get("effect"), set(finding["labels"].items())
        if not effect or effect["kind"] != "ratio" or not labels:
            continue
        for (metric, of), judged in claims.items():
            if metric == effect["metric"] and labels <= of:
                fail_unless(numbers(effect) == judged, f"{finding['title']}: {numbers(effect)}, its claim {judged}")
                same += 1
    rows = 0
    drawn = (out / "plots/rq3_compilation-compilation_delta-pairs.svg").read_text()
    for metric, title in (("iteration.gpu_busy_ns", "GPU time per iteration"), ("iteration.period_ns", "Time per iteration")):
        for (of, labels), (value, ci, *_) in claims.items():
            if of != metric:
                continue
            row = f"<title>metric {title}; row {dict(labels)['compile']}: the pair; [^<]*ratio ([0-9.]+)(?:; low ([0-9.]+); high ([0-9.]+))?; n"
            shown = re.search(row, drawn)
            if shown:
                wanted = (f"{value:.3f}",) + (tuple(f"{end:.3f}" for end in ci) if ci else (None, None))
                fail_unless(shown.groups() == wanted, f"plot: {shown.groups()}, its claim {wanted}")
                rows += 1
    return same, rows


def main():
    assay, sources = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        with tarfile.open(sources / "examples/rq3_recorded.tar.xz") as archive:
            archive.extractall(place, filter="data")
        config, recording = sources / "configs/rq3_compilation.toml", place / "rq3_recorded"
        blocks = check(run(assay, config, recording, place / "blocks"), place / "blocks")
        (recording / "journal.jsonl").unlink()
        runs = check(run(assay, config, recording, place / "runs"), place / "runs")
        fail_unless(min(blocks + runs) > 0, f"nothing was compared: {blocks}, {runs}")
        print("findings and marks with the interval of their claim:", blocks, "in blocks,", runs, "of runs")


if __name__ == "__main__":
    main()
