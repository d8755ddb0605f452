#!/usr/bin/env python3
"""Measures a build and writes a table: run.py BUILD [--quick] [--only PART,...]. README.md says how to read it."""

import argparse
import csv
import io
import os
import pathlib
import sys

from harness import beside, felt, growth, machine, sections
from harness.data import Exports, NoRoom
from harness.figures import to_csv
from harness.programs import Failed

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PARTS = ("loading", "stats", "jobs", "ranges", "folder", "study", "campaign", "start", "record", "traces", "hostile")
NAMED = ("huge",)  # only if --only names them


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="the build folder, with bin/assay in it")
    parser.add_argument("--quick", action="store_true", help="small exports and few runs: a look, not a measurement")
    parser.add_argument("--only", default=",".join(PARTS), help="parts to measure: " + ", ".join(PARTS) + "; and if named, " + ", ".join(NAMED))
    parser.add_argument("-o", "--out", type=pathlib.Path, default=SOURCE / "build" / "bench",
                        help="folder of report.md, report.csv and the generated exports")
    asked = parser.parse_args()
    asked.only = asked.only.split(",")
    for part in asked.only:
        if part not in PARTS + NAMED:
            parser.error(f"--only: there is no part '{part}'; known: {', '.join(PARTS + NAMED)}")
    return asked


class Sizes:
    def __init__(self, quick):
        self.kernels = [10_000, 100_000] if quick else [10_000, 100_000, 1_003_600, 5_000_000]
        self.job = 100_000 if quick else 1_003_600
        self.huge = 1_003_600 if quick else 47 * 1_003_600
        self.growth_from = 10_000 if quick else 100_000
        self.ranges_of_look = 100_000 if quick else 5_000_000
        self.campaign = 64 if quick else 10_000
        self.ranges = (100_000, 100_000) if quick else (1_003_600, 1_000_000)  # kernels, ranges
        self.hostile = 10_000 if quick else 250_000
        self.cells = [20, 100] if quick else [100, 1000]
        self.traces = [10, 20] if quick else [25, 50, 100, 200]
        self.processes, self.repetitions = (3, 1) if quick else (5, 3)

    def exports(self, only):
        """What the parts need, as Exports.get takes it."""
        wanted = [(1, 0, "inference")]
        if "jobs" in only:
            wanted += [(self.job, 31_000, "inference"), (1, 1, "inference")]
        if {"loading", "stats"} & set(only):
            wanted += [(size, 31_000, "inference") for size in self.kernels]
        if "ranges" in only:
            wanted.append((*self.ranges, "inference"))
        if "hostile" in only:
            for shape in growth.HOSTILE:
                least = growth.size_of(shape, self.hostile)
                wanted += [(size, size, shape) for size in (least, 4 * least)]
        return wanted


def measure(bench, sizes, only, show):
    examples = os.environ.get("ASSAY_EXAMPLES", SOURCE / "examples" / "vit_h200")
    runs = {}
    if "loading" in only:
        show(sections.loading(bench, sizes.kernels))
        show(sections.whole_load(bench, sizes.kernels))
    exponents = []
    if "stats" in only:
        table, runs = sections.nine_reports(bench, sizes.kernels)
        show(table)
        exponents += growth.of_reports(bench, runs, sizes.growth_from)
    if "jobs" in only:
        show(felt.jobs(bench, sizes.job, sizes.ranges_of_look))
    if "huge" in only:
        show(felt.huge(bench, sizes.huge))
    if "ranges" in only:
        show(sections.range_reports(bench, *sizes.ranges))
    if "folder" in only:
        show(sections.folder(bench, examples))
    if "study" in only:
        show(sections.study(bench, SOURCE, examples))
    if "campaign" in only:
        show(felt.campaign(bench, SOURCE, sizes.campaign))
    if "start" in only:
        show(felt.start(bench))
    if "record" in only:
        show(sections.record(bench, sizes.cells))
    if "traces" in only:
        table, seconds = sections.traces(bench, sizes.traces)
        show(table)
        exponents += growth.of_traces(bench, seconds)
    if exponents:
        show(growth.table(exponents))
    if "hostile" in only:
        empty = runs.get(1) or bench.stats(bench.exports.get(1, 0), sections.NINE_REPORTS)
        show(growth.hostile(bench, sizes.hostile, empty))


def write(file, text):
    unfinished = file.with_suffix(file.suffix + ".unfinished")
    unfinished.write_text(text)
    os.replace(unfinished, file)


def beside_last_time(bench, file, show):
    """Figures that are ratios to what was measured beside them keep their value from machine to machine and day to day,
    so they are held against those of the last run here."""
    ratios = [figure for figure in bench.figures if figure.unit == "x"]
    if not ratios:
        return
    now = {(row["name"], row["size"]): row for row in csv.DictReader(io.StringIO(to_csv(ratios)))}
    before = beside.read(file) if file.exists() else {}
    if before:
        table, worse = beside.table("Ratios beside those of the last run", before, now, 0.05)
        table.notes.append(f"{worse} of {len(table.rows)} are worse than then." if worse else "None is worse than then.")
        show(table)
    # What was not measured this time stays for the next.
    kept = [",".join(row.values()) for key, row in before.items() if key not in now]
    write(file, to_csv(ratios) + "".join(line + "\n" for line in kept))


def main():
    asked = arguments()
    build = asked.build.resolve()
    if not (build / "bin" / "assay").exists():
        sys.exit(f"run.py: '{build}' has no bin/assay; build it first, with ./dev build")
    sizes = Sizes(asked.quick)
    facts = machine.facts(build, SOURCE)
    warnings = [machine.warning()]
    head = "\n".join(f"{name:12}  {value}" for name, value in facts)
    print(head, *filter(None, warnings), sep="\n", end="\n\n", flush=True)
    tables = []

    def show(table):
        tables.append(table)
        print(table.text(), flush=True)

    try:
        exports = Exports(build, SOURCE, asked.out / "data")
        exports.check_room(sizes.exports(asked.only))
        bench = sections.Bench(build, exports, sizes.processes, sizes.repetitions)
        measure(bench, sizes, asked.only, show)
        beside_last_time(bench, asked.out / ("ratios.quick.csv" if asked.quick else "ratios.csv"), show)
    except (NoRoom, Failed, beside.NoReport, OSError) as problem:
        sys.exit(f"run.py: {problem}")
    warnings.append(machine.warning())
    said = "\n\n".join(dict.fromkeys(filter(None, warnings)))
    markdown = "\n".join(f"- {name}: {value}" for name, value in facts)
    write(asked.out / "report.md", "\n".join([markdown, "", said, "", *(table.markdown() for table in tables)]))
    write(asked.out / "report.csv", to_csv(bench.figures))
    print(*filter(None, [warnings[-1]]), f"Written: {asked.out}/report.md and report.csv", sep="\n")


if __name__ == "__main__":
    main()
