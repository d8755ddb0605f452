#!/usr/bin/env python3
"""Holds every report and rule of `assay stats` against what nsys 2024.2.3 printed, byte for byte, and prints the table.

    ASSAY_DATA=... ASSAY_EXAMPLES=... check_nsys_stats.py ASSAY

The archive nsys_stats2.tar.xz in ASSAY_DATA/reference holds one folder an export and one CSV a report; an empty CSV: nsys printed nothing, and assay
must not either. In the table `=` is equal, `.` neither prints anything, `X` different, `+` only assay prints. Exits with 77
(skipped) when there is no such folder or every export is missing, and says which exports are not there.
"""
import pathlib
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from real_data import real_data  # noqa: E402

SKIPPED = 77


def exports():
    """Exports by the stem of their file name, of all folders that are set."""
    found = {}
    for name in ("public", "examples", "ddp"):
        folder = real_data(name)
        if folder:
            for file in sorted(folder.rglob("*.sqlite")):
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
    reference = real_data("reference")
    if not reference:
        print("skipped: ASSAY_DATA has no folder reference, nothing to compare with")
        sys.exit(SKIPPED)
    archive = reference / "nsys_stats2.tar.xz"
    expected, found = expected_of(archive), exports()
    missing = sorted(set(expected) - set(found))
    if missing:
        print("not there, so not compared:", ", ".join(missing))
    names = sorted(set(expected) & set(found))
    if not names:
        print("skipped: none of the exports is there (public and ddp of ASSAY_DATA, ASSAY_EXAMPLES)")
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
