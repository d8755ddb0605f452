"""Every option that takes an output, and how it is asked for; folders in which one name is not what it should be."""

import gzip
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess

import seeds

QUESTION = """[question]
id = "outputs"
title = "outputs"
text = "outputs"
[iterations]
nvtx = "step_{i}"
[analyzers.run_summary]
"""

# A file that an option names, in place of X, and its kind. {p}: a profile, {q}: a question, {r}: a folder of results, {parts}: of parts.
FILES = {
    ("timeline", "--out"): ("timeline", "timeline {p} -o X"),
    ("look", "--out"): ("page", "look {p} -o X --force"),
    ("budget", "--out"): ("page", "budget {p} -o X --force"),
    ("whatif", "--out"): ("page", "whatif {p} -o X --force"),
    ("init", "--out"): ("question", "init {profiles} -o X --force"),
    ("history", "--out"): ("page", "history {r} --no-index -o X"),
    ("history", "--index"): ("index", "history {r} --index X"),
    ("history", "--annotations"): ("junit", "history {r} --no-index --annotations junit=X"),
    ("run", "--log-file"): ("log", "run {q} --reports {profiles} -o {out} --no-cache -q --log-file X"),
    ("run", "--annotations"): ("junit", "run {q} --reports {profiles} -o {out} --no-cache -q --annotations junit=X"),
    ("merge", "--log-file"): ("log", "merge {parts} -o {out} -q --log-file X"),
    ("merge", "--annotations"): ("junit", "merge {parts} -o {out} -q --annotations junit=X"),
    ("compare", "--annotations"): ("junit", "compare {p} {p} --annotations junit=X"),
}
# A folder that an option names: a file of that name is not replaced.
FOLDERS = {
    ("stats", "--out"): "stats {p} -o X --report cuda_gpu_kern_sum",
    ("run", "--out"): "run {q} --reports {profiles} -o X --no-cache -q --force",
    ("merge", "--out"): "merge {parts} -o X -q --force",
    ("compare", "--out"): "compare {p} {p} -o X",
    ("record", "--out"): "record {q} -o X",
    ("study", "--out"): "study {q} -o X --recordings {out}",
    ("study", "--recordings"): "study {q} -o {out} --recordings X",
    ("submit", "--out"): "submit {q} --reports {profiles} -o X",
    ("new", "--out-of-tree"): "new kernels --out-of-tree X",
    ("run", "--cache"): "run {q} --reports {profiles} -o {out} -q --cache X",
    ("submit", "--cache"): "submit {q} --reports {profiles} -o {out} --cache X",
}
# The option of another command does the same there, or the file is changed and not replaced.
ALIKE = {("submit", "--log-file"), ("submit", "--annotations"), ("study", "--log-file"), ("study", "--annotations"),
         ("record", "--log-file"), ("whatif", "--as-claim")}
# How an earlier output of a kind is known again: its first bytes without white space, and what is in the first 1024.
MARKS = {"timeline": (b'{"generator":"assaytimeline"', b""), "page": (b"<!doctypehtml>", b'<meta name="generator" content="assay">'),
         "question": (b"#Proposedby'assayinit'", b""), "log": (b"20", b" info log of assay"),
         "junit": (b'<?xmlversion="1.0"encoding="UTF-8"?><testsuitesname="', b'<testsuites name="assay '),
         "index": (b"assayres", b"assay index of a history")}
INPUTS = {"--reports", "--config", "--plugin-path", "--accepted", "--order", "--nsys", "--ncu", "--file", "--root",
          "--noise", "--before", "--after", "--also", "--power", "--over", "--join", "--allow-run", "--scale"}
PATHS = re.compile(r"^  (?:-\w,)?(--[\w-]+) (?:DIR|OUT|FILE|PATH|FOLDER|RESULT|WHAT|CONFIG|[A-Z]+\.\w+)(?:[ .]|=[^A-Z]|$)")


PATIENCE = int(os.environ.get("ASSAY_PATIENCE", "120"))  # seconds until a command that waits for a pipe is said to hang


class Places:
    """A profile, a question, results, parts: made once, and copied afresh where a command may change them."""

    def __init__(self, assay, folder):
        self.assay, self.folder = str(assay), pathlib.Path(folder)
        self.places = {"profiles": self.folder / "profiles", "p": self.folder / "profiles/p_bs1.sqlite", "q": self.folder / "q.toml",
                       "r": self.folder / "results", "parts": self.folder / "parts", "out": self.folder / "out"}
        self.places["profiles"].mkdir()
        self.places["p"].write_bytes(seeds.small_database(4096, seeds.make_corpus.EXPORT, seeds.made_rows))
        self.places["q"].write_text(QUESTION)
        run = ("run", self.places["q"], "--reports", self.places["profiles"], "--no-cache", "-q", "-o")
        for made in (self.places["r"] / "r1", self.places["r"] / "r2", self.places["parts"]):
            done = self.run(*run, made, *(("--shard", "1/1") if made.name == "parts" else ()))
            assert done.returncode == 0, done.stderr
        self.inputs = self.bytes_of_inputs()

    def run(self, *words, **more):
        env = dict(os.environ, XDG_CACHE_HOME="/nonexistent", TERM="dumb")
        for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
            env.pop(name, None)
        words = [self.assay, *map(str, words)]
        try:
            return subprocess.run(words, cwd=self.folder, env=env, stdin=subprocess.DEVNULL, timeout=PATIENCE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **more)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, -9, "", f"hangs: not done after {PATIENCE} s")

    def ask(self, words, target, **more):
        shutil.rmtree(self.places["out"], ignore_errors=True)
        named = [word.format(**self.places) for word in words.split()]
        return self.run(*(word.replace("X", str(target)) if word in ("X", "junit=X") else word for word in named), **more)

    def bytes_of_inputs(self):
        return {path: path.read_bytes() for path in sorted(self.folder.rglob("*"))
                if path.is_file() and "out" not in path.relative_to(self.folder).parts[:1]}


def may_be_replaced(kind, data):
    begins, mark = MARKS[kind]
    head = data[:1024]
    return not data or (mark in head and head.translate(None, b" \t\r\n").startswith(begins))


def victims(places):
    """(what, bytes) of files that no output replaces."""
    profile = places.places["p"].read_bytes()
    results = (places.places["r"] / "r1/results.sqlite").read_bytes()
    trace = b'{"displayTimeUnit":"ns","traceEvents":[{"ph":"X","ts":1,"dur":2,"name":"k","cat":"kernel","args":{}}]}'
    return [("a profile", profile), ("a result", results), ("a trace", trace), ("a gzip trace", gzip.compress(trace)),
            ("a question", QUESTION.encode()), ("a table", b"Time (%),Name\n1,mine\n"), ("notes", b"my notes\n"),
            ("a page of others", b"<!doctype html>\n<html><head><title>mine</title></head></html>\n"),
            ("JUnit of others", b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="pytest"></testsuites>\n'),
            ("a log of others", b"2026-01-01T00:00:00.000 info started\n"), ("one byte", b"\0")]


def options_with_paths(places):
    """(command, option) of the help of every command whose value may be a path."""
    text = places.run("--help").stdout
    commands = re.findall(r"^  ([a-z]+) {2,}", text, re.MULTILINE)
    for command in commands:
        for line in places.run(command, "--help").stdout.splitlines():
            if found := PATHS.match(line):
                yield command, found.group(1)


def link_places(places, folder):
    """(what, path in a fresh copy below `folder`, command) of names that assay reads or writes in folders of others."""
    def results():
        return shutil.copytree(places.places["r"], folder / "results")

    def parts():
        return shutil.copytree(places.places["parts"], folder / "parts")

    out = folder / "out"
    yield from (("index", results() / ".assay-history", ("history", folder / "results")),
                ("ledger", folder / "results/predictions.jsonl", ("history", folder / "results", "--no-index")),
                ("part", next(parts().glob("*.part")), ("merge", folder / "parts", "-o", out, "-q")),
                ("written part", folder / "parts/shard-1-of-1.part",
                 ("run", places.places["q"], "--reports", places.places["profiles"], "--shard", "1/1", "-o", folder / "parts", "-q", "--no-cache")))
    for name in ("results.sqlite", "findings.json", "run.json", "report.html", "facts.csv"):
        result = folder / "results/r1" / name
        yield name + " shown", result, ("show", folder / "results/r1", "--json")
        yield name + " compared", result, ("compare", folder / "results/r1", folder / "results/r2")
        yield name + " in a history", result, ("history", folder / "results", "--no-index")
        yield name + " replaced", result, ("run", places.places["q"], "--reports", places.places["profiles"], "-o", folder / "results/r1",
                                           "--no-cache", "-q", "--force")
    yield ("table", folder / "tables/p_bs1_cuda_gpu_kern_sum.csv",
           ("stats", places.places["p"], "-o", folder / "tables", "--report", "cuda_gpu_kern_sum"))


LINKS = ("link", "pipe", "zero", "folder", "dangling")


def put_link(kind, path, victim):
    """Replaces `path` by something that is not a regular file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"link": victim, "zero": "/dev/zero", "dangling": victim.parent / "nothing"}[kind])
