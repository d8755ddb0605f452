#!/usr/bin/env python3
"""Makes a campaign of distinct reports in nested folders, the same bytes for the same seed.

    python3 bench/make_campaign.py FOLDER 10000 [--seed 1] [--sizes 0.2:50]

FOLDER/rq1_model_architecture_impact/night_NNN/run_NN/gpu0_numa0_vit16x12x768.sqlite, exports of Nsight Systems of about
0.1 MB that configs/rq1_architecture.toml answers: each night measures every model of a small matrix. Times grow with
the model and differ from report to report by a few percent of noise. With --sizes the reports have more iterations, so
that their sizes in MB are spread evenly in the logarithm between about these two.
"""
import argparse
import pathlib
import random
import re
import sqlite3

SCHEMA = pathlib.Path(__file__).resolve().parent.parent / "tests/golden/nsys_schema.sql"
MODELS = [(patch, depth, dim) for patch in (16, 32) for depth in (6, 12) for dim in (384, 768, 1024, 1280)]
BATCH, PX, ITERATIONS = 8, 224, 8
RUNS_IN_A_NIGHT = 2
BYTES_OF_A_KERNEL, BYTES_OF_AN_EMPTY_REPORT = 70, 40_000  # with its call, in a file; about
GEMM, SOFTMAX = (11, 12), (13, 14)  # demangled and short name


def grid_and_name(patch, depth, dim):
    """Blocks and names of the kernels of one forward pass: what configs/data/vit_labels.toml looks for is there."""
    rows = BATCH * ((PX // patch) ** 2 + 1)
    layer = [(rows, GEMM), (48, GEMM), (96, SOFTMAX), (48, GEMM), (rows, GEMM), (64, GEMM),
             ((rows * 4 * dim + 1023) // 1024, GEMM), (64, GEMM)]
    return layer * depth + [(rows, GEMM)]


def rows_of(rng, patch, depth, dim, iterations):
    """Kernels, copies, calls and ranges of one report, times in ns."""
    kernels, copies, calls, ranges = [], [], [], []
    now, stream_free, correlation = 1_000_000, 0, 1
    speed = 1 + rng.gauss(0, 0.02)
    for iteration in range(iterations):
        begin = now
        size = 4 * 3 * BATCH * PX * PX
        calls.append((now, now + 6_000, correlation, 2))
        copies.append((now + 8_000, now + 8_000 + size // 22, correlation, size, 1))
        stream_free = copies[-1][1]
        correlation += 1
        now += 7_000
        for grid, (demangled, short) in grid_and_name(patch, depth, dim):
            call_end = now + rng.randint(4_000, 6_000)
            calls.append((now, call_end, correlation, 1))
            length = int((dim * dim // 40 + 2_000) * speed * (1 + rng.gauss(0, 0.01)))
            start = max(call_end + 2_000, stream_free)
            stream_free = start + length
            kernels.append((start, stream_free, correlation, demangled, short, grid))
            correlation += 1
            now = call_end + 1_000
        calls.append((now, max(now, stream_free) + 5_000, correlation, 3))
        correlation += 1
        now = calls[-1][1] + 5_000
        ranges.append((begin, now, f"test_vit_forward_{iteration}"))
    ranges.append((900_000, now + 1_000, "test_double_buffer"))
    return kernels, copies, calls, ranges


def iterations_of(rng, patch, depth, sizes):
    """ITERATIONS, or as many as a size between the two of `sizes` in MB takes."""
    if sizes is None:
        return ITERATIONS
    size = sizes[0] * 1e6 * (sizes[1] / sizes[0]) ** rng.random()
    an_iteration = BYTES_OF_A_KERNEL * len(grid_and_name(patch, depth, 384))
    return max(ITERATIONS, round((size - BYTES_OF_AN_EMPTY_REPORT) / an_iteration))


def report_bytes(schema, rng, patch, depth, dim, sizes):
    db = sqlite3.connect(":memory:")
    db.executescript(schema)
    kernels, copies, calls, ranges = rows_of(rng, patch, depth, dim, iterations_of(rng, patch, depth, sizes))
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId, demangledName, shortName, gridX) "
                   "VALUES (?,?,?,?,?,?)", kernels)
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, correlationId, bytes, copyKind) "
                   "VALUES (?,?,?,?,?)", copies)
    db.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId) VALUES (?,?,?,?)", calls)
    db.executemany("INSERT INTO NVTX_EVENTS (start, end, text) VALUES (?,?,?)", ranges)
    # nsys writes no defaults; every value is in its row by now.
    db.executescript("PRAGMA writable_schema=ON")
    db.create_function("without_defaults", 1, lambda sql: re.sub(r" DEFAULT \d+", "", sql))
    db.execute("UPDATE sqlite_schema SET sql = without_defaults(sql)")
    db.commit()
    return bytes(db.serialize())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("reports", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", type=lambda text: [float(size) for size in text.split(":", 1)], metavar="MIN:MAX")
    arguments = parser.parse_args()
    schema = SCHEMA.read_text()
    for number in range(arguments.reports):
        run, model = divmod(number, len(MODELS))
        night, again = divmod(run, RUNS_IN_A_NIGHT)
        patch, depth, dim = MODELS[model]
        rng = random.Random(f"{arguments.seed}/{number}")
        place = (arguments.folder / "rq1_model_architecture_impact" / f"night_{night:03}" / f"run_{again:02}" /
                 f"gpu0_numa0_vit{patch}x{depth}x{dim}.sqlite")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(report_bytes(schema, rng, patch, depth, dim, arguments.sizes))


if __name__ == "__main__":
    main()
