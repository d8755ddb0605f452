#!/usr/bin/env python3
"""What metrics in SQL cost beside C++: sql_metrics.py BUILD [--kernels N] [--runs N].

Makes an export of N kernels (default: a million) and times whole runs of `assay run` without a cache on one thread: of run_summary, of the
statements in tests/query/same_metrics.py that give the same numbers, all together and one by one, and of a run that reads one number,
which is what starting and finding the report costs. CPU seconds of the process, median of the runs with the least and the greatest."""
import argparse
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

source = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(source / "tests/query"))
from same_metrics import SAME  # noqa: E402

arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
arguments.add_argument("build", type=pathlib.Path)
arguments.add_argument("--kernels", type=int, default=1_000_000)
arguments.add_argument("--runs", type=int, default=5)
given = arguments.parse_args()
assay, make_report = (given.build / "bin" / name for name in ("assay", "make_report"))


def metric(name, sql):
    return f'[[metric]]\nid = "{name}"\nunit = "1"\ndefinition = "Measured."\nsql = """{sql}"""\n'


def seconds(config, folder):
    """CPU seconds of one run, with those of its children."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    subprocess.run([assay.resolve(), "run", config, "--reports", "reports", "-o", "out", "--force", "--no-cache", "-j1", "-q"], cwd=folder,
                   check=True)
    return used() - before


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    (folder / "reports").mkdir()
    subprocess.run([make_report, "--kernels", str(given.kernels), "--output", folder / "reports/made.sqlite"], check=True)
    statements = {f"sql.{name}": metric(f"sql.{name}", sql) for name, sql in SAME.items()}
    rows = {"one number": metric("sql.one", "SELECT 1"), "run_summary (C++)": "[analyzers.run_summary]\n",
            f"{len(SAME)} metrics (SQL)": "".join(statements.values()), **statements}
    print(f"| {given.kernels} kernels | CPU s | least to most |\n| --- | ---: | ---: |")
    for name, toml in rows.items():
        config = folder / "q.toml"
        config.write_text('[question]\nid = "q"\n' + toml, encoding="utf-8")
        times = [seconds(config, folder) for _ in range(given.runs)]
        print(f"| {name} | {statistics.median(times):.3f} | {min(times):.3f} to {max(times):.3f} |", flush=True)
