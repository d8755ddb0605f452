"""What was measured, as numbers and as tables for people."""

import csv
import dataclasses
import io
import math
import statistics


@dataclasses.dataclass
class Figure:
    """One quantity, measured several times. `better` is "lower" or "higher"."""

    name: str
    size: str
    unit: str
    better: str
    values: list

    @property
    def median(self):
        return statistics.median(self.values)


@dataclasses.dataclass
class Table:
    """A table of texts. Notes are whole sentences below it."""

    title: str
    header: list
    rows: list
    notes: list = dataclasses.field(default_factory=list)

    def widths(self):
        return [max(len(row[i]) for row in [self.header, *self.rows]) for i in range(len(self.header))]

    def text(self):
        """Aligned: the first column to the left, numbers to the right."""
        widths = self.widths()

        def line(row):
            cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
            return "  ".join(cells).rstrip()

        lines = [self.title, line(self.header), line(["-" * width for width in widths])]
        return "\n".join([*lines, *map(line, self.rows), *self.notes]) + "\n"

    def markdown(self):
        def line(row):
            return "| " + " | ".join(row) + " |"

        ruler = ["---"] + ["---:"] * (len(self.header) - 1)
        lines = [f"### {self.title}", "", line(self.header), line(ruler), *map(line, self.rows)]
        return "\n".join([*lines, *(["", *self.notes] if self.notes else [])]) + "\n"


FIELDS = ["name", "size", "unit", "better", "n", "median", "low", "high"]


def to_csv(figures):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    for f in figures:
        numbers = (f"{value:.6g}" for value in (f.median, min(f.values), max(f.values)))
        writer.writerow([f.name, f.size, f.unit, f.better, len(f.values), *numbers])
    return out.getvalue()


def spread(values, scale=1.0, places=3):
    """The median with the least and the greatest: "0.412 (0.409 to 0.431)"."""
    middle, low, high = (f"{scale * v:.{places}f}" for v in (statistics.median(values), min(values), max(values)))
    return middle if len(values) == 1 else f"{middle} ({low} to {high})"


def millions(value):
    return f"{value / 1e6:.2f} M"


def times(ratio):
    return f"{ratio:.2f}x"


def slope_with_interval(small, large, ratio, empty):
    """Exponent of growth between two sizes whose rows differ by `ratio`: the log of how times above the empty run grew,
    over the log of how rows did. The interval is that of every pair of a small and a large run; None where a run was no
    longer than the empty one."""
    base = statistics.median(empty)

    def slope(a, b):
        return math.log((b - base) / (a - base)) / math.log(ratio) if min(a, b) > base else None

    middle = slope(statistics.median(small), statistics.median(large))
    pairs = [s for a in small for b in large if (s := slope(a, b)) is not None]
    return (middle, min(pairs), max(pairs)) if middle is not None and pairs else None
