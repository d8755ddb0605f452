"""What people wait for: commands on one large export, on a campaign, and a command's start, each beside md5sum or a start."""

import os
import pathlib
import pty
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from .figures import Table, spread
from .programs import run_often, run_once
from .sections import NINE_REPORTS, RUN_HEADER, md5_of, real_data, run_cells

REPEATED = "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite"
KERNELS_OF_REPEATED = 5200
SEED = 7


def large_export(bench, kernels):
    """An export of Nsight Systems so often in a row that it has so many kernels; without ASSAY_DATA/h200 a generated one."""
    source = (real_data("h200") or pathlib.Path("/nowhere")) / REPEATED
    if not source.exists():
        return bench.exports.get(kernels)
    script = pathlib.Path(__file__).resolve().parents[1] / "repeat_export.py"
    file = bench.exports.folder / f"repeated_{kernels}.sqlite"
    if not file.exists():
        subprocess.run([sys.executable, script, source, str(kernels // KERNELS_OF_REPEATED), file], check=True)
    return file


def export_of_ranges(bench, ranges):
    """The range of a small export so many times, eight beside each other in one that is around them."""
    file = bench.exports.folder / f"ranges_{ranges}.sqlite"
    if file.exists():
        return file
    unfinished = file.with_suffix(".unfinished")
    shutil.copyfile(bench.exports.get(1, 1), unfinished)
    db = sqlite3.connect(unfinished)
    columns = [row[1] for row in db.execute("PRAGMA table_info(NVTX_EVENTS)")]
    values = {"start": "t.start + i * 1000", "end": "t.start + i * 1000 + iif(i % 9 = 0, 8990, 900)"}
    db.execute(f"""INSERT INTO NVTX_EVENTS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ranges})
                   SELECT {", ".join(values.get(c, f't."{c}"') for c in columns)}
                   FROM n CROSS JOIN (SELECT * FROM NVTX_EVENTS LIMIT 1) AS t""")
    db.commit()
    db.close()
    unfinished.rename(file)
    return file


def row(bench, name, size, command, yardstick):
    """A row of a table: the command, each time right before its yardstick, in CPU seconds."""
    pairs = [(run_once(command), yardstick()) for _ in range(bench.processes)]
    runs = [run for run, _ in pairs]
    ratios = [run.cpu / beside for run, beside in pairs]
    bench.add(f"{name}.times_yardstick", size, "x", "lower", ratios)
    bench.add_runs(name, size, runs)
    return [name, str(size), *run_cells(runs), spread(ratios, places=2)]


def jobs(bench, kernels, ranges):
    """What is asked of one large export, and `look` of one with many ranges."""
    file, nested = large_export(bench, kernels), export_of_ranges(bench, ranges)
    assay = bench.program("assay")
    with tempfile.TemporaryDirectory() as out:
        out = pathlib.Path(out)
        commands = {
            "nine": ["stats", file, "--report", NINE_REPORTS, "-j", "1"],
            "kern_sum": ["stats", file, "--report", "cuda_gpu_kern_sum", "-j", "1"],
            "kern_exec_trace": ["stats", file, "--report", "cuda_kern_exec_trace", "--format", "csv", "-o", out / "csv"],
            "look": ["look", file, "--no-cache"],
            "whatif": ["whatif", file],
            "compare": ["compare", file, file, "--no-cache"],
            "timeline": ["timeline", file, "-o", out / "timeline.json"],
            "query_group": ["query", file, "SELECT name, count(*), sum(duration) FROM kernels GROUP BY name"],
            "query_count": ["query", file, "SELECT count(*) FROM kernels"],
        }
        run_once(["md5sum", file])
        rows = [row(bench, f"job.{name}", kernels, [assay, *words], lambda: md5_of(file))
                for name, words in commands.items()]
        rows.append(row(bench, "job.look_ranges", ranges, [assay, "look", nested, "--no-cache"], lambda: md5_of(nested)))
    return Table("What one report is asked", ["job", "kernels or ranges", *RUN_HEADER, "x md5sum"], rows,
                 [f"One export of {kernels} kernels and {file.stat().st_size / 1e6:.0f} MB; look_ranges: one of {ranges} "
                  "ranges. The ratio is of CPU times, to md5sum of the export after each run."])


def until_kernels_are_named(command):
    """Seconds until a terminal shows how many kernels are read."""
    begin = time.monotonic()
    process, terminal = pty.fork()
    if process == 0:
        os.execv(command[0], [str(word) for word in command])
    seen = b""
    while b" kernels" not in seen:
        seen += os.read(terminal, 65536)  # an error when the command ends without
    seconds = time.monotonic() - begin
    os.kill(process, 9)
    os.waitpid(process, 0)
    os.close(terminal)
    return seconds


def huge(bench, kernels):
    """What is asked of an export that is larger than most memories."""
    bench.processes = 1
    file = large_export(bench, kernels)
    assay = bench.program("assay")
    look = [assay, "look", file, "--no-cache"]
    rows = [row(bench, f"huge.{name}", kernels, command, lambda: md5_of(file)) for name, command in {
        "look": look,
        "query_sum": [assay, "query", file, "SELECT count(*), sum(duration) FROM kernels"],
    }.items()]
    first = until_kernels_are_named(look)
    bench.add("huge.first_line", kernels, "s", "lower", [first])
    return Table("A huge report", ["job", "kernels", *RUN_HEADER, "x md5sum"], rows,
                 [f"One export of {kernels} kernels and {file.stat().st_size / 1e9:.1f} GB, each once. On a terminal "
                  f"`look` says how many kernels it reads after {first:.2f} s."])


def campaign(bench, source, reports):
    """The first question of the study on distinct reports, read anew and unchanged, and `look` of their folder."""
    folder = bench.exports.folder / f"campaign_{reports}"
    if not folder.exists():
        unfinished = folder.with_suffix(".unfinished")
        subprocess.run([sys.executable, source / "bench" / "make_campaign.py", unfinished, str(reports), "--seed",
                        str(SEED)], check=True)
        unfinished.rename(folder)
    files = sorted(folder.glob("**/*.sqlite"))
    assay = bench.program("assay")

    def md5():
        return run_once(["md5sum", *files]).cpu

    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        run = [assay, "run", source / "configs" / "rq1_architecture.toml", "--reports", folder, "-q", "-o", work / "out"]
        kept = [*run, "--cache", work / "cache"]
        rows = [row(bench, "campaign.cold", reports, [*run, "--no-cache"], md5)]
        run_once(kept)
        rows.append(row(bench, "campaign.unchanged", reports, kept, md5))
        rows.append(row(bench, "campaign.look", reports, [assay, "look", folder], md5))
    return Table("A campaign", ["job", "reports", *RUN_HEADER, "x md5sum"], rows,
                 [f"bench/make_campaign.py --seed {SEED}: configs/rq1_architecture.toml. The ratio is of CPU times, to "
                  "md5sum of all reports after each run."])


def start(bench):
    """A command that does nothing, and one that opens all plugins, beside a Python that does nothing."""
    assay = bench.program("assay")
    again = 4

    def python():
        return sum(run.cpu for run in run_often([sys.executable, "-S", "-c", ""], again)) / again

    rows = [row(bench, f"start.{name}", 1, [assay, *words], python)
            for name, words in {"version": ["--version"], "plugins": ["plugins"]}.items()]
    return Table("Start", ["job", "times", *RUN_HEADER, "x python3 -S"], rows,
                 ["The ratio is of CPU times, to starting Python without its site."])
