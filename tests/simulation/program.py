"""Runs the program on planted exports and reads back what it concluded."""
import json
import os
import shutil
import subprocess
import tempfile

from exports import EPOCH, Template

SECOND = 1_000_000_000  # ns
DAY = 86_400 * SECOND
RUN_TIME = 60 * SECOND  # from the start of one recording to that of the next

QUESTION = """
[question]
id = "planted"
title = "Planted"
text = "Does the program find what was planted?"
[labels]
patterns = ["s{stratum}_{side}_r{run}"]
[labels.stratum]
type = "int"
[labels.side]
[labels.run]
descriptive = true
[window]
nvtx = "window"
[iterations]
nvtx = "iter_{i}"
[analyzers.run_summary]
"""


def claim(name, metric, between, **keys):
    """A [[claim]] as TOML; texts and lists of texts are quoted."""
    def toml(value):
        if isinstance(value, str):
            return f'"{value}"'
        return "[" + ", ".join(toml(v) for v in value) + "]" if isinstance(value, (list, tuple)) else repr(value)
    ends = ", ".join("inf" if end == float("inf") else "-inf" if end == -float("inf") else repr(end) for end in between)
    lines = ["[[claim]]", f'id = "{name}"', f'text = "{name}"', f'metric = "{metric}"', f"between = [{ends}]"]
    return "\n".join(lines + [f"{key} = {toml(value)}" for key, value in keys.items()]) + "\n"


class Failed(RuntimeError):
    """The program did not end as expected."""


class Program:
    """The binary under test. Folders of studies are made below `scratch` and removed after use."""

    def __init__(self, binary, scratch=None):
        self.binary = os.path.abspath(binary)
        self.template = Template()
        self.scratch = scratch
        # Remembers which plugins could be loaded, and nothing of the studies: without it each run tries all of them anew.
        self.cache = tempfile.TemporaryDirectory(dir=scratch)

    def folder(self):
        return tempfile.TemporaryDirectory(dir=self.scratch)

    def run(self, *arguments, accept=(0,)):
        """Runs `assay ARGUMENTS`; gives the exit code, which is one of `accept`."""
        environment = dict(os.environ, ASSAY_CACHE=self.cache.name, NO_COLOR="1")
        done = subprocess.run([self.binary, *arguments], capture_output=True, text=True, env=environment, check=False)
        if done.returncode not in accept:
            raise Failed(f"assay {' '.join(arguments)} exited with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.returncode

    def write_runs(self, folder, values, in_a_row=False, window_ns=None, start=lambda cell: EPOCH):
        """One export per run. `values`: {(stratum, side): [busy ns of each run]}. Recordings start a minute after each other, round
        the cells or, `in_a_row`, cell by cell, from `start(cell)` on."""
        os.makedirs(folder, exist_ok=True)
        cells = sorted(values)
        for c, cell in enumerate(cells):
            runs = values[cell]
            for r, busy in enumerate(runs):
                place = c * len(runs) + r if in_a_row else r * len(cells) + c
                path = os.path.join(folder, f"s{cell[0]}_{cell[1]}_r{r}.sqlite")
                self.template.write(path, busy, window_ns, start(cell) + place * RUN_TIME)

    def conclude(self, folder, question):
        """`assay run` with the question's TOML on the exports in `folder`; gives the question of findings.json."""
        with open(os.path.join(self.result(folder, question), "findings.json"), encoding="utf-8") as file:
            return json.load(file)["questions"][0]

    def result(self, folder, question):
        """The folder of the result of `assay run` on the exports in `folder`."""
        config, out = os.path.join(folder, "question.toml"), os.path.join(folder, "out")
        with open(config, "w", encoding="utf-8") as file:
            file.write(question)
        self.run("run", config, "--reports", os.path.join(folder, "runs"), "-o", out, "-j", "1", "--no-cache")
        return out

    def judged(self, values, question, **how):
        """Writes the runs into a fresh folder, runs the program, removes all; gives the question of findings.json."""
        with self.folder() as folder:
            self.write_runs(os.path.join(folder, "runs"), values, **how)
            return self.conclude(folder, question)


def clean(folder):
    shutil.rmtree(folder, ignore_errors=True)
