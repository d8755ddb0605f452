#!/usr/bin/env python3
"""One understanding of what was named: every command finds the same profiles, jobs, ranks, steps and counts.

    ASSAY_DATA=... understanding.py ASSAY

40 inputs: a pair of real traces whose rank 1 is late under the names of seven tools, each as a folder, as files and as a
glob; cases of other people, processes of one export, public profiles, rocpd, links, "~", names that are not UTF-8, a name
in two folders, a result. What the files state is read from them here, by gzip and json (of databases, by sqlite3).
Inputs whose data are not there are skipped and counted.
"""
import collections
import csv
import gzip
import io
import json
import lzma
import os
import re
import shutil
import sqlite3
import statistics
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
QUESTION = """[question]
id = "q"
title = "q"
text = "What ran?"
answered_by = ["run_summary"]
[results]
files = []
[analyzers.run_summary]
"""
failures, skipped, checked = [], [], 0


def check(holds, what):
    if not holds:
        failures.append(what)


def run(assay, *words, where, code=0):
    """What was printed; a failure where it ends otherwise."""
    done = subprocess.run([assay, *map(os.fsencode, words)], cwd=where, capture_output=True,
                          env={**os.environ, "HOME": str(where)})
    out, err = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    check(code is None or done.returncode == code, f"{words}: exit {done.returncode}: {err[-300:]}")
    return out


def stated(file):
    """Rank, size of the job and number of kernels that a file states; None for what it does not."""
    if file.suffix == ".sqlite" or file.suffix == ".db":
        db = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        values = {}
        if "META_DATA_CAPTURE" in tables:
            rows = db.execute("SELECT value FROM META_DATA_CAPTURE WHERE value LIKE 'RANK=%' OR value LIKE 'WORLD_SIZE=%'")
            values = {text.split("=")[0]: text.split("=")[1].strip('"') for (text,) in rows}
        kernels = [t for t in tables if t == "CUPTI_ACTIVITY_KIND_KERNEL" or t.startswith("rocpd_kernel_dispatch_")]
        count = sum(db.execute(f'SELECT count(*) FROM "{t}"').fetchone()[0] for t in kernels)
        return values.get("RANK"), values.get("WORLD_SIZE"), count
    text = gzip.open(file) if file.suffix == ".gz" else open(file, "rb")
    document = json.load(text)
    if isinstance(document, list):
        return None, None, None
    info = document.get("distributedInfo", {})
    kernels = sum(1 for event in document["traceEvents"]
                  if event.get("ph") == "X" and event.get("cat", "").lower() == "kernel" and event.get("ts", 0) != 0)
    return (*(str(info[key]) if key in info else None for key in ("rank", "world_size")), kernels)


def section(text, title):
    """Lines of a table below its title, to the next empty line."""
    lines = text.split("\n")
    return lines[lines.index(title) + 1:lines.index("", lines.index(title))] if title in lines else []


def by_list(assay, places, where):
    rows = json.loads(run(assay, "list", "--json", *places, where=where))["result"] or []
    return {row["file"]: row for row in rows if row["report"]}


def check_commands(assay, name, places, where, truth=None):
    """Holds every command against `list`, and `list` against `truth`: rank, size of the job and kernels by file name."""
    global checked
    checked += 1
    listed = by_list(assay, places, where)
    of = lambda file, key: listed[file]["environment"].get(key, "")
    runs = {file for file in listed if listed[file]["role"] in ("profile", "rank", "capture")}
    kernels = {file: listed[file]["rows"]["kernels"] for file in runs if listed[file]["rows"]}
    for file, row in listed.items():
        rank, world, count = (truth or {}).get(Path(file).name, (None, None, None))
        check(rank is None or of(file, "rank") == rank, f"{name}: list has rank {of(file, 'rank')} of {file}, it states {rank}")
        check(world is None or of(file, "world_size") == world, f"{name}: list has size {of(file, 'world_size')} of {file}")
        check(count is None or file not in kernels or (kernels[file] or 0) == count,
              f"{name}: list has {kernels.get(file)} kernels of {file}, it has {count}")

    # The same table of list, plan and doctor.
    table = section(run(assay, "list", *places, where=where), "Understood as")
    check(table, f"{name}: list shows no understanding")
    for words in (["doctor", *places], ["plan", "q.toml", *(w for p in places for w in ("--reports", p))]):
        check(section(run(assay, *words, where=where), "Understood as") == table, f"{name}: {words[0]} shows another understanding")

    # Profiles with their jobs, ranks and kernels in SQL; of a result it asks the result.
    rows = lambda statement: list(csv.DictReader(io.StringIO(
        run(assay, "query", *places, statement, "--format", "csv", where=where))))
    of_result = (where / places[0] / "results.sqlite").exists()
    profiles = {} if of_result else {row["report"]: row for row in rows("SELECT * FROM profiles")}
    check(of_result or set(profiles) == runs | (set(profiles) - runs if any(r["role"] == "counters" for r in listed.values()) else set()),
          f"{name}: query has {sorted(profiles)}, list {sorted(runs)}")
    for file in runs & set(profiles):
        for key in ("job", "rank", "world_size", "capture"):
            check(profiles[file][key] == of(file, key), f"{name}: query has {key} {profiles[file][key]} of {file}")
    if any(kernels.values()) and not of_result:
        counted = {row["report"]: int(row["n"]) for row in rows("SELECT report, count(*) n FROM kernels GROUP BY report")}
        for file in runs:
            check(counted.get(file, 0) == (kernels.get(file) or 0), f"{name}: query counts {counted.get(file)} kernels of {file}")

    # The facts of a run, and the pages of look.
    out = where / "out"
    shutil.rmtree(out, ignore_errors=True)
    run(assay, "run", "q.toml", *(w for p in places for w in ("--reports", p)), "-o", out, "--force", where=where, code=None)
    facts = {row["report"]: row["value"] for row in csv.DictReader(open(out / "facts.csv", newline=""))
             if row["metric"] == "kernel.count"} if (out / "facts.csv").exists() else {}
    for file, value in facts.items():
        check(file in runs and int(value) == kernels[file], f"{name}: run has {value} kernels of {file}")
    page = json.loads(run(assay, "look", "--json", *places, where=where, code=None))["result"]
    if page is not None:
        parts = {part["title"]: part["rows"] for part in page["parts"]}
        for row in parts.get("Reports", []):
            check(row[0] not in facts or row[-1] == facts[row[0]], f"{name}: look has {row[-1]} kernels of {row[0]}")
        jobs = collections.Counter(of(file, "job") for file in runs if of(file, "job"))
        shown = {row[0]: int(row[1]) for row in parts.get("Jobs", []) if row[1] != "1"}  # the others of a job are elsewhere
        check(set(shown) <= set(jobs) and all(jobs[job] == count for job, count in shown.items()),
              f"{name}: look has jobs {shown}, list {dict(jobs)}")

    # Runs of a side, and their steps: those of the name that list has.
    answer = json.loads(run(assay, "compare", "--json", *sides(places), where=where, code=None))["result"]
    if answer and answer.get("pairs") and len(places) == 1:  # two results are compared otherwise
        before = answer["pairs"][0]["runs_before"]
        jobs = {of(file, "job") or file for file in runs}
        check(0 < before <= len(jobs), f"{name}: compare has {before} runs, list {len(jobs)} jobs")
    return listed


def sides(places):
    return (places[0], places[0]) if len(places) == 1 else ("--before", places[0], "--after", places[-1])


def check_pair(assay, tool, folder, where):
    files = sorted(folder.iterdir())
    truth = {file.name: stated(file) for file in files}
    check(sorted(row[0] for row in truth.values()) == ["0", "1"], f"{tool}: the data are others: {truth}")
    for places in ([folder], files, [f"{folder}/*"]):
        listed = check_commands(assay, f"{tool} {places[-1]}", places, where, truth)
        check(len({row["environment"].get("job") for row in listed.values()}) == 1, f"{tool}: {places} are several jobs")
    out = run(assay, "look", folder, where=where)
    check("straggler" in out and "rank 1" in out, f"{tool}: look names no straggler rank 1")
    again = where / f"{tool}_again"
    shutil.copytree(folder, again)
    check("one run a side" in run(assay, "compare", folder, again, where=where), f"{tool}: compare takes ranks for runs")
    check("ranks" in run(assay, "init", folder, "-o", f"{tool}.toml", where=where), f"{tool}: init sees no job")
    out = run(assay, "run", f"{tool}.toml", "--reports", folder, "-o", f"{tool}.out", where=where)
    check("is missing" not in out and "wait for rank 1" in re.sub(r"\s+", " ", out), f"{tool}: run does not name rank 1: {out[:400]}")


def check_server(assay, folder, where):
    """Two ranks of a server whose names of steps hold two numbers: rank 0 waits 450 us of each step for rank 1."""
    waits = []
    for file in sorted(folder.glob("*_rank*")):
        events = json.load(gzip.open(file))["traceEvents"]
        waits.append(statistics.mean(e["dur"] for e in events if "cross_device_reduce" in e["name"]))
    check([round(wait) for wait in waits] == [100, 55], f"server: the data are others: {waits}")
    out = re.sub(r"\s+", " ", run(assay, "look", folder, where=where))
    check("rank 1, idle/host" in out, f"server: look names no straggler: {out[:300]}")
    run(assay, "init", folder, "-o", "server.toml", where=where)
    out = re.sub(r"\s+", " ", run(assay, "run", "server.toml", "--reports", folder, "-o", "server.out", where=where))
    check("wait for rank 1" in out and "rank 0 waits 450 us" in out, f"server: run does not name rank 1: {out[:400]}")
    check("no range is a step" not in out, "server: run finds no steps where list does")


def check_namings(assay, data, where):
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


def check_places(assay, data, where):
    """The pair under places of its own: links, the home folder, bytes that are not UTF-8, one name twice, a result."""
    pair = [data / f"torch/straggler_rank{rank}.pt.trace.json.gz" for rank in (0, 1)]
    truth = {file.name: stated(file) for file in pair}
    home = where / "profiles"
    home.mkdir()
    for file in pair:
        shutil.copy(file, home)
    (where / "link").symlink_to(home)
    links = where / "links"
    links.mkdir()
    for file in pair:
        (links / file.name).symlink_to(home / file.name)
    odd = Path(os.fsdecode(os.fsencode(where) + b"/p\xff\xfe"))
    shutil.copytree(home, odd)
    for rank in (0, 1):
        (where / f"twice/node{rank}").mkdir(parents=True)
        shutil.copy(pair[rank], where / f"twice/node{rank}/trace.pt.trace.json.gz")
    for name, places in {"link": ["link"], "links": ["links"], "home": ["~/profiles"], "not UTF-8": [odd],
                         "relative": ["./profiles/../profiles"], "mixed": [home, home / pair[0].name]}.items():
        listed = check_commands(assay, name, places, where, truth)
        check(len(listed) == 2, f"{name}: {len(listed)} profiles")
    listed = check_commands(assay, "one name twice", ["twice"], where)
    check(len({row["environment"].get("job") for row in listed.values()}) == 1 and len(listed) == 2, "one name twice: no job of two")
    run(assay, "run", "q.toml", "--reports", home, "-o", "result", where=where, code=None)
    check_commands(assay, "result", ["result"], where, truth)


def unpacked(case, where):
    folder = where / f"case{case.name}"
    shutil.copytree(case, folder)
    for file in folder.rglob("*.xz"):
        file.with_suffix("").write_bytes(lzma.open(file).read())
        file.unlink()
    for file in folder.rglob("*.csv.gz"):
        file.with_suffix("").write_bytes(gzip.open(file).read())
        file.unlink()
    return folder


def check_folder(assay, name, folder, where):
    """A merged trace is of several ranks, so the one that its header states is not its own."""
    truth = {}
    for file in folder.rglob("*"):
        known = file.suffix in (".sqlite", ".db") or file.name.endswith(("trace.json", "trace.json.gz"))
        if file.is_file() and known and file.stat().st_size < 20 << 20 and not file.name.startswith("merged-"):
            try:
                truth[file.name] = stated(file)
            except (ValueError, KeyError, OSError, sqlite3.Error):
                pass  # damaged, or another tool's
    check_commands(assay, name, [folder], where, truth)


def main():
    data = Path(os.environ.get("ASSAY_DATA") or "/nowhere")
    assay = os.fsencode(Path(sys.argv[1]).resolve())
    if not data.is_dir():
        print("skipped: ASSAY_DATA is not set")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch)
        (where / "q.toml").write_text(QUESTION)
        there = lambda name: (data / name).is_dir() or skipped.append(name)
        if there("ddp"):
            check_namings(assay, data / "ddp", where)
            check_places(assay, data / "ddp", where)
            check_folder(assay, "ddp", data / "ddp/torch", where)
        if there("cases"):
            for case in ("05", "15", "17", "18", "22", "25", "28", "34"):
                check_folder(assay, f"case {case}", unpacked(data / "cases" / case, where), where)
            check_server(assay, where / "case05", where)
        for name in ("visible", "public/torch", "rocpd", "parallel", "inference/sglang_decode"):
            if there(name):
                check_folder(assay, name, data / name, where)
    for failure in failures:
        print(failure)
    print(f"{checked} inputs, {len(failures)} failures, skipped: {', '.join(skipped) or 'none'}")
    return 1 if failures else 0


sys.exit(main())
