#!/usr/bin/env python3
"""smoke.py ASSAY PROFILED: a run and a recording through a real Slurm of its own: the bytes of a plain run, whole blocks."""

import json
import os
import sys

from campaign import Campaign, main

ASSAY, PROFILED = map(os.path.abspath, sys.argv[1:3])


def shards(cluster, folder):
    study = Campaign(cluster, ASSAY, folder / "it's a $HOME study")
    plain = study.plain()
    dry = study.submit("--dry-run", "--", "--time=5", "--comment=two words", shards=5)
    assert "#SBATCH --array=1-3\n" in dry and "SLURM_ARRAY_TASK_ID + 3))" in dry, f"arrays of at most 3 of MaxArraySize 4: {dry}"
    assert not (study.folder / "out.slurm").exists(), "a dry run wrote"
    said = study.submit("--", "--time=5", "--comment=two words", shards=5)
    assert "5 shards submitted" in said, said
    refused = study.submit(shards=5, exit_code=2)
    assert "holds a submission (job " in refused and len(refused.splitlines()) == 1, refused
    comment = cluster.run("scontrol", "show", "job", study.jobs()[0]["arrays"][0]["job"])
    assert "Comment=two words" in comment, comment
    assert "Done:" in study.wait(), study.wait()
    study.same_as(plain)
    for task in range(1, 6):
        assert (study.folder / "out.slurm" / "logs" / f"shard-{task}.log").stat().st_size > 0
        assert (study.folder / "out.slurm" / "ended" / f"shard-{task}").read_text() == "0\n"


def blocks(cluster, folder):
    study = Campaign(cluster, ASSAY, folder / "recorded")
    study.experiment(PROFILED, blocks=3)
    study.run("submit", "--record", "experiment.toml", "-o", "rec", "--seed", "7", "--wait")
    events = study.check_recording(3)
    assert events[0]["design"]["seed"] == 7, events[0]
    study.run("record", "experiment.toml", "-o", "plain", "-q", "--seed", "7")
    journal = next((study.folder / "plain").glob("q/*/*/journal.jsonl")).read_text()
    plain = {e["block"]: e["order"] for e in map(json.loads, journal.splitlines()) if e["event"] == "block"}
    assert plain == {e["block"]: e["order"] for e in events if e["event"] == "block"}, "the orders of one recorder"


def run(cluster, folder):
    shards(cluster, folder)
    blocks(cluster, folder)
    print("shards and blocks came through Slurm as one run and one recorder make them")


main(run, max_array_size=4)
