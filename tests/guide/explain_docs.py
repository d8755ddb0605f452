#!/usr/bin/env python3
"""Texts of metrics that come from data: explain_docs.py ASSAY SOURCE [--update].

The examples of core/output/notes/examples.json are values measured in the bundled profiles, and docs/metrics.md is what
`assay explain --reference` prints. Without --update a difference is a failure. Exit 77: no profiles."""
import csv
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

# Question, folder of profiles ("vit_h200": the unpacked excerpt), what the data is called.
RUNS = [
    ("study.toml", "vit_h200", "the bundled Vision Transformers on one H200"),
    ("attention.toml", "vit_h200", "the bundled Vision Transformers on one H200"),
    ("token_reduction.toml", "vit_h200", "the bundled Vision Transformers on one H200"),
    ("pytorch_steps.toml", "vit_h200", "the bundled PyTorch traces of one H200"),
    ("kernel_bound.toml", "attention_h200", "the bundled attention on one H200, with Nsight Compute"),
    ("operator_roofline.toml", "attention_h200", "the bundled attention on one H200, with Nsight Compute"),
]


def measured(assay, source, profiles, scratch):
    """Of each metric the middle one of its values, by value, report and dims."""
    examples = {}
    for question, folder, data in RUNS:
        out = scratch / question
        subprocess.run([assay, "run", source / "configs" / question, "--reports", profiles[folder], "-o", out, "-q", "--no-cache"],
                       check=True, stderr=subprocess.DEVNULL)
        rows = {}
        for row in csv.DictReader(open(out / "facts.csv", encoding="utf-8", newline="")):
            rows.setdefault(row["metric"], []).append(row)
        for metric, facts in rows.items():
            facts.sort(key=lambda row: (float(row["value"]), row["report"], row["dims"]))
            row = facts[(len(facts) - 1) // 2]
            value = f"{float(row['value']):.6g}"
            examples.setdefault(metric, {"metric": metric, "value": value, "dims": row["dims"], "report": row["report"], "data": data})
    return [examples[metric] for metric in sorted(examples)]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    assay, source, update = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), "--update" in sys.argv
    archive = source / "examples/vit_h200_excerpt.tar.xz"
    if not archive.exists():
        print(f"{archive} is not there: the examples cannot be measured again")
        sys.exit(77)
    failed = False
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        with tarfile.open(archive) as packed:
            packed.extractall(scratch / "vit_h200", filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(scratch / "vit_h200")
        profiles = {"vit_h200": scratch / "vit_h200", "attention_h200": source / "examples/attention_h200"}
        examples = measured(assay, source, profiles, scratch)
    kept = source / "core/output/notes/examples.json"
    text = "[\n" + ",\n".join(" " + json.dumps(example) for example in examples) + "\n]\n"
    if update:
        kept.write_text(text)
    elif text != kept.read_text():
        old = {example["metric"]: example for example in json.loads(kept.read_text())}
        for example in examples:
            if old.pop(example["metric"], None) != example:
                print("measured now:", example)
                failed = True
        for gone in old.values():
            print("no longer measured:", gone)
            failed = True
    page = source / "docs/metrics.md"
    made = subprocess.run([assay, "explain", "--reference"], check=True, capture_output=True, text=True).stdout
    if update:
        page.write_text(made)
    elif made != page.read_text():
        print("docs/metrics.md is not what 'assay explain --reference' prints; tests/guide/explain_docs.py --update writes it")
        failed = True
    sys.exit(1 if failed else 0)


main()
