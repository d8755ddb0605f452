#!/usr/bin/env python3
"""Texts of metrics and columns that come from data: explain_docs.py ASSAY SOURCE [--update].

The examples of core/output/notes/examples.json are values measured in the bundled profiles, docs/metrics.md is what
`assay explain --reference` prints, and docs/columns.md is `assay schema tables` with a value from the bundled profiles
for each column. Without --update a difference is a failure. Exit 77: no profiles."""
import csv
import json
import pathlib
import re
import sqlite3
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

# Profiler, folder, profile, options: together they fill every table. Made ones come last, so that measured values win.
PROFILES = [
    ("Nsight Systems", "vit_h200", "attention/gpu0_numa0_vit16x12x768_attn_224px.sqlite", "--iterations test_vit_forward_{i} --window test_double_buffer"),
    ("Nsight Systems", "vit_h200", "transformer/small_training_step_ctx512.sqlite", ""),
    ("Nsight Systems", "vit_h200", "rq3_compilation_optimization/gpu0_numa0_vit16x6x384_compiled_max-autotune.sqlite", ""),
    ("PyTorch", "vit_h200", "torch/vit_eval_fp16.pt.trace.json.gz", ""),
    ("PyTorch", "attention_h200", ".", ""),
    ("Nsight Systems", "made", "handmade.sqlite", ""),
    ("PyTorch", "made", "two_ranks.json", ""),
]
# One NCCL kernel in a truncated trace: rows for `collectives` and `issues`.
TWO_RANKS = """{"schemaVersion": 1, "distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "pid": 0, "tid": 7, "ts": 300, "dur": 5, "args":
 {"device": 0, "stream": 7, "correlation": 4, "Collective name": "allreduce", "In msg nelems": 1048576, "Out msg nelems": 1048576,
  "Group size": 2, "dtype": "BFloat16", "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "Seq": 8}},
"""
LONGEST = 60  # characters of an example
HEAD = """# Columns of profiles

Every table and column of a profile, as [SQL](query.md) and [the report model](../sdk/README.md#the-report-model) of analyzers have them, and the
profilers that fill it. The example is the first value other than 0, cut off after 60 characters, from the bundled profiles of an H200 or,
marked "made", from a profile written by hand for tests. A column without an example is empty in all of them; no database of rocprofv3
(rocpd) is bundled. This page is generated from `assay schema tables` by `tests/guide/explain_docs.py --update`; a test fails when it is stale.
"""


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


def example_rows(assay, folder, file, options):
    """Each table of a profile with a value of each of its columns, None where no row has one."""
    def answer(*arguments, **more):
        return subprocess.run([assay, "query", file, *options, *arguments], cwd=folder, check=True, capture_output=True, text=True, **more).stdout

    for told in re.findall(r"^\w+\n(?:  .*\n)+", answer(input=".schema\n"), re.M):
        table, _, *columns = (line.split()[0] for line in told.splitlines())
        first = (f"(SELECT {table}.'{column}' FROM {table} WHERE {table}.'{column}' IS NOT NULL ORDER BY {table}.'{column}' IN (0, '') LIMIT 1) "
                 f"AS '{column}'" for column in columns)
        yield table, json.loads(answer(f"SELECT {', '.join(first)}", "--format", "json"))[0]


def columns_page(assay, source, folders):
    """docs/columns.md, and the columns that a profiler fills although `filled by` does not name it."""
    tables = json.loads(subprocess.run([assay, "schema", "tables"], check=True, capture_output=True).stdout)["$defs"]
    examples, wrong = {}, []
    for profiler, folder, file, options in PROFILES:
        for table, row in example_rows(assay, folders[folder], file, options.split()):
            product = "Nsight Compute" if table in ("profiled", "counters") else profiler
            for column, value in row.items():
                if value is None:
                    continue
                text = " ".join(str(value).split())
                text = text if len(text) <= LONGEST else text[:LONGEST] + "..."
                examples.setdefault((table, column), f"`{text}` ({product}{', made' if folder == 'made' else ''})")
                filled_by = tables[table]["properties"][column]["filled_by"]
                if re.search("Nsight|PyTorch", filled_by) and product not in filled_by:
                    wrong.append(f"{table}.{column} is filled by '{filled_by}', and {file} of {product} has {text}")
    model = re.findall(r"const \w+Table\* (\w+) =", (source / "sdk/include/assay/report.hpp").read_text())
    page = HEAD + f"\nNot in SQL, for analyzers only: {', '.join(f'`{table}`' for table in model if table not in tables)} (Nsight Systems).\n"
    for table, schema in tables.items():
        page += f"\n## {table}\n\n| column | type | unit | meaning | filled by | example |\n|---|---|---|---|---|---|\n"
        for column, of in schema["properties"].items():
            cells = [f"`{column}`", of.get("type", [""])[0], of.get("unit", ""), of["description"], of["filled_by"], examples.get((table, column), "")]
            page += "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
    return page, wrong


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    assay, source, update = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), "--update" in sys.argv
    archive = source / "examples/vit_h200_excerpt.tar.xz"
    if not archive.exists():
        print(f"{archive} is not there: the examples cannot be measured again")
        sys.exit(77)
    failed = False
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        with tarfile.open(archive) as packed:
            packed.extractall(scratch / "vit_h200", filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(scratch / "vit_h200")
        profiles = {"vit_h200": scratch / "vit_h200", "attention_h200": source / "examples/attention_h200", "made": scratch / "made"}
        profiles["made"].mkdir()
        with sqlite3.connect(profiles["made"] / "handmade.sqlite") as export:
            export.executescript((source / "tests/plugins/handmade/export.sql").read_text())
        (profiles["made"] / "two_ranks.json").write_text(TWO_RANKS)
        examples = measured(assay, source, profiles, scratch)
        columns, wrong = columns_page(assay, source, profiles)
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
    for line in wrong:
        print(line)
        failed = True
    reference = subprocess.run([assay, "explain", "--reference"], check=True, capture_output=True, text=True).stdout
    for name, made in [("docs/metrics.md", reference), ("docs/columns.md", columns)]:
        page = source / name
        if update:
            page.write_text(made)
        elif not page.exists() or made != page.read_text():
            print(f"{name} is not what the program says; tests/guide/explain_docs.py --update writes it")
            failed = True
    sys.exit(1 if failed else 0)


main()
