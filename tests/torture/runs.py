"""Running the program over mutated files, and judging what comes back."""

import collections
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess

from cases import Find

SANITIZER = re.compile(r"(ERROR: \w+Sanitizer.*|.*runtime error: .*|SUMMARY: .*|.*terminate called.*|.*Assertion .*failed.*)")
NO_DAMAGE = {"no_iterations"}
PATIENCE = 20  # seconds of the clock for one of the processor


class Outcome:
    def __init__(self, code, text, late):
        self.code, self.text, self.late = code, text, late

    def wrong(self, allowed):
        """(what, sentence) when the program did what it never may; None when all is well."""
        message = SANITIZER.search(self.text)
        said = message.group(0).strip()[:200] if message else ""
        if self.late or self.code == -signal.SIGXCPU:
            return "hang", f"not done after {self.late} s" if self.late else "not done within its time of the processor"
        if message:
            return "sanitizer", said
        if self.code < 0:
            return "crash", signal.Signals(-self.code).name
        if self.code not in allowed:
            last = self.text.strip().splitlines()[-1:] or [""]
            return "exit", f"exit code {self.code}, expected {' or '.join(map(str, sorted(allowed)))}: {last[0][:200]}"
        return None


class Program:
    """The program under test, with limits of time and memory."""

    def __init__(self, assay, memory_gib):
        self.assay, self.memory = str(assay), memory_gib << 30

    def __call__(self, *arguments, seconds=20, folder=None):
        """`seconds` of the processor; of the clock many more, for a machine that is busy with something else."""
        env = dict(os.environ, TERM="dumb", XDG_CACHE_HOME="/nonexistent",
                   ASAN_OPTIONS="abort_on_error=1:detect_leaks=0:max_allocation_size_mb=4096:hard_rss_limit_mb=4096",
                   UBSAN_OPTIONS="abort_on_error=1:print_stacktrace=1")
        child = subprocess.Popen([self.assay, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 cwd=folder, env=env, start_new_session=True, preexec_fn=lambda: self._limit(seconds))
        try:
            _, errors = child.communicate(timeout=PATIENCE * seconds)
            return Outcome(child.returncode, errors.decode("utf-8", "replace"), 0)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return Outcome(-9, "", PATIENCE * seconds)

    def answer(self, *arguments):
        """What it prints, JSON."""
        done = subprocess.run([self.assay, *map(str, arguments)], stdout=subprocess.PIPE, check=False)
        if done.returncode not in (0, 3):
            raise SystemExit(f"torture: {' '.join(map(str, arguments))}: exit code {done.returncode}")
        return json.loads(done.stdout)

    def _limit(self, seconds):
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.memory:
            resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))


class ReportFacts:
    """What one run found in one report."""

    def __init__(self):
        self.status, self.facts, self.said, self.failed, self.skips = None, {}, set(), [], set()


def alike(a, b):
    """Whether two facts, (value, n), are equal but for rounding."""
    return a is not None and b is not None and a[1] == b[1] and abs(a[0] - b[0]) <= 1e-6 * abs(a[0])


def read_results(out):
    """Report name -> ReportFacts, from a results.sqlite."""
    found = collections.defaultdict(ReportFacts)
    db = sqlite3.connect(f"file:{out / 'results.sqlite'}?mode=ro", uri=True)
    try:
        for report, status in db.execute("SELECT report, status FROM reports"):
            found[report].status = status
        for report, metric, dims, value, n in db.execute("SELECT report, metric, dims, value, n FROM facts"):
            found[report].facts[metric, dims] = (value, n)
        for report, name, severity, text in db.execute("SELECT report, name, severity, text FROM issues"):
            if severity != "info":  # a text that names the file, or what is near, says no more of the same file than before
                found[report].said.add((name, "" if name in NO_DAMAGE else text.replace(report, "FILE")))
        for report, analyzer, reason, failed in db.execute("SELECT report, analyzer, reason, failed FROM skipped"):
            if not analyzer:
                found[report].status = "refused"
            elif failed:
                found[report].failed.append((analyzer, reason))
            else:
                found[report].skips.add((analyzer, reason))
        for kind, item in db.execute("SELECT kind, item FROM completeness WHERE kind IN ('unreadable', 'duplicate')"):
            found[item].status = kind
    finally:
        db.close()
    return found


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


class Batches:
    """Runs cases together, halves a batch that ends the program until the file is found, and judges each file."""

    def __init__(self, program, work, judge, lay_out, question):
        self.program, self.work, self.judge = program, pathlib.Path(work), judge
        self.lay_out, self.question = lay_out, question

    def run(self, cases):
        """The finds among the cases."""
        if not cases:
            return []
        folder, out = fresh(self.work / "reports"), self.work / "out"
        shutil.rmtree(out, ignore_errors=True)
        self.lay_out(folder, cases)
        limit = 20 + len(cases)
        done = self.program("run", self.question, "--reports", folder, "-o", out, "-j", 1 + cases[0].index // 7 % 2,
                            "--no-cache", "-q", seconds=limit)
        wrong = done.wrong({0})
        if wrong is None and cases[0].index % 3 == 0:
            wrong = self.program("list", folder, seconds=limit).wrong({0, 3})
        if wrong is None:
            try:
                return self.judge(cases, read_results(out))
            except sqlite3.Error as error:
                wrong = "exit", f"exit code 0 and results that cannot be read: {error}"
        if len(cases) == 1:
            return [Find(wrong[0], cases[0], wrong[1])]
        half = len(cases) // 2
        finds = self.run(cases[:half]) + self.run(cases[half:])
        if any(f.what in ("crash", "hang", "exit", "sanitizer") for f in finds):
            return finds
        return [*finds, Find(wrong[0], cases[0], f"only together with {len(cases) - 1} others: {wrong[1]}")]
