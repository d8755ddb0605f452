#!/usr/bin/env python3
"""One understanding of what was named: each command finds the same profiles, jobs and ranks under every name.

    ASSAY_DATA=... understanding.py ASSAY

The pair of real traces whose rank 1 is late is copied under the names of seven tools. What the files state is read from
them here, by gzip and json (of an export, by sqlite3).
"""
import csv
import gzip
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

NAMINGS = {
    "torchtune": ("rank0_trace.pt.trace.json.gz", "rank1_trace.pt.trace.json.gz"),
    "TensorRT-LLM": ("trace-rank-0.pt.trace.json.gz", "trace-rank-1.pt.trace.json.gz"),
    "PyTorch": ("node01_4711.1698925322189.pt.trace.json.gz", "node01_4712.1698925322204.pt.trace.json.gz"),
    "vLLM": ("dp0_pp0_tp0_dcp0_ep0_rank0.1773709742341309550.pt.trace.json.gz",
             "dp0_pp0_tp1_dcp0_ep1_rank1.1773709742341309551.pt.trace.json.gz"),
    "SGLang": ("1763-TP-0-DP-0-PP-0-EP-0.trace.json.gz", "1763-TP-1-DP-0-PP-0-EP-0.trace.json.gz"),
    "Megatron": ("megatron-exp[a]-rank[0].pt.trace.json.gz", "megatron-exp[a]-rank[1].pt.trace.json.gz"),
    "nsys": ("profile_31001.sqlite", "profile_31002.sqlite"),
}
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def stated_rank(file):
    if file.suffix == ".sqlite":
        rows = sqlite3.connect(file).execute("SELECT value FROM META_DATA_CAPTURE WHERE value LIKE 'RANK=%'").fetchall()
        return rows[0][0].split("=")[1].strip('"')
    return str(json.load(gzip.open(file))["distributedInfo"]["rank"])


def run(assay, *words, where):
    done = subprocess.run([assay, *map(str, words)], cwd=where, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def rows_of(assay, statement, places, where):
    code, out, err = run(assay, "query", *places, statement, "--format", "csv", where=where)
    check(code == 0, f"query {places}: {err}")
    return list(csv.DictReader(io.StringIO(out)))


def check_pair(assay, tool, folder, where):
    files = sorted(folder.iterdir())
    truth = {file.name: stated_rank(file) for file in files}
    check(sorted(truth.values()) == ["0", "1"], f"{tool}: the data are others: {truth}")
    for places in ([folder], files, [f"{folder}/*"], [files[0], folder]):
        profiles = rows_of(assay, "SELECT * FROM profiles", places, where)
        found = {Path(row["report"]).name: row["rank"] for row in profiles}
        check(found == truth, f"{tool}: query {places} finds ranks {found}, the files state {truth}")
        check(len({row["job"] for row in profiles}) == 1, f"{tool}: query {places} finds several jobs")
        code, out, err = run(assay, "list", "--json", *places, where=where)
        rows = [row for row in json.loads(out)["result"] or [] if row["report"]]
        listed = {Path(row["file"]).name: row["environment"].get("rank") for row in rows}
        check(code == 0 and listed == truth, f"{tool}: list {places} finds {listed}")
    code, out, err = run(assay, "look", folder, where=where)
    check(code == 0 and re.search(r"straggler", out) and "rank 1" in out, f"{tool}: look names no straggler rank 1")
    code, out, err = run(assay, "compare", folder, where / "other", where=where)
    check("one run per side" in out, f"{tool}: compare takes ranks for runs: {out[:200]}")
    code, out, err = run(assay, "init", folder, "-o", f"{tool}.toml", where=where)
    check("The ranks of one job" in out, f"{tool}: init does not see one job: {out[-300:]}{err}")
    code, out, err = run(assay, "run", f"{tool}.toml", "--reports", folder, "-o", f"{tool}.out", where=where)
    check(code == 0 and "is missing" not in out and re.search(r"wait for rank 1", re.sub(r"\s+", " ", out)),
          f"{tool}: run does not name rank 1: {out[:400]}{err}")


def main():
    data = Path(os.environ.get("ASSAY_DATA", "")) / "ddp"
    if not data.is_dir():
        print("skipped: ASSAY_DATA has no ddp")
        return 77
    assay = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch)
        (where / "other").mkdir()
        for rank in (0, 1):
            shutil.copy(data / f"torch/overlap_rank{rank}.pt.trace.json.gz", where / "other")
        for tool, names in NAMINGS.items():
            folder = where / f"{tool}_files"
            folder.mkdir()
            for rank, name in enumerate(names):
                kind = "nsys/straggler_rank{}.sqlite" if name.endswith(".sqlite") else "torch/straggler_rank{}.pt.trace.json.gz"
                shutil.copy(data / kind.format(rank), folder / name)
            check_pair(assay, tool, folder, where)
    for failure in failures:
        print(failure)
    print(f"{len(NAMINGS)} namings, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
