#!/usr/bin/env python3
"""Damages files of every kind that assay reads, and watches what it does with them: see README.md beside this file."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile
import time

import depth
import kinds as kinds_module
import required
import seeds
from cases import make_case
from runs import Program

ALL = (*kinds_module.ALL, depth.Depth, required.Required, required.Headers)

COUNTED = ("crash", "hang", "exit", "sanitizer", "silent", "lost", "gone", "analyzer", "replaced")


def arguments():
    names = [k.name for k in ALL]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assay", type=pathlib.Path, help="the program, e.g. build/release/bin/assay")
    parser.add_argument("--count", type=int, default=50_000, help="files in all (default: 50000)")
    parser.add_argument("--seed", type=int, default=1, help="another number, other files (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time (default: one per core)")
    parser.add_argument("--kinds", default=",".join(names), help=f"which of {', '.join(names)}; default: all")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("torture-finds"),
                        help="folder for files that did harm, and finds.tsv (default: torture-finds)")
    parser.add_argument("--case", metavar="KIND:NUMBER", help="only write that file to --keep, and run it")
    parser.add_argument("--samples", type=pathlib.Path, action="append", default=[],
                        help="folder of files of formats that are found as plugins (ASSAY_PLUGIN_PATH), for the kind found")
    parser.add_argument("--memory", type=int, default=0, metavar="GIB", help="most memory of the program; 0: any")
    chosen = parser.parse_args()
    unknown = set(chosen.kinds.split(",")) - set(names)
    if unknown or not os.access(chosen.assay, os.X_OK):
        parser.error(f"no kind {', '.join(unknown)}" if unknown else f"{chosen.assay} is no program")
    return chosen


_state = {}  # of a worker process


def start_worker(kinds, program, work, seed_number):
    _state.update(kinds=kinds, program=program, seed=seed_number, work=work / f"worker-{os.getpid()}")
    _state["work"].mkdir()


def run_batch(name, begin, end):
    kind = _state["kinds"][name]
    cases, hashes = [], set()
    for index in range(begin, end):
        case = make_case(kind, index, _state["seed"])
        if case.data and case.data not in hashes:  # copies would be left out as such
            hashes.add(case.data)
            cases.append(case)
    return name, end - begin, kind.run(cases, _state["program"], _state["work"])


def prepare(kinds, program, work):
    configs = work / "configs"
    shutil.copytree(seeds.ROOT / "configs", configs)
    for file in seeds.HERE.glob("*.toml"):
        shutil.copy(file, configs)
    for kind in kinds:
        kind.prepare(program, work)


def keep(folder, find):
    folder.mkdir(parents=True, exist_ok=True)
    if find.counts:
        (folder / f"{find.what}-{find.case.name}").write_bytes(find.case.data)
    with (folder / "finds.tsv").open("a") as log:
        log.write(("" if find.counts else "(value) ") + find.row + "\n")


def batches_of(kinds, count):
    """(kind, first, behind last), the kinds in turn, so that an interrupted campaign saw some of all."""
    whole = sum(k.share for k in kinds)
    left = {k.name: [0, min(k.most(), max(1, round(count * k.share / whole))), k.batch] for k in kinds}
    while left:
        for name in list(left):
            at, end, size = left[name]
            yield name, at, min(end, at + size)
            left[name][0] = at + size
            if at + size >= end:
                del left[name]


def table(kinds, tried, found, values):
    rows = [("kind", "tried", *COUNTED, "in values")]
    for kind in kinds:
        rows.append((kind.name, tried[kind.name], *(found[kind.name, what] for what in COUNTED), values[kind.name]))
    rows.append(("all", *(sum(row[i] for row in rows[1:]) for i in range(1, len(rows[0])))))
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(str(c).rjust(w) if i else str(c).ljust(w) for i, (c, w) in enumerate(zip(row, widths)))
                     for row in rows)


def campaign(chosen, kinds, program, work):
    prepare(kinds, program, work)
    tried, found, values = collections.Counter(), collections.Counter(), collections.Counter()
    by_name = {k.name: k for k in kinds}
    started, shown = time.monotonic(), 0
    with concurrent.futures.ProcessPoolExecutor(chosen.jobs, initializer=start_worker,
                                                initargs=(by_name, program, work, chosen.seed)) as pool:
        running, todo = set(), batches_of(kinds, chosen.count)
        while True:
            for batch in todo:
                running.add(pool.submit(run_batch, *batch))
                if len(running) >= 2 * chosen.jobs:
                    break
            if not running:
                break
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                name, count, finds = future.result()
                tried[name] += count
                for find in finds:
                    if find.counts:
                        found[name, find.what] += 1
                    else:
                        values[name] += 1
                    keep(chosen.keep, find)
            if time.monotonic() - shown > 30 or shown == 0:
                shown = time.monotonic()
                print(f"{shown - started:6.0f} s {sum(tried.values()):7} files {sum(found.values())} found", file=sys.stderr)
    print(table(kinds, tried, found, values))
    return sum(found.values())


def one_case(chosen, kinds, program, work):
    name, number = chosen.case.split(":")
    kind = next(k for k in kinds if k.name == name)
    prepare([kind], program, work)
    case = make_case(kind, int(number), chosen.seed)
    chosen.keep.mkdir(parents=True, exist_ok=True)
    (chosen.keep / case.name).write_bytes(case.data)
    print(f"{chosen.keep / case.name}: {case.how} of {case.seed.name}")
    start_worker({name: kind}, program, work, chosen.seed)
    finds = kind.run([case], program, _state["work"])
    for find in finds:
        print(find.row)
    return len(finds)


def main():
    chosen = arguments()
    kinds_module.Found.samples = [folder.resolve() for folder in chosen.samples]
    kinds = [k() for k in ALL if k.name in chosen.kinds.split(",")]
    program = Program(chosen.assay.resolve(), chosen.memory)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="assay-torture-", dir=memory) as work:
        run = one_case if chosen.case else campaign
        return 1 if run(chosen, kinds, program, pathlib.Path(work)) else 0


if __name__ == "__main__":
    sys.exit(main())
