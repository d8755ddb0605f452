#!/usr/bin/env python3
"""What the program writes against the schemas that it prints, by a second implementation (jsonschema):
second_schemas.py ASSAY SOURCE. Exit 77: it is not installed."""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
from client import unpack  # noqa: E402

try:
    from jsonschema import Draft202012Validator as Validator
except ImportError:
    print("jsonschema is not installed (Debian: python3-jsonschema): no schema was checked a second time")
    sys.exit(77)


def main():
    assay, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    failures, checked = [], 0

    def schema(name):
        made = json.loads(subprocess.run([assay, "schema", name], check=True, capture_output=True).stdout)
        Validator.check_schema(made)
        return Validator(made)

    def check(what, validator, value, good=True):
        nonlocal checked
        checked += 1
        errors = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(value)]
        if bool(errors) == good:
            failures.append(f"{what}: {'; '.join(errors[:3]) or 'should be refused'}")

    config = schema("config")
    for file in sorted((source / "configs").glob("*.toml")):
        check(file.name, config, tomllib.loads(file.read_text()))
    base = '[question]\nid = "q"\n[analyzers.run_summary]\n'
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        # What one refuses, both refuse; what one takes, both take.
        for n, text in enumerate([
                base, base + "[window]\nnvtx = 'a'\nmode = 'host'\n", base + "[window]\nmode = 'host'\n", base + "[window]\nnvtx = 3\n",
                base + "[window]\nnvtx = 'a'\nmod = 'host'\n", base + "[analyzers.run_sumary]\n", base + "[analyzers.idle_causes]\ngaps = true\n",
                base + "[analyzers.idle_causes]\ngaps = 'yes'\n", base + "[analyzers.idle_causes]\ngap = true\n", base + "[iterations]\nnvtx = ['a_{i}', 'b_{i}']\n",
                "[question]\ntitle = 'x'\n", "[study]\nconfigs = []\n", base + "[study]\nconfigs = ['a.toml']\n", base + "[reports]\ninclude = '*.sqlite'\n",
                base + "[labels]\npatterns = ['{a}']\na = { type = 'integer' }\n", base + "[labels]\npatterns = ['{a}']\na = { type = 'int', rank = true }\n",
                base + "[[metric]]\nid = 'a.b'\nunit = '1'\ndefinition = 'd'\nsql = 'SELECT 1 AS value'\n", base + "[[metric]]\nid = 'A.b'\nunit = '1'\ndefinition = 'd'\nsql = 'SELECT 1 AS value'\n",
                base + "[[metric]]\nid = 'a.b'\nunit = '1'\npolarity = 'up'\ndefinition = 'd'\nsql = 'SELECT 1 AS value'\n", base + "[plugins]\nfolder = ['x']\n",
                base + "[experiment]\ncommand = ['a']\norder = 'blocks'\n", base + "[experiment]\norder = 'blocks'\n", base + "[experiment]\ncommand = ['a']\nwarmup = -1\n",
                base + "[experiment]\ncommand = ['a']\nprofiler = 'perf'\n", base + "[output]\nseed_text = true\n", base + "[results]\nfailed = 'drop'\n",
                base + "[analyzers.claim_verdicts]\n[[claim]]\nid = 'c'\ntext = 't'\nmetric = 'gpu.busy_ratio'\nbetween = [0, 1]\n",
                base + "[analyzers.claim_verdicts]\n[[claim]]\nid = 'c'\ntext = 't'\nmetric = 'gpu.busy_ratio'\nbetwen = [0, 1]\n",
                base + "[analyzers.claim_verdicts]\n[[claim]]\nid = 'c'\ntext = 't'\nmetric = 'gpu.busy_ratio'\ncompare = 'rank'\nbetween = [0, 1]\n"]):
            file = scratch / f"q{n}.toml"
            file.write_text(text)
            taken = subprocess.run([assay, "plan", file], capture_output=True).returncode == 0
            check(f"question {n} ({'taken' if taken else 'refused'} by the program):\n{text}", config, tomllib.loads(text), taken)
        profiles = unpack(source, scratch)
        out = scratch / "out"

        def document(command, *arguments):
            done = subprocess.run([assay, command, *map(str, arguments), "--json"], capture_output=True)
            made = json.loads(done.stdout)
            check(f"{command} {arguments}", schema(command), made)
            if made["exit"] != done.returncode:
                failures.append(f"{command}: says exit {made['exit']}, and it was {done.returncode}")
            return made

        run = document("run", source / "configs/rq3_compilation.toml", "--reports", profiles, "-o", out, "--no-cache")
        findings = schema("findings")
        check("findings.json", findings, json.loads((out / "findings.json").read_text()))
        check("findings of run", findings, run["result"]["findings"])
        schema("tables")
        facts = schema("facts")
        with open(out / "facts.csv", encoding="utf-8", newline="") as file:
            for row in list(csv.DictReader(file))[::50]:
                check("facts.csv", facts, {**row, "value": float(row["value"]), "n": int(row["n"])})
        one, two = sorted((profiles / "rq2_resolution_scaling").glob("*.sqlite"))[:2]
        for command, *arguments in [
                ("look", one), ("look", profiles / "rq2_resolution_scaling"), ("look", profiles / "torch"), ("list", profiles / "rq1_model_architecture_impact"),
                ("query", one, "SELECT * FROM kernels LIMIT 50"), ("query", out, "SELECT * FROM facts LIMIT 50"), ("query", one, "SELECT"), ("stats", one, two),
                ("compare", one, two), ("compare", out, out), ("compare", one, two, "--gate"), ("show", out), ("show", one), ("plan", source / "configs/study.toml", "--reports", profiles),
                ("plan", source / "configs/rq3_compilation.toml", "--power", out), ("whatif", one), ("whatif", source / "README.md"), ("describe", "gpu.busy_ratio", "untestable"),
                ("describe", "nothing"), ("history", out), ("describe",), ("describe", "ranks"), ("plugins",), ("doctor",), ("init", profiles / "rq4_numa_locality_effects", "-o", scratch / "made.toml"),
                ("check", "overview"), ("bench", "kernel_breakdown", "-n", "1"), ("merge", scratch / "nowhere")]:
            document(command, *arguments)
        check("the question that init writes", config, tomllib.loads((scratch / "made.toml").read_text()))
    print(f"{checked} values checked, {len(failures)} failures")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
