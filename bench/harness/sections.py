"""What is measured: each function returns a table for people and adds its figures."""

import json
import math
import os
import pathlib
import shutil
import sqlite3
import sys
import statistics
import tempfile
import time
import urllib.parse

from .figures import Figure, Table, millions, spread, times
from .programs import google_benchmark, run_often, run_once

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/support"))
from real_data import real_data  # noqa: E402

NINE_REPORTS = ("cuda_gpu_kern_sum,cuda_api_sum,cuda_gpu_mem_time_sum,nvtx_sum,nvtx_gpu_proj_sum,nvtx_kern_sum,"
                "cuda_kern_exec_sum,gpu_gaps,gpu_time_util")
RANGE_REPORTS = "nvtx_sum,nvtx_gpu_proj_sum"
MEBI = 2**20


class Bench:
    """Where the programs are, how often to run them, and the figures so far."""

    def __init__(self, build, exports, processes, repetitions):
        self.build, self.exports = build, exports
        self.processes, self.repetitions = processes, repetitions
        self.figures = []

    def program(self, name):
        return self.build / "bin" / name

    def add(self, name, size, unit, better, values):
        self.figures.append(Figure(name, str(size), unit, better, list(values)))

    def add_runs(self, name, size, runs):
        self.add(f"{name}.wall", size, "s", "lower", [run.wall for run in runs])
        self.add(f"{name}.cpu", size, "s", "lower", [run.cpu for run in runs])
        self.add(f"{name}.peak", size, "MiB", "lower", [run.peak / MEBI for run in runs])

    def stats(self, file, reports):
        """`assay stats` into CSV files that are thrown away."""
        with tempfile.TemporaryDirectory() as out:
            return run_often([self.program("assay"), "stats", file, "--report", reports, "--format", "csv", "-o", out],
                             self.processes)


def run_cells(runs):
    peak = max(run.peak for run in runs) / MEBI
    return [spread([run.wall for run in runs]), spread([run.cpu for run in runs]), f"{peak:.0f}"]


RUN_HEADER = ["wall s", "CPU s", "peak MiB"]


def seconds(entry):
    """Of process CPU time, in one iteration."""
    return entry["cpu_time"] / 1000


def rows_of(entry):
    return entry["rows/s"] * entry["real_time"] / 1000


def loading(bench, sizes):
    """The page decoder, the plain loop of sqlite3_step over the same columns and memcpy of the same pages."""
    rows = []
    for size in sizes:
        found = google_benchmark(bench.program("btree_bench"), [], bench.repetitions, "direct|sqlite3_step|memcpy",
                                 {"ASSAY_BENCH_REPORT": str(bench.exports.get(size))})
        for table in ("kernels", "calls", "ranges"):
            mine = {name.split("/", 1)[1]: entries for name, entries in found.items() if name.startswith(table + "/")}
            one = next(entries for name, entries in mine.items() if name.startswith("direct/threads/1/"))
            every = next((entries for name, entries in mine.items()
                          if name.startswith("direct/") and not name.startswith("direct/threads/1/")), one)
            loop = next(entries for name, entries in mine.items() if name.startswith("sqlite3_step"))
            copy = next(entries for name, entries in mine.items() if name.startswith("memcpy"))
            rows.append(loading_row(bench, size, table, one, every, loop, copy))
    header = ["table", "kernels in file", "rows", "rows/s/core", "MB/s/core", "rows/s, all cores", "x sqlite3_step",
              "memcpy is"]
    notes = ["Rates of one core are of process CPU time, so that other work counts little; those of all cores are of "
             "wall time. The loop and memcpy are measured in the same process right after."]
    return Table("Reading tables of an export", header, rows, notes)


def loading_row(bench, size, table, one, every, loop, copy):
    count = rows_of(one[0])
    rate = [count / seconds(entry) for entry in one]
    wall_rate = [entry["rows/s"] for entry in every]
    bytes_read = one[0]["bytes_per_second"] * one[0]["real_time"] / 1000
    mine = statistics.median(map(seconds, one))
    ratio, of_copy = (statistics.median(map(seconds, other)) / mine for other in (loop, copy))
    bench.add(f"load.{table}.core", size, "rows/s", "higher", rate)
    bench.add(f"load.{table}.cores", size, "rows/s", "higher", wall_rate)
    bench.add(f"load.{table}.times_sqlite", size, "x", "higher", [ratio])
    return [table, str(size), f"{count:.0f}", millions(statistics.median(rate)), f"{bytes_read / mine / 1e6:.0f}",
            millions(statistics.median(wall_rate)), times(ratio), times(1 / of_copy) + " as fast"]


def whole_load(bench, sizes):
    """One export to columns with everything linked, as run_summary wants it, beside the bare loop."""
    rows = []
    for size in sizes:
        found = google_benchmark(bench.program("load_bench"), [], bench.repetitions, "^(load|bare_loop)",
                                 {"ASSAY_BENCH_REPORT": str(bench.exports.get(size))})
        milliseconds = {name: [entry["real_time"] for entry in entries] for name, entries in found.items()}
        loop = statistics.median(milliseconds["bare_loop/real_time"])
        for threads in (1, 2):
            mine = milliseconds[f"load/{threads}/real_time"]
            bench.add(f"whole_load.{threads}", size, "ms", "lower", mine)
            rows.append([f"{threads} thread{'s' if threads > 1 else ''}", str(size), spread(mine, places=1),
                         times(loop / statistics.median(mine))])
    return Table("An export to a report, linked and nested", ["load", "kernels", "wall ms", "x bare sqlite3_step loop"],
                 rows)


def nine_reports(bench, sizes):
    """Also returns the runs by size, for the growth; the size 1 is the empty run."""
    runs = {1: bench.stats(bench.exports.get(1, 0), NINE_REPORTS)}
    for size in sizes:
        runs[size] = bench.stats(bench.exports.get(size), NINE_REPORTS)
    rows = []
    for size, measured in runs.items():
        bench.add_runs("stats.nine", size, measured)
        rows.append([str(size), *run_cells(measured)])
    notes = [f"Whole processes: assay stats --report {NINE_REPORTS} --format csv -o FOLDER."]
    return Table("Nine reports of nsys stats", ["kernels", *RUN_HEADER], rows, notes), runs


def range_reports(bench, kernels, ranges):
    runs = bench.stats(bench.exports.get(kernels, ranges), RANGE_REPORTS)
    bench.add_runs("stats.ranges", ranges, runs)
    return Table("Two reports of ranges", ["ranges", *RUN_HEADER], [[str(ranges), *run_cells(runs)]],
                 [f"Whole processes: assay stats --report {RANGE_REPORTS} --format csv -o FOLDER."])


def folder(bench, examples):
    """All exports of the first question through run_summary."""
    whole = real_data("h200")
    reports = pathlib.Path(whole or examples) / "rq1_model_architecture_impact"
    files = sorted(reports.glob("*.sqlite"))
    if not files:
        return Table("A folder through run_summary", ["exports", *RUN_HEADER], [],
                     ["Left out: neither ASSAY_DATA/h200 nor ASSAY_EXAMPLES has a folder "
                      "rq1_model_architecture_impact with exports."])
    with tempfile.TemporaryDirectory() as work:
        config = pathlib.Path(work) / "folder.toml"
        config.write_text('[question]\nid = "folder"\ntext = "How fast is a folder?"\n[analyzers.run_summary]\n')
        runs = run_often([bench.program("assay"), "run", config, "--reports", reports, "-o",
                          pathlib.Path(work) / "out", "-q", "--no-cache"], bench.processes)
    bench.add_runs("folder.whole" if whole else "folder.excerpts", len(files), runs)
    size = sum(file.stat().st_size for file in files) / 1e6
    kind = "whole exports, of ASSAY_DATA/h200" if whole else "bundled excerpts; set ASSAY_DATA for whole exports"
    return Table("A folder through run_summary", ["exports", "MB", *RUN_HEADER],
                 [[str(len(files)), f"{size:.0f}", *run_cells(runs)]], [f"These are {kind}."])


def md5_of(file):
    """CPU seconds of md5sum over a file: what reading every byte of it once and doing a little costs."""
    return run_once(["md5sum", file]).cpu


def fetch_all(files):
    """CPU seconds of fetching every row of every table of the files with the sqlite3 library: the yardstick."""
    before = time.process_time()
    for file in files:
        database = sqlite3.connect(f"file:{urllib.parse.quote(str(file))}?mode=ro&immutable=1", uri=True)
        database.text_factory = bytes
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for _ in database.execute(f'SELECT * FROM "{table.decode()}"'):
                pass
        database.close()
    return time.process_time() - before


def study(bench, source, examples):
    """All questions of the study on the bundled reports: read anew, and again with what was found in each report."""
    files = sorted(pathlib.Path(examples).glob("**/*.sqlite"))
    if not files:
        return Table("The study", ["run", *RUN_HEADER], [], ["Left out: ASSAY_EXAMPLES has no exports."])
    rows = []
    with tempfile.TemporaryDirectory() as work:
        command = [bench.program("assay"), "run", source / "configs" / "study.toml", "--reports", examples, "-q",
                   "-o", pathlib.Path(work) / "out"]
        kept = ["--cache", pathlib.Path(work) / "cache"]
        for name, words, cache in (("uncached", "no cache", ["--no-cache"]), ("cached", "warm cache", kept),
                                   ("trusted", "warm cache, times trusted", [*kept, "--trust-mtime"])):
            run_once([*command, *cache])
            pairs = [(run_once([*command, *cache]), fetch_all(files)) for _ in range(bench.processes)]
            runs = [run for run, _ in pairs]
            ratios = [run.cpu / yardstick for run, yardstick in pairs]
            bench.add_runs(f"study.{name}", len(files), runs)
            bench.add(f"study.{name}.times_fetch", len(files), "x", "lower", ratios)
            rows.append([words, str(len(files)), *run_cells(runs), spread(ratios, places=2)])
    notes = ["Whole processes: assay run configs/study.toml. The yardstick is the CPU time of fetching every row of "
             "these exports with Python's sqlite3, taken after each run; the ratio is of CPU times."]
    return Table("The study", ["run", "exports", *RUN_HEADER, "x fetching all rows"], rows, notes)


def question_of_cells(cells, profiler):
    """A question whose matrix has so many cells, each a run of `true`."""
    values = ", ".join(map(str, range(cells)))
    words = ", ".join(json.dumps(word) for word in profiler)
    return f"""[question]
id = "q"
[labels]
patterns = ["run_{{x}}"]
x = {{ type = "int" }}
[[matrix]]
x = [{values}]
[experiment]
command = ["true", "{{x}}"]
replicates = 1
profiler = {{ name = "copied", command = [{words}] }}
"""


def bare_loop(command, count):
    """CPU seconds of running a command so often, and nothing else."""
    before = os.times()
    for _ in range(count):
        os.waitpid(os.posix_spawnp(command[0], [str(word) for word in command], os.environ), 0)
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def record(bench, cells):
    """`assay record` of runs that do nothing but leave a small export, over a loop of the same commands."""
    rows, over = [], []
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "small").write_bytes(bench.exports.get(1, 0).read_bytes())
        profiler = ["sh", "-c", 'cp "$0" "$1"; shift; exec "$@"', str(work / "small"), "{report}"]
        for count in cells:
            (work / "q.toml").write_text(question_of_cells(count, profiler))
            command = [bench.program("assay"), "record", work / "q.toml", "--out", work / "out", "-q"]
            bare = [*profiler[:-1], work / "copy", "true", "1"]
            made, loops = [], []
            for _ in range(bench.repetitions):
                shutil.rmtree(work / "out", ignore_errors=True)
                made.append(run_once(command))
                loops.append(bare_loop(bare, count + 1))
            # One more than there are cells: the base cell is run twice.
            over.append([(run.cpu - loop) / (count + 1) for run, loop in zip(made, loops)])
            bench.add("record.over_bare", count, "ms", "lower", [1000 * value for value in over[-1]])
            ratios = [run.cpu / loop for run, loop in zip(made, loops)]
            bench.add("record.times_bare", count, "x", "lower", ratios)
            rows.append([str(count), spread([run.cpu for run in made]), spread(loops), spread(over[-1], 1000, 2),
                         spread(ratios, places=2)])
    notes = ["CPU times with those of what was run: a shell, cp and true. What recording costs a run is the difference."]
    if len(over) > 1 and min(map(statistics.median, over)) > 0:
        first, last = statistics.median(over[0]) * cells[0], statistics.median(over[-1]) * cells[-1]
        exponent = math.log(last / first) / math.log(cells[-1] / cells[0])
        notes.append(f"Growth of the difference from {cells[0]} to {cells[-1]} cells: exponent {exponent:.2f}.")
    return Table("Recording", ["cells", "record, CPU s", "bare loop, CPU s", "ms a run over it", "x bare loop"], rows, notes)


LEAST_TRACE = 50e6  # bytes inflated; smaller ones are over before they are measured


def large_traces():
    """Gzip traces of ASSAY_DATA/public; the last four bytes of one are its inflated size."""
    found = []
    for file in sorted((real_data("public") or pathlib.Path("/nowhere")).glob("torch/*.json.gz")):
        if int.from_bytes(file.read_bytes()[-4:], "little") >= LEAST_TRACE:
            found.append(file)
    return found


def traces(bench, megabytes):
    """Also returns the CPU seconds of loading generated traces by megabytes, for the growth."""
    real = large_traces()
    found = google_benchmark(bench.program("trace_bench"), [*megabytes, *real], bench.repetitions)
    parts = {}
    for name, entries in found.items():
        what, trace = name.split("/")[:2]
        parts.setdefault(trace, {})[what] = entries
    rows, growth = [], {}
    for trace, of in parts.items():
        size = of["memcpy"][0]["bytes_per_second"] * of["memcpy"][0]["real_time"] / 1000
        rate = {what: [size / seconds(entry) for entry in entries] for what, entries in of.items()}
        two = "load_gzip_on_two_cores"
        rate[two] = [size / (entry["real_time"] / 1000) for entry in of[two]]
        for what in ("load_gzip_summary", "load_gzip_everything", two):
            bench.add(f"trace.{what}", trace, "MB/s", "higher", [value / 1e6 for value in rate[what]])
        middle = {what: f"{statistics.median(values) / 1e6:.0f}" for what, values in rate.items()}
        rows.append([trace, f"{size / 1e6:.0f}", middle["load_gzip_summary"], middle["load_gzip_everything"],
                     middle[two], middle.get("load_plain_everything", "-"), middle["inflate"], middle["memcpy"]])
        if trace.startswith("generated_"):
            growth[int(trace.removeprefix("generated_"))] = [seconds(entry) for entry in of["load_gzip_everything"]]
    notes = ["MB of JSON a second of CPU time on one core, on two of wall time; gzip includes inflating."]
    if not real:
        notes.append("No real trace: ASSAY_DATA/public has no torch/*.json.gz of 50 MB or more.")
    header = ["trace", "MB", "gzip, for run_summary", "gzip, all columns", "gzip, two cores", "plain, all columns", "inflate", "memcpy"]
    return Table("Traces of the PyTorch profiler to columns", header, rows, notes), growth
