"""The verdicts of configs/study.toml on the bundled reports, claim by claim, and that nobody honest is accused.

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


def main(assay, expected_file):
    examples = os.environ.get("ASSAY_EXAMPLES")
    if not examples:
        print("SKIPPED: ASSAY_EXAMPLES is not set: the bundled reports are not unpacked")
        return SKIPPED
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([assay, "run", ROOT / "configs/study.toml", "--reports", examples, "-o", out, "-q", "--no-cache"], check=True)
        findings = json.load(open(Path(out) / "findings.json"))
        facts = list(csv.DictReader(open(Path(out) / "facts.csv")))
    verdicts = [f"{c['verdict']} {q['question']} {c['id']}" for q in findings["questions"] for c in q["claims"]]
    expected = Path(expected_file).read_text().split("\n")[:-1]
    for line in sorted(set(verdicts) ^ set(expected)):
        print(("unexpected: " if line in verdicts else "missing: ") + line)
    accused = [f for f in facts if f["metric"] == "label.verdict" and f["dims"].split("verdict=")[1] != "borne_out"
               and f["dims"].split("verdict=")[1] != "unverifiable" and "label=memory" not in f["dims"]]
    for fact in accused:
        print("accused:", fact["report"], fact["dims"])
    answered = all(any(f["role"] == "answer" for f in q["findings"]) for q in findings["questions"])
    nodes = [float(f["value"]) for f in facts if f["metric"] == "numa.comparisons" and "outcome=differs" in f["dims"]]
    print(f"{len(verdicts)} claims of {len(findings['questions'])} questions; {sum(nodes):g} NUMA effects in {len(nodes)} metrics")
    good = verdicts and not accused and answered and set(verdicts) == set(expected) and nodes and sum(nodes) == 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
