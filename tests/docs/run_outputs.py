"""Runs the snippets of docs/outputs.md in a folder with results: run_outputs.py KIND ASSAY SOURCE, where KIND is what they import:
sqlite3, csv or pandas. Exit 77: the module is not here."""
import importlib.util
import math
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

kind, assay, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
if importlib.util.find_spec(kind) is None:
    print(f"SKIPPED: python3 has no module {kind} here, so its snippets of docs/outputs.md were not run")
    sys.exit(77)
document = (source / "docs/outputs.md").read_text(encoding="utf-8")
snippets = [text for text in re.findall(r"^```python\n(.*?)^```$", document, re.M | re.S) if not text.startswith("import assay")]


def kind_of(snippet):
    return "pandas" if "import pandas" in snippet else "csv" if "import csv" in snippet else "sqlite3"


def pairs(rows):
    """(report, busy ratio) of what a snippet leaves in `rows`."""
    if hasattr(rows, "columns"):  # a data frame
        column = "gpu.busy_ratio" if "gpu.busy_ratio" in rows.columns else "value"
        reports = rows["report"] if "report" in rows.columns else rows.index
        return sorted(zip(reports, rows[column]))
    return sorted((row[0], row[1]) for row in rows)


def same(given, expected):
    """pandas reads decimal numbers to the last bit but one."""
    return len(given) == len(expected) and all(
        a == b and math.isclose(x, y, rel_tol=1e-14) for (a, x), (b, y) in zip(given, expected))


def documented_tables():
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([\w, ]+) \|$", document, re.M)
    return {table: columns.split(", ") for table, columns in rows}


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path("q.toml").write_text('[question]\nid = "q"\n[analyzers.run_summary]\n', encoding="utf-8")
    subprocess.run([assay, "run", "q.toml", "--reports", source / "sdk/template/golden/reports", "-o", "results"], check=True,
                   stdout=subprocess.DEVNULL)
    lines = pathlib.Path("results/facts.csv").read_text(encoding="utf-8").splitlines()
    expected = sorted((line.split(",")[0], float(line.split(",")[4])) for line in lines if ",gpu.busy_ratio,," in line)
    assert len(expected) == 2, lines
    chosen = [snippet for snippet in snippets if kind_of(snippet) == kind]
    assert chosen, f"no snippet imports {kind}"
    for snippet in chosen:
        assert len(snippet.splitlines()) <= 3, snippet
        names = {}
        exec(snippet, names)
        assert same(pairs(names["rows"]), expected), (snippet, names["rows"])
    if kind == "sqlite3":
        db = sqlite3.connect("results/results.sqlite")
        tables = {name: [row[1] for row in db.execute(f"PRAGMA table_info({name})")]
                  for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        documented = documented_tables()
        # Their further columns are the labels and metrics of the result.
        for view in ("facts_labelled", "facts_wide"):
            fixed = [column for column in documented.pop(view) if " " not in column]
            shown = tables.pop(view)
            assert len(fixed) >= 3 and set(fixed) <= set(shown), (view, fixed, shown)
        assert tables == documented, (tables, documented)
    print(f"{len(chosen)} snippets gave {expected}")
