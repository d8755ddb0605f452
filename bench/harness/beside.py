"""Two measurements beside each other, figure by figure."""

import csv

from .figures import FIELDS, Table


class NoReport(Exception):
    pass


def read(path):
    """The figures of a report.csv or ratios.csv of run.py, by (name, size)."""
    try:
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as problem:
        raise NoReport(f"'{path}' cannot be read: {problem.strerror}")
    if not rows or list(rows[0]) != FIELDS:
        raise NoReport(f"'{path}' is no report of run.py; its first line must be {','.join(FIELDS)}")
    return {(row["name"], row["size"]): row for row in rows}


def judge(old, new, least):
    """The ratio of medians, and a word."""
    a, b = ({key: float(row[key]) for key in ("median", "low", "high")} for row in (old, new))
    if a["median"] == 0:
        return None, "not comparable"
    ratio = b["median"] / a["median"]
    apart = b["low"] > a["high"] or b["high"] < a["low"]
    if min(int(old["n"]), int(new["n"])) < 2:
        return ratio, "measured once"
    if not apart or abs(ratio - 1) < least:
        return ratio, "inside the noise"
    return ratio, "faster" if (ratio < 1) == (old["better"] == "lower") else "SLOWER"


WORDS = {"MiB": {"faster": "smaller", "SLOWER": "LARGER"}, "exponent": {"faster": "lower", "SLOWER": "HIGHER"}}


def table(title, old, new, least):
    """One row a figure that both have, and how many became worse."""
    rows, worse = [], 0
    for key in (key for key in old if key in new):
        ratio, word = judge(old[key], new[key], least)
        worse += word == "SLOWER"
        word = WORDS.get(old[key]["unit"], {}).get(word, word)
        spans = [f"{float(row['median']):.4g} ({float(row['low']):.4g} to {float(row['high']):.4g})"
                 for row in (old[key], new[key])]
        rows.append([" ".join(key), old[key]["unit"], *spans, "-" if ratio is None else f"{ratio:.3f}", word])
    lonely = len(old) + len(new) - 2 * len(rows)
    notes = [f"{lonely} figures are in one of the two only."] if lonely else []
    return Table(title, ["figure", "unit", "old", "new", "new/old", "so"], rows, notes), worse
