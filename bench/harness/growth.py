"""How time grows with rows: exponents between neighbouring sizes, on honest and on hostile exports."""

from .figures import Table, slope_with_interval, spread
from .sections import MEBI, NINE_REPORTS

LINEAR = 1.05  # an exponent above it is told

HOSTILE = {
    "nested_ranges": "each range holds all later ones",
    "overlapping_ranges": "start/end ranges, half of them open at any time",
    "streams": "a stream a kernel",
    "names": "a name a kernel and a range",
    "same_time": "all kernels at once",
    "zero_length": "kernels of no length",
    "deep_calls": "each launch holds all later ones",
}


LONG_TABLES = ("names",)  # of as many rows as the export has names: smaller, so as not to write a gigabyte of CSV


def size_of(shape, kernels):
    return kernels // 4 if shape in LONG_TABLES else kernels


def exponent_cells(bench, name, small, large, ratio, empty):
    found = slope_with_interval(small, large, ratio, empty)
    if found is None:
        return ["-", "-"]
    bench.add(name, f"x{ratio:g}", "exponent", "lower", found)
    return [f"{found[0]:.3f}", f"{found[1]:.3f} to {found[2]:.3f}"]


def of_reports(bench, runs, least):
    """Between neighbouring sizes from `least` on, after subtracting the empty run."""
    sizes = [size for size in sorted(runs) if size >= least]
    rows = []
    for a, b in [*zip(sizes, sizes[1:]), *([(sizes[0], sizes[-1])] if len(sizes) > 2 else [])]:
        for clock in ("wall", "cpu"):
            times = {size: [getattr(run, clock) for run in runs[size]] for size in (1, a, b)}
            cells = exponent_cells(bench, f"growth.nine.{clock}", times[a], times[b], b / a, times[1])
            rows.append([f"nine reports, {a} to {b} kernels", "CPU" if clock == "cpu" else clock, *cells])
    return rows


def of_traces(bench, seconds):
    sizes = sorted(seconds)
    rows = []
    for a, b in zip(sizes, sizes[1:]):
        cells = exponent_cells(bench, "growth.trace", seconds[a], seconds[b], b / a, [0.0])
        rows.append([f"traces, {a} to {b} MB", "CPU", *cells])
    return rows


def table(rows):
    return Table("Growth", ["of", "clock", "exponent", "least to greatest"], rows,
                 [f"Time ~ rows^exponent, the empty run subtracted; the target is {LINEAR} or less. The interval is that "
                  "of every pair of a small and a large run."])


def hostile(bench, kernels, empty):
    """Nine reports on exports of `kernels` and of four times as many, whose shape a careless join is quadratic in."""
    rows, notes = [], []
    for shape, words in HOSTILE.items():
        least = size_of(shape, kernels)
        runs = [bench.stats(bench.exports.get(size, size, shape), NINE_REPORTS) for size in (least, 4 * least)]
        small, large = ([run.cpu for run in part] for part in runs)
        bench.add_runs(f"hostile.{shape}", 4 * least, runs[1])
        cells = exponent_cells(bench, f"growth.hostile.{shape}", small, large, 4, [run.cpu for run in empty])
        peak = max(run.peak for run in runs[1]) / MEBI
        rows.append([f"{shape}: {words}", str(4 * least), spread(small), spread(large), f"{peak:.0f}", *cells])
    header = ["shape", "kernels", "CPU s of a quarter", "CPU s", "peak MiB", "exponent", "least to greatest"]
    notes.append("As many ranges as kernels. A report that cannot list what a shape holds says so and is left out.")
    return Table("Hostile shapes, nine reports", header, rows, notes)
