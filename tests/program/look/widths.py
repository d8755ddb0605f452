#!/usr/bin/env python3
"""Answers at 80, 100, 120 and 160 columns: widths.py ASSAY. No line is wider, but for a word that cannot be broken; no table is in pieces; numbers
are whole and those of --wide, which has the columns that the last line counts; headline and advice are whole. Without ASSAY_DATA skipped."""
import itertools
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WIDTHS, LEFT_OUT = (80, 100, 120, 160), re.compile(r"\+(\d+) columns?: --wide")


def sections_of(text):
    """Rows of each section, its heading first, by title without a unit."""
    parts = {}
    for title, *lines in (block.rstrip("\n").split("\n") for block in text.split("\n\n")[1:]):
        is_pairs = title == "What ran" and not re.fullmatch(r"  device\D+", lines[0])
        if not is_pairs and not title.startswith(("What to try", "+")):
            rows = itertools.takewhile(lambda line: not re.match(r"  (- |and \d)|\S", line), lines)
            parts[re.sub(r", ([num]?s|[kMG]?B)$", "", title)] = list(rows)
    return parts


def cells_of(line):
    return re.split(r" {2,}", line.strip())


def name_of(line):
    return match[1] if (match := re.match(r" {2,12}(\S.*?)(?: {2}|$)", line)) else ""


def problems_of(text, wide, width):
    """Of an answer; `wide`: the answer of --wide, empty: the command has none."""
    parts, whole = sections_of(text), sections_of(wide)
    words = {line: re.sub(r"'[^']*'", "'", re.sub(r"^\s*(- )?|\s\\$", "", line)) for line in text.split("\n")}
    found = [f"{len(line)} characters: {line}" for line in words if len(line) > width and " " in words[line]]
    spoken = [block for place, block in enumerate(text.split("\n\n")) if place == 0 or block.startswith("What to try")]
    found += [f"not whole: {block}" for block in spoken if re.search(r"\.{3}|…", re.sub(r"'[^']*'|\S*/\S*", "", block))]
    for title, rows in parts.items():
        names = [name_of(line) for line in rows]  # of a table in pieces they repeat, that of the heading included
        found += [f"in pieces: {title}"] if any(names == names[:n] * (len(names) // n) and len(set(names[:n])) > 1 for n in range(2, len(names) // 2 + 1)) else []
        found += [f"cut number: {line}" for line in rows for cell in cells_of(line) if re.fullmatch(r"[-+]?[\d.,]*\d(\.{3}|…)\W*", cell)]
        here, there = ({cell for line in lines for cell in cells_of(line) if re.fullmatch(r"(< )?[-+]?\d[\d,]*(\.\d+)?", cell)} for lines in (rows, whole.get(title, rows)))
        found += [f"{number} is not in --wide: {title}" for number in here - there]
    said = int(match[1]) if (match := LEFT_OUT.fullmatch(text.rstrip("\n").split("\n")[-1])) else 0
    found += [f"--wide leaves out columns: {match[0]}" for match in LEFT_OUT.finditer(wide)]
    if wide and list(parts) == list(whole):  # else sections stand side by side in one
        tables = [title for title in parts if parts[title] and whole[title]]
        gone = sum(len(cells_of(whole[title][0])) - len(cells_of(parts[title][0])) for title in tables)
        unnamed = sum(max(len(cells_of(line)) for line in whole[title]) > len(cells_of(whole[title][0])) + (not name_of(whole[title][0])) for title in tables)
        if not gone <= said <= gone + unnamed:
            found.append(f"{gone} columns are gone, the last line says {said}")
    return found


def link(folder, *files):
    folder.mkdir(parents=True)
    for number, file in enumerate(files, 1):
        (folder / f"run{number}{''.join(file.suffixes)}").symlink_to(file)
    return folder


def commands_of(assay, data, examples, work):
    step, serve = data / "step/nsys", data / "serve/graph_level"
    base, flash = (sorted(step.glob(f"gpubound_{kind}_block*.sqlite")) for kind in ("base", "flash"))
    (work / "q.toml").write_text('[question]\nid = "nights"\ntitle = "How long is a step?"\n[iterations]\nnvtx = "step_{i}"\n[analyzers.run_summary]\n')
    for night, file in enumerate(base[:4] + flash[:4]):
        subprocess.run([assay, "run", work / "q.toml", "--reports", link(work / f"profiles/{night}", file), "-q", "-o", work / f"nights/{night}"], check=True)
    one, two = (step / f"step_{kind}_block1.sqlite" for kind in ("base", "flash"))
    three, four = (serve / f"{kind}_bs1.sqlite" for kind in ("eager", "graph"))
    files = "levers/levers/torch/attention_before.pt.trace.json.gz ops/ops.pt.trace.json.gz ops/ops_full.ncu-rep rocpd/bmm_21.db jax/f32.xplane.pb memory/leak.pickle serve"
    jobs = [link(work / name, *sorted(data.glob(files))) for name, files in (("stages", "parallel/pp_slow2*"), ("experts", "parallel/moe_hot*"), ("job", "ddp/nsys/straggler*"), ("steps", "step/nsys/step_*_block[12]*"))]
    looked = [one, three, *(data / file for file in files.split()), *jobs]
    compared = [(one, two), (three, four), (link(work / "before", *base), link(work / "after", *flash)), (data / "memory/base.pickle", data / "memory/leak.pickle"),
                (step, "--best"), (work / "nights/0", work / "nights/7")]
    if examples:
        looked += [examples / name for name in ("rq1_model_architecture_impact", "rq5_pipeline_design", "torch")]
        compared += [(examples / "rq3_compilation_optimization", "--by", "compiled=uncompiled"), (examples / "rq3_compilation_optimization",)]
    words = [*(("look", file) for file in looked), *(("compare", *sides) for sides in compared), ("budget", one), ("budget", three), ("whatif", one),
             ("whatif", one, "--remove", "sync"), ("whatif", three), ("history", work / "nights")]
    return [(assay, *rest) for rest in words]


def answer(words, width):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": str(width)})
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr:.{width}}" + " -" * width


def failures_of(words):
    wide = {width: answer([*words, "--wide"], width) if words[1] in ("look", "compare", "budget") else "" for width in WIDTHS}
    return [f"{' '.join(map(str, words[1:]))} at {width}: {problem}" for width in WIDTHS for problem in problems_of(answer(words, width), wide[width], width)]


def main():
    data, examples = os.environ.get("ASSAY_DATA"), os.environ.get("ASSAY_EXAMPLES")
    if not data:
        print("skipped: ASSAY_DATA is not set")
        return 77
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(4) as pool:
        commands = commands_of(sys.argv[1], Path(data), Path(examples) if examples else None, Path(name))
        found = [problem for problems in pool.map(failures_of, commands) for problem in problems]
    print("\n".join([*found, f"{len(commands)} commands at {len(WIDTHS)} widths, {len(found)} failures"]))
    return 1 if found or len(commands) < 24 else 0  # as many are of ASSAY_DATA alone


sys.exit(main())
