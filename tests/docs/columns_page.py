#!/usr/bin/env python3
"""The page of columns: columns_page.py ASSAY SOURCE [FILE].

It is `assay schema tables` with a value from the bundled profiles for each column; FILE gets it (`./dev dist` makes it
part of releases). A column that a profiler fills without saying so is a failure. Exit 77: no profiles."""
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tarfile
import tempfile

# Format, folder, profile, options: together they fill every table. Made ones come last, so that measured values win.
PROFILES = [
    ("nsys", "vit_h200", "attention/gpu0_numa0_vit16x12x768_attn_224px.sqlite", "--iterations test_vit_forward_{i} --window test_double_buffer"),
    ("nsys", "vit_h200", "transformer/small_training_step_ctx512.sqlite", ""),
    ("nsys", "vit_h200", "rq3_compilation_optimization/gpu0_numa0_vit16x6x384_compiled_max-autotune.sqlite", ""),
    ("torch", "vit_h200", "torch/vit_eval_fp16.pt.trace.json.gz", ""),
    ("torch", "attention_h200", ".", ""),
    ("nsys", "made", "handmade.sqlite", ""),
    ("torch", "made", "two_ranks.json", ""),
]
# One NCCL kernel and one send in a truncated trace: rows for `collectives`, `messages` and `issues`.
TWO_RANKS = """{"schemaVersion": 1, "distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 9, "tid": 9, "ts": 290, "dur": 5, "args":
 {"External id": 3, "Collective name": "send", "Dst Rank": 1, "In msg nelems": 1048576, "dtype": "BFloat16",
  "Process Group Ranks": "[0, 1]"}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "pid": 0, "tid": 7, "ts": 300, "dur": 5, "args":
 {"device": 0, "stream": 7, "correlation": 4, "Collective name": "allreduce", "In msg nelems": 1048576, "Out msg nelems": 1048576,
  "Group size": 2, "dtype": "BFloat16", "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "Seq": 8}},
"""
LONGEST = 60  # characters of an example
ROW_NUMBER = "row number; other tables refer to it"
HEAD = """# Columns of profiles

For users of [SQL](query.md) and authors ([the report model](../sdk/reference.md#the-report-model)): every table and column of a profile, and the
formats that fill it (`assay describe FORMAT`). The example is the first value other than 0, cut off after 60 characters, from the bundled profiles of an H200 or,
marked "made", from a profile written by hand for tests. A column without an example is empty in all of them; no database of rocprofv3
(rocpd) is bundled. Made from `assay schema tables`.
"""


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
    """The page, and the columns that a profiler fills although `filled by` does not name it."""
    tables = json.loads(subprocess.run([assay, "schema", "tables"], check=True, capture_output=True).stdout)["$defs"]
    examples, wrong = {}, []
    for profiler, folder, file, options in PROFILES:
        for table, row in example_rows(assay, folders[folder], file, options.split()):
            word = "ncu" if table in ("profiled", "counters") else profiler
            for column, value in row.items():
                if value is None:
                    continue
                text = " ".join(str(value).split())
                text = text if len(text) <= LONGEST else text[:LONGEST] + "..."
                examples.setdefault((table, column), f"`{text}` ({word}{', made' if folder == 'made' else ''})")
                filled_by = tables[table]["properties"][column]["filled_by"]
                if re.search("nsys|torch|ncu", filled_by) and word not in filled_by.split(", "):
                    wrong.append(f"{table}.{column} is filled by '{filled_by}', and {file} of {word} has {text}")
    model = re.findall(r"const \w+Table\* (\w+) =", (source / "sdk/include/assay/report.hpp").read_text())
    without_id = ", ".join(f"`{table}`" for table, schema in tables.items() if "id" not in schema["properties"])
    page = HEAD + f"""
Every table also has `report`, the path of the profile, and `id`, the row number that other tables refer to (not {without_id}).
Not in SQL, for analyzers only: {', '.join(f'`{table}`' for table in model if table not in tables)} (nsys).

| column | type | unit | meaning | filled by | example |
|---|---|---|---|---|---|
"""
    for table, schema in tables.items():
        page += f'| <a id="{table}"></a>**{table}** | | | | | |\n'
        for column, of in schema["properties"].items():
            if column == "report" or (column == "id" and of["description"] == ROW_NUMBER):
                continue
            cells = [f"`{column}`", of.get("type", [""])[0], of.get("unit", ""), of["description"], of["filled_by"], examples.get((table, column), "")]
            page += "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
    return page, wrong


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    assay, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    to = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
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
            export.executescript((source / "tests/plugins/nsys_stats/handmade/export.sql").read_text())
        (profiles["made"] / "two_ranks.json").write_text(TWO_RANKS)
        columns, wrong = columns_page(assay, source, profiles)
    for line in wrong:
        print(line)
        failed = True
    if columns.count("\n") < 100:
        print("the page has hardly a column")
        failed = True
    if to is not None:
        to.write_text(columns)
    sys.exit(1 if failed else 0)


main()
