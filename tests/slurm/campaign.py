"""Small studies for the tests of `assay submit`: synthetic profiles, what a plain run says of them, and what came out."""

import json
import os
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent.parent / "golden"

EXPERIMENT = """[question]
id = "q"
[iterations]
nvtx = "step_{{i}}"
[labels]
patterns = ["run_{{mode}}"]
mode = {{ values = ["a", "b"] }}
[[matrix]]
mode = ["a", "b"]
[experiment]
command = ["true", "count={count}", "{{mode}}"]
profiler = {{ name = "profiled", command = ["{profiled}", "-o", "{{report}}"] }}
replicates = {blocks}
[experiment.arguments]
mode = {{ a = ["{words}"], b = ["{words}", "pass=2"] }}
"""


def contents(folder):
    """All files of a result by path, without the one that says how it was made."""
    folder = Path(folder)
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file() and f.name != "run.json"}


class Campaign:
    """A folder with three reports and a question, in which the program runs as a client of the cluster."""

    def __init__(self, cluster, assay, folder, hold=False):
        self.cluster, self.assay, self.folder = cluster, assay, Path(folder)
        case = GOLDEN / "cases" / "three_reports"
        self.folder.mkdir(parents=True)
        shutil.copy(case / "config.toml", self.folder)
        schema = (GOLDEN / "nsys_schema.sql").read_text()
        for sql in sorted((case / "reports").rglob("*.sql")):
            report = self.folder / sql.relative_to(case).with_suffix(".sqlite")
            report.parent.mkdir(parents=True, exist_ok=True)
            with sqlite3.connect(report) as database:
                database.executescript(schema + sql.read_text())
            database.close()
        self.env = {name: value for name, value in cluster.env.items() if not name.startswith("ASSAY_")}
        self.env["XDG_CACHE_HOME"] = str(self.folder / "cache")
        if hold:  # sourced by each task's script, which waits before it begins
            holding = self.folder / "hold.sh"
            holding.write_text(f'[ -z "$SLURM_ARRAY_TASK_ID" ] || echo "$SLURM_ARRAY_TASK_ID" >>"{self.folder}/begun"\n'
                               f'[ -z "$SLURM_ARRAY_TASK_ID" ] || while [ -e "{self.folder}/hold" ]; do sleep 0.1; done\n')
            (self.folder / "hold").touch()
            self.env["BASH_ENV"] = str(holding)

    def run(self, *words, exit_code=0):
        done = subprocess.run([self.assay, *words], cwd=self.folder, env=self.env, text=True, capture_output=True, timeout=120)
        assert done.returncode == exit_code, f"assay {' '.join(words)}: exit {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def plain(self):
        self.run("run", "config.toml", "--reports", "reports", "--no-cache", "-o", "plain", "-q")
        return contents(self.folder / "plain")

    def submit(self, *words, shards=3, exit_code=0):
        return self.run("submit", "config.toml", "--reports", "reports", "--no-cache", "-o", "out", "--shards", str(shards),
                        *words, exit_code=exit_code)

    def wait(self, exit_code=0):
        return self.run("submit", "--status", "--wait", "-o", "out", exit_code=exit_code)

    def release(self):
        (self.folder / "hold").unlink()

    def jobs(self):
        return json.loads((self.folder / "out.slurm" / "submission.json").read_text())["rounds"]

    def running(self):
        """Tasks that run, by node: [(job_index, node)]."""
        lines = self.cluster.run("squeue", "-h", "-r", "-t", "RUNNING", "-o", "%i %N").split("\n")
        return [tuple(line.split()) for line in lines if "_" in line]

    def wait_for(self, holds, what, seconds=40):
        until = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < until, f"{what} did not come in {seconds} s: " + self.cluster.run("squeue", check=False)
            time.sleep(0.1)

    def same_as(self, plain):
        merged = contents(self.folder / "out")
        assert merged.keys() == plain.keys(), f"{sorted(merged)} and not {sorted(plain)}"
        differing = [name for name in plain if merged[name] != plain[name]]
        assert not differing, f"differ from a plain run: {differing}"

    def experiment(self, profiled, blocks=3, words="effect=1"):
        (self.folder / "experiment.toml").write_text(
            EXPERIMENT.format(count=self.folder / "count", profiled=profiled, blocks=blocks, words=words))

    def recording(self):
        """Folder and events of the one joined recording."""
        journals = sorted((self.folder / "rec").glob("q/*/*/journal.jsonl"))
        assert len(journals) == 1, f"recordings: {journals}"
        return journals[0].parent, [json.loads(line) for line in journals[0].read_text().splitlines()]

    def check_recording(self, blocks):
        """Whole blocks, each of one host and one GPU, whose runs began once after its last beginning."""
        folder, events = self.recording()
        order = {e["block"]: e["order"] for e in events if e["event"] == "block"}
        assert sorted(order) == list(range(1, blocks + 1)), order
        for block in order:
            ends = [e for e in events if e["event"] == "block_end" and e["block"] == block]
            assert len(ends) == 1 and ends[0]["host"] and len(ends[0]["gpus"]) <= 1, ends
            starts = [e["run"] for e in events if e["event"] == "start" and e["block"] == block]
            assert len(starts) == len(set(starts)) == len(order[block]), starts
        results = json.loads((folder / "results.json").read_text())
        assert len(results) == sum(map(len, order.values())), len(results)
        assert all(result["success"] for result in results)
        for result in results:
            for report in result["reports"]:
                assert (folder / report).is_file(), report
        return events


def main(run, **cluster_options):
    """Runs `run(cluster, folder)` on a cluster of its own; exit 77, loudly, where there can be none."""
    import sys
    import tempfile

    from cluster import Absent, Cluster

    with tempfile.TemporaryDirectory(prefix="assay-slurm-") as folder:
        os.chmod(folder, 0o755)
        try:
            cluster = Cluster(Path(folder) / "cluster", **cluster_options).__enter__()
        except (Absent, PermissionError) as why:
            print(f"SKIPPED: no Slurm can be started here: {why}")
            sys.exit(77)
        try:
            failed = run(cluster, Path(folder))
        finally:
            cluster.stop()
    sys.exit(1 if failed else 0)
