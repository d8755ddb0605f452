"""The verdicts of all shipped claims on the bundled reports, claim by claim, and that nobody honest is accused.

Those of configs/study.toml on everything, and those of questions that stand alone on the folder that they are about. A
claim that cannot be tested says why.

usage: check_study.py ASSAY EXPECTED    (EXPECTED: lines "verdict question claim")
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
ROOT = Path(__file__).resolve().parents[2]


ALONE = {"pytorch_steps.toml": "torch", "kernel_bound.toml": "token_reduction"}


def findings_of(assay, config, reports):
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([assay, "run", ROOT / "configs" / config, "--reports", reports, "-o", out, "-q", "--no-cache"], check=True)
        return json.load(open(Path(out) / "findings.json")), list(csv.DictReader(open(Path(out) / "facts.csv")))


def main(assay, expected_file):
    examples = os.environ.get("ASSAY_EXAMPLES")
    if not examples:
        print("SKIPPED: ASSAY_EXAMPLES is not set: the bundled reports are not unpacked")
        return SKIPPED
    findings, facts = findings_of(assay, "study.toml", examples)
    claims = [(q["question"], c) for q in findings["questions"] for c in q["claims"]]
    for config, folder in ALONE.items():
        alone, _ = findings_of(assay, config, Path(examples) / folder)
        claims += [(q["question"], c) for q in alone["questions"] for c in q["claims"]]
    verdicts = [f"{c['verdict']} {question} {c['id']}" for question, c in claims]
    silent = [c["id"] for _, c in claims if not c["reason"]]
    for claim in silent:
        print("no reason is given:", claim)
    expected = Path(expected_file).read_text().split("\n")[:-1]
    for line in sorted(set(verdicts) ^ set(expected)):
        print(("unexpected: " if line in verdicts else "missing: ") + line)
    accused = [f for f in facts if f["metric"] == "label.verdict" and f["dims"].split("verdict=")[1] != "borne_out"
               and f["dims"].split("verdict=")[1] != "unverifiable" and "label=memory" not in f["dims"]]
    for fact in accused:
        print("accused:", fact["report"], fact["dims"])
    answered = all(any(f["role"] == "answer" for f in q["findings"]) for q in findings["questions"])
    nodes = [float(f["value"]) for f in facts if f["metric"] == "numa.comparisons" and "outcome=differs" in f["dims"]]
    print(f"{len(verdicts)} claims of {len({question for question, _ in claims})} questions; {sum(nodes):g} NUMA effects in {len(nodes)} metrics")
    good = verdicts and not silent and not accused and answered and set(verdicts) == set(expected) and nodes and sum(nodes) == 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
