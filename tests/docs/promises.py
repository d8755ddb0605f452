#!/usr/bin/env python3
"""promises.py ASSAY SOURCE: what README.md, docs and --help promise, held against real data: each promise is a function, named by where it
stands. (The claim of docs/question.md: tests/program/run/written_claims_test.cpp; pages on a phone: tests/slow/html.) ASSAY_DATA and
ASSAY_EXAMPLES name the data; exit 77 without them."""
import contextlib
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

ASSAY, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
DATA, EXAMPLES = (pathlib.Path(os.environ.get(name, "/nonexistent")) for name in ("ASSAY_DATA", "ASSAY_EXAMPLES"))
SERVE, STEP = DATA / "serve/graph_level", DATA / "step/nsys"


def assay(*words, codes=(0,), **more):
    done = subprocess.run([ASSAY, *map(str, words)], capture_output=True, text=True, check=False, **more)
    assert done.returncode in codes, (words, done.returncode, done.stderr[-500:])
    return done


def document(*words, **more):
    return json.loads(assay(*words, "--json", **more).stdout)


def sums(folder):
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.rglob("*") if file.is_file()}


def side(folder, pattern, name):
    folder.mkdir()
    for number, file in enumerate(sorted(STEP.glob(pattern)), 1):
        shutil.copy(file, folder / name.format(number))
    return folder


def readme_same_bytes_and_profiles_unchanged(folder):
    shutil.copytree(EXAMPLES / "rq3_compilation_optimization", folder / "profiles")
    before = sums(folder / "profiles")
    for jobs in (1, 2):
        assay("run", SOURCE / "configs/rq3_compilation.toml", "--reports", folder / "profiles", "-o", folder / f"out{jobs}", f"-j{jobs}", "--no-cache", "-q")
    one, two = (sums(folder / f"out{jobs}") for jobs in (1, 2))
    assert {name for name in one if one[name] != two[name]} <= {"run.json"} and one.keys() == two.keys()
    assert sums(folder / "profiles") == before


def readme_not_captured_is_not_zero(folder):
    for name, statement in (("empty", "DELETE FROM"), ("gone", "DROP TABLE")):
        shutil.copy(STEP / "gpubound_base_block1.sqlite", folder / f"{name}.sqlite")
        with contextlib.closing(sqlite3.connect(folder / f"{name}.sqlite")) as db, db:
            db.execute(f"{statement} CUPTI_ACTIVITY_KIND_MEMCPY")
    rows = {row["file"]: row["rows"] for row in document("list", folder)["result"]}
    assert (rows["empty.sqlite"]["copies"], rows["gone.sqlite"]["copies"]) == (0, None), rows


def readme_graph_launches_are_counted(folder):
    with contextlib.closing(sqlite3.connect(SERVE / "graph_bs1.sqlite")) as db:
        graphs = db.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE").fetchone()[0]
    assert document("list", SERVE / "graph_bs1.sqlite")["result"][0]["rows"]["graphs"] == graphs > 0


def readme_compares_only_what_is_alike(folder):
    answer = document("compare", SERVE / "eager_bs1.sqlite", STEP / "step_base_block1.sqlite", codes=(0, 2, 3, 4))
    assert not re.search(r"[0-9.]+x (faster|slower)", answer["result"]["headline"]), answer["result"]["headline"]
    (folder / "two").mkdir()
    for number, file in enumerate((SERVE / "eager_bs1.sqlite", STEP / "step_base_block1.sqlite"), 1):
        shutil.copy(file, folder / f"two/run{number}.sqlite")
    for command in ("whatif", "budget"):
        assay(command, folder / "two", codes=(2,))


def readme_no_verdict_of_one_run_a_side(folder):
    sides = (STEP / "gpubound_base_block1.sqlite", STEP / "gpubound_flash_block1.sqlite")
    assert re.search(r"[0-9.]+x faster\?", document("compare", *sides)["result"]["headline"])
    assay("compare", *sides, "-o", folder / "page.html")
    page = (folder / "page.html").read_text()
    assert re.search(r"<h1[^>]*>.*?x faster\?", page, re.S)
    assay("compare", *sides, "--gate", codes=(4,))


def compare_help_repeat_runs_whatever_their_names(folder):
    for name in ("prof_{}.sqlite", "v{}.sqlite", "base-{}.sqlite"):
        with tempfile.TemporaryDirectory() as inner:
            before, after = (side(pathlib.Path(inner) / kind, f"gpubound_{kind}_*", name) for kind in ("base", "flash"))
            headline = document("compare", before, after)["result"]["headline"]
            assert re.search(r"[0-9.]+x faster .*5 \+ 5 runs", headline), (name, headline)


def compare_takes_times_without_a_profiler(folder):
    times = json.loads((DATA / "serve/unprofiled.json").read_text())
    for name in ("eager_bs1", "graph_bs1"):
        shutil.copy(SERVE / f"{name}.sqlite", folder)
    shutil.copy(DATA / "serve/unprofiled.json", folder)
    means = [statistics.mean(ms for request in times[name]["requests"] for ms in request["decode_ms"]) for name in ("eager_bs1", "graph_bs1")]
    headline = document("compare", folder / "eager_bs1.sqlite", folder / "graph_bs1.sqlite")["result"]["headline"]
    found = re.match(r"([0-9.]+)x faster without a profiler", headline)
    assert found and abs(float(found[1]) - means[0] / means[1]) < 0.005 * means[0] / means[1], (headline, means)


def budget_rows_sum_to_the_wall_clock(folder):
    for profile in (SERVE / "eager_bs1.sqlite", STEP / "step_base_block1.sqlite"):
        exact = document("budget", profile)["result"]
        assert sum(row["wall_ns"] for row in exact["rows"]) == exact["iteration"]["wall_ns"]
        printed = "\n".join(assay("budget", profile).stdout.splitlines()[3:])
        shares = [0.5 if below else float(share) for below, share in re.findall(r"(< )?([0-9.]+) %", printed)]
        assert shares.pop() == 100 and abs(sum(shares) - 100) <= len(shares) / 2, shares  # each is rounded to 1 %


def first_hour_best_of_a_folder(folder):
    tried = folder / "tried"
    tried.mkdir()
    for file in STEP.glob("gpubound_*_block[123].sqlite"):
        shutil.copy(file, tried)
    means = {}
    for file in tried.iterdir():
        with contextlib.closing(sqlite3.connect(file)) as db:
            starts = [start for start, in db.execute("SELECT start FROM NVTX_EVENTS LEFT JOIN StringIds ON textId = id WHERE coalesce(text, value) "
                                                     "GLOB 'step_[0-9]*' AND end > 0 ORDER BY 1")]
        means.setdefault(file.name.split("_")[1], []).append((starts[-1] - starts[0]) / (len(starts) - 1))
    best = min(means, key=lambda name: statistics.geometric_mean(means[name]))
    first = document("compare", tried, "--best")["result"]["ranking"][0]
    assert first["configuration"] == best and abs(first["step_ns"] / statistics.geometric_mean(means[best]) - 1) < 0.02, (first, means[best])


def profiling_names_of_ranks_only_have_to_differ(folder):
    for name, file in zip(("alpha", "host_3121"), sorted((DATA / "ddp/nsys").glob("straggler_rank*"))):
        shutil.copy(file, folder / f"{name}.sqlite")
    assert "ank 1 is slower" in assay("look", folder).stdout
    assay("whatif", folder, "--straggler", "none")
    trace = json.loads(assay("timeline", folder, "-o", "/dev/stdout").stdout)
    assert {"rank 0", "rank 1"} <= {word for event in trace["traceEvents"] if event.get("ph") == "M" for word in re.findall(r"rank \d", json.dumps(event))}


def stats_reads_traces_of_pytorch(folder):
    rows = document("stats", DATA / "step/torch/step_base.pt.trace.json.gz", "--report", "cuda_gpu_kern_sum")["result"][0]["rows"]
    with gzip.open(DATA / "step/torch/step_base.pt.trace.json.gz") as file:
        kernels = sum(event.get("cat") == "kernel" for event in json.load(file)["traceEvents"])
    assert sum(row["Instances"] for row in rows) == kernels


def compare_causes_sum_to_the_step(folder):
    assay("compare", STEP / "gpubound_base_block1.sqlite", STEP / "gpubound_flash_block1.sqlite", "-o", folder / "out")
    with contextlib.closing(sqlite3.connect(folder / "out/results.sqlite")) as db:
        found = dict(db.execute("SELECT metric, sum(value) FROM facts WHERE metric IN ('step_difference.step_ns', 'step_difference.account_ns') GROUP BY 1"))
    assert len(found) == 2 and len(set(found.values())) == 1, found


PROMISES = [readme_same_bytes_and_profiles_unchanged, readme_not_captured_is_not_zero, readme_graph_launches_are_counted, readme_compares_only_what_is_alike,
            readme_no_verdict_of_one_run_a_side, compare_help_repeat_runs_whatever_their_names, compare_takes_times_without_a_profiler,
            budget_rows_sum_to_the_wall_clock, first_hour_best_of_a_folder, profiling_names_of_ranks_only_have_to_differ, stats_reads_traces_of_pytorch,
            compare_causes_sum_to_the_step]


def main():
    if not STEP.is_dir() or not EXAMPLES.is_dir():
        print("SKIPPED: ASSAY_DATA or ASSAY_EXAMPLES names no folder")
        sys.exit(77)
    broken = 0
    for promise in PROMISES:
        with tempfile.TemporaryDirectory() as name:
            try:
                promise(pathlib.Path(name))
            except (AssertionError, LookupError, ValueError) as error:
                broken += 1
                print(f"{promise.__name__}: {error!r}")
    print(f"{len(PROMISES) - broken} of {len(PROMISES)} promises hold")
    sys.exit(1 if broken else 0)


main()
