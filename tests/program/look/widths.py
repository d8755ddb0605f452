#!/usr/bin/env python3
"""What a person sees at 80, 100, 120 and 160 columns: widths.py ASSAY. No line of look, compare, budget, whatif and history is wider, but for
one word that cannot be broken; no table is in pieces; numbers are whole and those of --wide; the last line counts the columns that were left
out, and --wide has them; headline and advice are whole. Profiles of ASSAY_DATA and ASSAY_EXAMPLES; skipped without ASSAY_DATA."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTHS = (80, 100, 120, 160)
LEAST_COMMANDS = 24  # of ASSAY_DATA alone
LEFT_OUT = re.compile(r"\+(\d+) columns?: --wide")
QUESTION = '[question]\nid = "nights"\ntitle = "How long is a step?"\n[iterations]\nnvtx = "step_{i}"\n[analyzers.run_summary]\n'


def sections_of(text):
    """Rows of each section, its heading first, by title without a unit."""
    parts = {}
    for title, *lines in (block.rstrip("\n").split("\n") for block in text.split("\n\n")[1:]):
        if title not in ("What to try", "What ran"):
            parts[re.sub(r", ([num]?s|[kMG]?B)$", "", title)] = [line for line in lines if re.match(r" {2,}[^ -]", line) and not re.match(r"  and \d", line)]
    return parts


def cells_of(line):
    return re.split(r" {2,}", line.strip())


def name_of(line):
    return match[1] if (match := re.match(r" {2,12}(\S.*?)(?: {2}|$)", line)) else ""


def is_in_pieces(names):
    """Whether the names of the rows, heading included, repeat as a whole."""
    return any(names == names[:n] * (len(names) // n) and len(set(names[:n])) > 1 for n in range(2, len(names) // 2 + 1) if len(names) % n == 0)


def numbers_of(rows):
    return {cell for line in rows for cell in cells_of(line) if re.fullmatch(r"(?:< )?[-+]?\d[\d,]*(?:\.\d+)?", cell)}


def problems_of(text, wide, width):
    """Of an answer; `wide`: the answer of --wide, empty: the command has none."""
    found, parts, whole = [], sections_of(text), sections_of(wide)
    for line in text.split("\n"):
        words = re.sub(r"'[^']*'", "'", re.sub(r"^\s*(- )?|\s\\$", "", line))
        if len(line) > width and " " in words:
            found.append(f"{len(line)} characters: {line}")
    for block in text.split("\n\n")[:1] + [block for block in text.split("\n\n") if block.startswith("What to try")]:
        if re.search(r"\.{3}|…", re.sub(r"'[^']*'|\S*/\S*", "", block)):
            found.append(f"not whole: {block}")
    for title, rows in parts.items():
        found += [f"in pieces: {title}"] if is_in_pieces([name_of(line) for line in rows]) else []
        found += [f"cut number: {line}" for line in rows for cell in cells_of(line) if re.fullmatch(r"[-+]?[\d.,]*\d(\.{3}|…)\W*", cell)]
        found += [f"{number} is not in --wide: {title}" for number in numbers_of(rows) - numbers_of(whole.get(title, rows))]
    said = int(match[1]) if (match := LEFT_OUT.fullmatch(text.rstrip("\n").split("\n")[-1])) else 0
    if wide and (match := LEFT_OUT.search(wide)):
        found.append(f"--wide leaves out columns: {match[0]}")
    if wide and list(parts) == list(whole):  # else sections stand side by side in one
        tables = [title for title in parts if parts[title] and whole[title]]
        gone = sum(len(cells_of(whole[title][0])) - len(cells_of(parts[title][0])) for title in tables)
        if not gone <= said <= gone + sum(not name_of(whole[title][0]) for title in tables):  # columns without a name
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
    (work / "q.toml").write_text(QUESTION)
    for night, file in enumerate(base[:4] + flash[:4]):
        folder = link(work / f"profiles/{night}", file)
        subprocess.run([assay, "run", work / "q.toml", "--reports", folder, "-q", "-o", work / f"nights/{night}"], check=True)
    one, two, three, four = step / "step_base_block1.sqlite", step / "step_flash_block1.sqlite", serve / "eager_bs1.sqlite", serve / "graph_bs1.sqlite"
    files = ("levers/levers/torch/attention_before.pt.trace.json.gz", "ops/ops.pt.trace.json.gz", "ops/ops_full.ncu-rep", "rocpd/bmm_21.db", "jax/f32.xplane.pb",
             "memory/leak.pickle", "serve", "step/nsys")
    jobs = [link(work / name, *sorted(data.glob(files))) for name, files in (("stages", "parallel/pp_slow2*"), ("experts", "parallel/moe_hot*"), ("job", "ddp/nsys/straggler*"))]
    looked = [one, three, *(data / file for file in files), *jobs]
    compared = [(one, two), (three, four), (link(work / "before", *base), link(work / "after", *flash)), (data / "memory/base.pickle", data / "memory/leak.pickle"),
                (step, "--best"), (work / "nights/0", work / "nights/7")]
    if examples:
        looked += [examples / name for name in ("rq1_model_architecture_impact", "rq5_pipeline_design", "torch")]
        compared += [(examples / "rq3_compilation_optimization", "--by", "compiled=uncompiled"), (examples / "rq3_compilation_optimization",)]
    return [*(("look", file) for file in looked), *(("compare", *sides) for sides in compared), ("budget", one), ("budget", three), ("whatif", one),
            ("whatif", one, "--remove", "sync"), ("whatif", three), ("history", work / "nights")]


def answer(words, width):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": str(width)})
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr:.{width}}" + " -" * width


def main():
    data, examples = os.environ.get("ASSAY_DATA"), os.environ.get("ASSAY_EXAMPLES")
    if not data:
        print("skipped: ASSAY_DATA is not set")
        return 77
    failures = ran = 0
    with tempfile.TemporaryDirectory() as name:
        for words in commands_of(sys.argv[1], Path(data), Path(examples) if examples else None, Path(name)):
            ran += 1
            for width in WIDTHS:
                wide = answer([sys.argv[1], *words, "--wide"], width) if words[0] in ("look", "compare", "budget") else ""
                for problem in problems_of(answer([sys.argv[1], *words], width), wide, width):
                    failures += 1
                    print(f"{' '.join(map(str, words))} at {width}: {problem}")
    print(f"{ran} commands at {len(WIDTHS)} widths, {failures} failures")
    return 1 if failures or ran < LEAST_COMMANDS else 0


sys.exit(main())
