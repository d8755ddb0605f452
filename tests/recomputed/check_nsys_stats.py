#!/usr/bin/env python3
"""Holds every report and rule of `assay stats` against what nsys 2024.2.3 printed, byte for byte, and prints the table.

    ASSAY_REFERENCE=... ASSAY_PUBLIC_DATA=... ASSAY_EXAMPLES=... [ASSAY_DDP_DATA=...] check_nsys_stats.py ASSAY

The archive nsys_stats2.tar.xz in ASSAY_REFERENCE holds one folder an export and one CSV a report; an empty CSV: nsys printed nothing, and assay
must not either. In the table `=` is equal, `.` neither prints anything, `X` different, `+` only assay prints. Exits with 77
(skipped) when ASSAY_REFERENCE is not set or every export is missing, and says which exports are not there.
"""
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

SKIPPED = 77


def exports():
    """Exports by the stem of their file name, of all folders that are set."""
    found = {}
    for variable in ("ASSAY_PUBLIC_DATA", "ASSAY_EXAMPLES", "ASSAY_DDP_DATA"):
        folder = os.environ.get(variable)
        if folder:
            for file in sorted(pathlib.Path(folder).rglob("*.sqlite")):
                found.setdefault(file.stem, file)
    return found


def tables_of(assay, export, reports):
    """What assay prints for each report; nothing where it prints nothing."""
    with tempfile.TemporaryDirectory() as out:
        run = subprocess.run([assay, "stats", export, "--report", ",".join(reports), "--format", "csv", "-o", out],
                             capture_output=True, text=True)
        if run.returncode not in (0, 3):
            sys.exit(f"assay stats {export} ended with {run.returncode}: {run.stderr}")
        tables = {}
        for report in reports:
            file = pathlib.Path(out) / f"{export.stem}_{report}.csv"
            # What nsys prints ends with an empty line, what it writes to a file does not.
            text = file.read_bytes() if file.exists() else b""
            tables[report] = text + b"\n" if text else text
        return tables


def expected_of(archive):
    """{export: {report: bytes}}"""
    expected = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            parts = pathlib.PurePosixPath(member.name).parts
            if member.isfile() and len(parts) == 3 and parts[2].endswith(".csv"):
                expected.setdefault(parts[1], {})[parts[2][:-4]] = tar.extractfile(member).read()
    return expected


def mark(ours, theirs):
    if ours == theirs:
        return "=" if ours else "."
    return "X" if theirs else "+"


def main():
    assay = sys.argv[1]
    if not os.environ.get("ASSAY_REFERENCE"):
        print("skipped: ASSAY_REFERENCE is not set, nothing to compare with")
        sys.exit(SKIPPED)
    archive = os.path.join(os.environ["ASSAY_REFERENCE"], "nsys_stats2.tar.xz")
    expected, found = expected_of(archive), exports()
    missing = sorted(set(expected) - set(found))
    if missing:
        print("not there, so not compared:", ", ".join(missing))
    names = sorted(set(expected) & set(found))
    if not names:
        print("skipped: none of the exports is there (ASSAY_PUBLIC_DATA, ASSAY_EXAMPLES, ASSAY_DDP_DATA)")
        sys.exit(SKIPPED)
    reports = sorted(expected[names[0]])
    ours = {name: tables_of(assay, found[name], reports) for name in names}
    for number, name in enumerate(names):
        print(f"{number:2} {name}")
    width = max(map(len, reports))
    print(" " * width, *(f"{number:2}" for number in range(len(names))))
    bad = equal = 0
    for report in reports:
        marks = [mark(ours[name][report], expected[name][report]) for name in names]
        print(report.ljust(width), *(f"{m:>2}" for m in marks))
        equal += marks.count("=")
        bad += marks.count("X") + marks.count("+")
    print(f"{equal} tables equal, {bad} different")
    sys.exit(1 if bad else 0)


main()
