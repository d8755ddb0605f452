#!/usr/bin/env python3
"""skill.py ASSAY SOURCE: thirteen questions about the shared data, answered from what the server of the Model Context Protocol says and nothing
else. Which tool is asked is looked up in the table of SKILL.md, by the words of the question. What is right is computed from the files in
Python, or was planted in them. ASSAY_DATA names the data; exit 77 without them."""
import gzip
import json
import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import sys
import tempfile

from client import Client, inside

DATA = pathlib.Path(os.environ.get("ASSAY_DATA", ""))
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"


def rows(file, sql):
    with sqlite3.connect(f"file:{DATA / file}?mode=ro", uri=True) as database:
        return database.execute(sql).fetchall()


def steps(file):
    return rows(file, "SELECT start, end FROM NVTX_EVENTS LEFT JOIN StringIds ON textId = id WHERE coalesce(text, value) GLOB 'step_[0-9]*' AND end > 0 ORDER BY start")


def busy(file):
    """ns of kernels in the mean step: of each instant one, as far as the last work of the step."""
    kernels = rows(file, f"SELECT start, end FROM {KERNELS} ORDER BY start")
    total, reach = 0, 0
    found = steps(file)
    for start, end in kernels:
        start = max(start, reach)
        if end > start and found[0][0] <= start:
            total += end - start
        reach = max(reach, end)
    return total / len(found)


def period(files):
    """ns from one step to the next, the median of each file, their mean."""
    return statistics.mean(statistics.median(b[0] - a[0] for a, b in zip(steps(f), steps(f)[1:])) for f in files)


def median_range(file, name):
    return statistics.median(end - start for start, end in rows(file, f"SELECT start, end FROM NVTX_EVENTS LEFT JOIN StringIds ON textId = id WHERE coalesce(text, value) = '{name}' AND end > 0"))


def kernels_of_trace(file):
    with gzip.open(DATA / file) as text:
        return sum(event.get("cat") == "kernel" for event in json.load(text)["traceEvents"])


def near(most):
    return lambda said, right: abs(float(said) - right) <= most * abs(right)


def equal(said, right):
    return str(said) == str(right)


def blocks(kind, variant):
    return sorted(str(p.relative_to(DATA)) for p in (DATA / "step/nsys").glob(f"{kind}_{variant}_block*.sqlite"))


def in_words(said, right):
    return right in re.findall(r"\d+", said)


def cell_of(column):
    """The first cell of a column of the page of `look`."""
    def find(text):
        part = next(part for part in json.loads(text)["result"]["parts"] if column in part["columns"])
        return part["rows"][0][part["columns"].index(column)]
    return find


def questions(root):
    """(question, arguments, how the answer is found in the text, what is right, when they agree)."""
    one, other = "step/nsys/gpubound_base_block1.sqlite", "step/nsys/gpubound_flash_block1.sqlite"
    for variant in ("base", "flash"):
        (root / variant).mkdir()
        for file in blocks("gpubound", variant):
            shutil.copy(DATA / file, root / variant)
    for name, files in (("straggler", "ddp/nsys/straggler_rank*"), ("slow", "parallel/pp_slow2_rank*"), ("hot", "parallel/moe_hot_rank*")):
        (root / name).mkdir()
        for file in DATA.glob(files):
            shutil.copy(file, root / name)
    for file in (one, other, "memory/leak.pickle", "ddp/torch/overlap_rank0.pt.trace.json.gz"):
        shutil.copy(DATA / file, root)
    profile, flash = pathlib.Path(one).name, pathlib.Path(other).name
    by_json = lambda pick: lambda text: pick(json.loads(text)["result"])
    by_words = lambda pattern: lambda text: re.search(pattern, text)[1]
    sum_of = lambda part: by_json(lambda result: sum(row["wall_ns"] for row in result["rows"] if row["part"] == part))
    top = rows(one, f"SELECT value, sum(end - start) FROM {KERNELS} JOIN StringIds ON demangledName = id GROUP BY 1 ORDER BY 2 DESC LIMIT 1")[0]
    return [
        ("What does one training iteration consist of: how many ns are kernels?", {"path": profile}, sum_of("kernels"), busy(one), near(0.01)),
        ("What does an iteration consist of: does it add up?", {"path": profile},
         by_json(lambda result: sum(row["wall_ns"] for row in result["rows"]) - result["iteration"]["wall_ns"]), 0, equal),
        ("Which range takes the time of backward, as a median in ns?", {"path": profile},
         by_json(lambda result: next(row["median_ns"] for row in result if row["path"].endswith("/backward"))), median_range(one, "backward"), near(0)),
        ("What changed between these two profiles, and is it confirmed?", {"before": profile, "after": flash}, by_words("(one run a side)"), "one run a side", equal),
        ("Is flash really faster, by which factor?", {"before": "base", "after": "flash"}, by_words(r"([0-9.]+)x faster"),
         period(blocks("gpubound", "base")) / period(blocks("gpubound", "flash")), near(0.05)),
        ("What would overlapping the copy gain: how long is the step then?", {"path": profile, "overlap": ["copy:h2d"]},
         by_json(lambda result: result[0]["after_ns"]), period(blocks("gpubound", "pinned")), near(0.05)),
        ("Which rank do the others wait for?", {"path": "straggler"}, by_words(r"(?i)(rank \d+) is slower"), "Rank 1", equal),
        ("Which stage of the pipeline do the others wait for?", {"path": "slow"}, by_words(r"(?i)(stage \d+) computes \d+ % more"), "Stage 2", equal),
        ("Which rank of the experts is hot, that others wait for?", {"path": "hot"}, cell_of("hot rank"), "2", in_words),
        ("What fills the memory: how many bytes at the peak?", {"path": "leak.pickle"}, by_words(r"\((\d+) bytes\)"),
         max(one["allocated_bytes.all.peak"] for one in json.loads((DATA / "memory/truth.json").read_text())["leak"]), equal),
        ("The tables of nsys stats: which kernel has most time, and how much?", {"path": profile, "report": "cuda_gpu_kern_sum"},
         by_json(lambda result: (result[0]["rows"][0]["Name"], result[0]["rows"][0]["Total Time (ns)"])), top, equal),
        ("Anything else: how many bytes went to the device?", {"path": profile, "sql": "SELECT sum(bytes) AS n FROM copies WHERE direction = 'h2d'"},
         by_json(lambda result: result[0]["n"]), rows(one, "SELECT sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 1")[0][0], equal),
        ("What is in this folder: how many kernels has the trace?", {"path": "."},
         by_json(lambda result: next(row["rows"]["kernels"] for row in result if row["file"] == "overlap_rank0.pt.trace.json.gz")),
         kernels_of_trace("ddp/torch/overlap_rank0.pt.trace.json.gz"), equal),
    ]


def words(text):
    return set(re.findall(r"[a-z]{2,}", text.lower()))


def tool_for(question, skill):
    """The command of the row of SKILL.md whose question has most words of this one."""
    table = re.findall(r"^\| ([^|]+) \| (`assay [^|]+) \|", skill.split("## What not to conclude")[0], re.M)
    row = max(table, key=lambda row: (len(words(row[0]) & words(question)), -len(words(row[0]))))
    return (re.search(r"MCP: `(\w+)`", row[1]) or re.match(r"`assay (\w+)", row[1]))[1]


def main():
    assay, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    if not (DATA / "step/nsys").is_dir() or not (DATA / "parallel").is_dir():
        print("SKIPPED: ASSAY_DATA names no folder with step, ddp, parallel and memory")
        sys.exit(77)
    skill = (source / "packaging/skill/SKILL.md").read_text()
    hits = 0
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve()
        asked = questions(root)
        client = Client(assay, "--root", root)
        for question, arguments, find, right, agree in asked:
            tool = tool_for(question, skill)
            answer = client.call(tool, arguments)
            text = inside(answer["result"]["content"][0]["text"]) if "result" in answer else json.dumps(answer)
            try:
                said = find(text)
                hit = agree(said, right)
            except (AttributeError, KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
                said, hit = f"no answer ({error!r}) in {text[:300]}", False
            hits += hit
            print(f"{'hit ' if hit else 'MISS'} {tool}: {question} said {said}, right {right}")
        assert client.close() == 0
    print(f"{hits} of {len(asked)}")
    sys.exit(0 if hits == len(asked) else 1)


main()
