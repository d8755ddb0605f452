"""Runs the cells of docs/outputs.ipynb one after another, as a notebook does, over a result: run_notebook.py ASSAY SOURCE. Without jupyter:
a notebook is JSON, and a cell is Python. ASSAY_EXAMPLES adds a result of real reports."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

assay, source = sys.argv[1], pathlib.Path(sys.argv[2])
notebook = json.loads((source / "docs/outputs.ipynb").read_text(encoding="utf-8"))
assert notebook["nbformat"] == 4
cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
assert len(cells) >= 6, len(cells)
assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook["cells"]), "it is kept without outputs"


def run_cells(places, config):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([assay, "run", config, "--reports", places, "-o", "results"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        before = os.getcwd()
        os.chdir(folder)
        try:
            names = {"reports": [str(path) for path in sorted(pathlib.Path(places).rglob("*")) if path.suffix in (".sqlite", ".json")][:1]}
            for cell in cells:
                exec(compile(cell, "docs/outputs.ipynb", "exec"), names)
                names["assay"] = assay
        finally:
            os.chdir(before)
    return names


with tempfile.TemporaryDirectory() as folder:
    config = pathlib.Path(folder) / "q.toml"
    config.write_text('[question]\nid = "q"\n[analyzers.run_summary]\n', encoding="utf-8")
    names = run_cells(source / "sdk/template/golden/reports", config)
    assert len(names["busy"]) == 2 and all(0 < value <= 1 for value in names["busy"].values()), names["busy"]
    by_metric = {row["metric"]: row for row in names["medians"]}
    pair = sorted(names["busy"].values())
    assert abs(float(by_metric["gpu.busy_ratio"]["median"]) - sum(pair) / 2) < 1e-12, (by_metric["gpu.busy_ratio"], pair)
    assert by_metric["kernel.count"]["reports"] == "2", by_metric["kernel.count"]
    assert names["kernels"] and all(int(row["ns"]) >= int(row["busy"]) > 0 for row in names["kernels"]), names["kernels"]

examples = os.environ.get("ASSAY_EXAMPLES")
if examples:
    names = run_cells(pathlib.Path(examples), source / "configs/rq3_compilation.toml")
    assert sum(names["verdicts"].values()) > 0 and names["effects"] and names["samples"], (names["verdicts"], names["effects"][:1])
else:
    print("SKIPPED in part: ASSAY_EXAMPLES is not set: the notebook was not run over a result with claims and samples")
print(f"{len(cells)} cells ran")
