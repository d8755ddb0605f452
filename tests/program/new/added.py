#!/usr/bin/env python3
"""added.py ASSAY: what `assay new --command` and `--question` write, run as it stands; and an added command in --help and completion."""
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

ASSAY, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(__file__).resolve().parents[3]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        profile = folder / "profiles/one.sqlite"
        profile.parent.mkdir()
        with sqlite3.connect(profile) as database:
            database.executescript((SOURCE / "tests/golden/nsys_schema.sql").read_text())
            database.executescript(sorted((SOURCE / "tests/golden/cases/three_reports/reports").rglob("*.sql"))[0].read_text())
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}

        def assay(*words, code=0):
            done = subprocess.run([ASSAY, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
            return done.stdout

        assay("new", "worst", "--command")
        assay("new", "look", "--command", code=2)
        assay("new", "worst", "--command", code=2)
        assert " worst" not in assay("--help"), "it is on no PATH yet"
        environment["PATH"] = f"{folder}/worst:{environment['PATH']}"
        with sqlite3.connect(profile) as database:
            right = database.execute("SELECT value, sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON shortName = id GROUP BY 1 ORDER BY 2 DESC").fetchone()
        document = json.loads(assay("worst", str(profile), "--json"))
        assert (document["schema"], document["exit"]) == ("assay.worst", 0)
        assert [(row["kernel"], row["ns"]) for row in document["result"]] == [right], document
        assert right[0] in assay("worst", str(profile))
        failed = json.loads(assay("worst", "nowhere.sqlite", "--json", code=2))
        assert failed["exit"] == 2 and failed["errors"]
        assert "\n  worst\n" in assay("--help")
        for shell in ("bash", "zsh", "fish"):
            assert "worst" in assay("completion", shell), shell

        assay("new", "mine", "--question")
        assay("new", "mine", "--question", code=2)
        assay("plan", "mine.toml", "--reports", "profiles")
        assay("run", "mine.toml", "--reports", "profiles", "-o", "out", "--no-cache", "-q")
        claim = json.loads((folder / "out/findings.json").read_text())["questions"][0]["claims"][0]
        assert claim["id"] == "busy" and claim["verdict"] in ("supported", "refuted", "inconclusive"), claim
    print("a command and a question of one's own work as they are written")


main()
