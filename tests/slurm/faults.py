#!/usr/bin/env python3
"""faults.py ASSAY PROFILED [NAME...]: what goes wrong on a cluster, one fault after another on a real Slurm of its own. In the end
there are the bytes of a plain run, or a clear refusal. Prints a table; exit 1 when a fault came out otherwise."""

import os
import shutil
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

from campaign import Campaign, main
from cluster import descendants, ours

ASSAY, PROFILED = map(os.path.abspath, sys.argv[1:3])


class NotHere(Exception):
    """Why a fault cannot be made on this machine."""


def task_processes(study, task):
    """Scripts of a task: bash under its index, of this cluster alone."""
    mark = b"\0SLURM_ARRAY_TASK_ID=%d\0" % task
    found = []
    for process in ours(study.cluster.env["SLURM_CONF"]):
        try:
            if mark in b"\0" + Path(f"/proc/{process}/environ").read_bytes() and b"slurm_script" in Path(f"/proc/{process}/cmdline").read_bytes():
                found.append(process)
        except OSError:
            continue
    return found


def held(cluster, folder, shards=2):
    """A submission whose tasks all run and wait to be let go; what a plain run gives."""
    study = Campaign(cluster, ASSAY, folder, hold=True)
    plain = study.plain()
    study.submit(shards=shards)
    study.wait_for(lambda: len(study.running()) == shards and all(task_processes(study, t + 1) for t in range(shards)), "running tasks")
    return study, plain


def attempts(study, task):
    """How often a shard was begun."""
    return (study.folder / "begun").read_text().split("\n").count(str(task))


def scancel_of_a_task(cluster, folder):
    study, plain = held(cluster, folder)
    cluster.run("scancel", study.running()[0][0])
    study.release()
    study.wait()
    study.same_as(plain)
    assert len(study.jobs()) == 2
    return "submitted again once; same bytes"


def kill_of_a_task(cluster, folder):
    study, plain = held(cluster, folder)
    for process in task_processes(study, 2):
        for each in {process} | descendants(process):
            os.kill(each, signal.SIGKILL)
    study.release()
    study.wait()
    study.same_as(plain)
    assert len(study.jobs()) == 2
    return "submitted again once; same bytes"


def killed_twice(cluster, folder):
    study, plain = held(cluster, folder)
    for round_number in (1, 2):
        study.wait_for(lambda: task_processes(study, 2) and len(study.jobs()) == round_number, f"round {round_number}")
        for process in task_processes(study, 2):
            os.kill(process, signal.SIGKILL)
        if round_number == 1:  # the others end, so that the last job comes; the second round is held again
            (study.folder / "hold").rename(study.folder / "let_go")
            study.wait_for(lambda: (study.folder / "out.slurm/ended/shard-1").exists(), "the other shard")
            (study.folder / "let_go").rename(study.folder / "hold")
    said = study.wait(exit_code=3)
    assert "shard-2" in said and "failed twice" in said, said
    assert not (study.folder / "out").exists()
    study.release()
    study.run("submit", "--again", "--wait", "-o", "out")
    study.same_as(plain)
    return "refused, naming shard-2; --again: same bytes"


def node_dies(cluster, folder):
    study, plain = held(cluster, folder, shards=3)
    cluster.kill_node("n2")
    study.release()
    study.wait_for(lambda: "down" in cluster.run("sinfo", "-h", "-N", "-o", "%T"), "a node that is down")
    cluster.start_node("n2")
    study.wait()
    study.same_as(plain)
    assert max(attempts(study, task) for task in (1, 2, 3)) == 2
    return f"{len(study.jobs())} round(s); same bytes"


def daemon_dies_alone(cluster, folder):
    study, plain = held(cluster, folder, shards=3)
    daemon = cluster.processes.pop("n1")
    daemon.kill()
    daemon.wait()
    time.sleep(1)
    study.release()
    cluster.start_node("n1")
    study.wait()
    study.same_as(plain)
    return f"{len(study.jobs())} round(s); same bytes"


def full_disk(cluster, folder):
    study = Campaign(cluster, ASSAY, folder)
    plain = study.plain()
    parts = study.folder / "out.slurm" / "parts"
    parts.mkdir(parents=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(parts)], capture_output=True, text=True)
    if mounted.returncode != 0:
        raise NotHere(f"mounting a small disk is not allowed: {mounted.stderr.strip()}")
    try:
        with open(parts / "filler", "wb", buffering=0) as filler:
            try:
                while filler.write(bytes(512)):
                    pass
            except OSError:
                pass
        study.submit()
        said = study.wait(exit_code=3)
        assert "failed twice" in said and "cannot be written" in said, said
        assert not (study.folder / "out").exists()
        (parts / "filler").unlink()
        study.run("submit", "--again", "--wait", "-o", "out")
        study.same_as(plain)
    finally:
        subprocess.run(["umount", "-l", str(parts)], check=True)
    return "refused, naming what cannot be written; with room, --again: same bytes"


def two_submissions(cluster, folder):
    study = Campaign(cluster, ASSAY, folder)
    plain = study.plain()
    words = [ASSAY, "submit", "config.toml", "--reports", "reports", "--no-cache", "-o", "out", "--shards", "3"]
    both = [subprocess.Popen(words, cwd=study.folder, env=study.env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    said = [each.communicate(timeout=60) for each in both]
    assert sorted(each.returncode for each in both) == [0, 2], said
    study.wait()
    study.same_as(plain)
    return "one submitted, the other exit 2; same bytes"


def preempted(cluster, folder):
    study, plain = held(cluster, folder)
    victim = study.running()[0]
    node = victim[1]
    job = cluster.run("sbatch", "--parsable", "-p", "urgent", "-w", node, "--exclusive", "-o", "/dev/null", "--wrap", "sleep 2").strip()
    study.wait_for(lambda: "RUNNING" in cluster.run("squeue", "-h", "-j", job, "-o", "%T", check=False) or not cluster.run("squeue", "-h", "-j", job, check=False), "the urgent job")
    study.release()
    study.wait()
    study.same_as(plain)
    assert attempts(study, int(victim[0].split("_")[1])) == 2
    return f"Slurm ran it again, {len(study.jobs())} round(s); same bytes"


def last_job_ended(cluster, folder):
    study, plain = held(cluster, folder)
    cluster.run("scancel", study.jobs()[0]["last"])
    study.release()
    said = study.wait(exit_code=3)
    assert "no job is left" in said, said
    study.run("submit", "--again", "--wait", "-o", "out")
    study.same_as(plain)
    return "no job is left, exit 3; --again merges: same bytes"


def controller_away(cluster, folder):
    study = Campaign(cluster, ASSAY, folder)
    plain = study.plain()
    controller = cluster.processes.pop("slurmctld")
    controller.terminate()
    controller.wait()
    try:
        said = study.submit(exit_code=3)
        assert "sbatch refuses" in said and len(said.splitlines()) == 1, said
    finally:
        cluster.start("slurmctld", ["-D"])
        cluster.wait_for(cluster.is_up, "the nodes are not idle", 30)
    study.submit()
    study.wait()
    study.same_as(plain)
    return "exit 3, nothing left submitted; later: same bytes"


def cancelled(cluster, folder):
    study, plain = held(cluster, folder)
    study.run("submit", "--cancel", "-o", "out")
    study.wait_for(lambda: not cluster.run("squeue", "-h"), "an empty queue")
    assert "no job is left" in study.wait(exit_code=3)
    study.release()
    study.run("submit", "--again", "--wait", "-o", "out")
    study.same_as(plain)
    return "--cancel leaves no job; --again: same bytes"


def block_killed(cluster, folder):
    study = Campaign(cluster, ASSAY, folder)
    study.experiment(PROFILED, blocks=3, words="sleep=1")
    study.run("submit", "--record", "experiment.toml", "-o", "rec")

    def recorders():
        found = []
        for process in task_processes(study, 2):
            found += [p for p in descendants(process) if b"\0record\0" in Path(f"/proc/{p}/cmdline").read_bytes()]
        return found

    def begun():
        journals = list((study.folder / "rec.slurm/blocks/2").glob("q/*/*/journal.jsonl"))
        return any('"event":"end"' in journal.read_text() for journal in journals) and recorders()

    study.wait_for(begun, "a run of block 2")
    for process in recorders():
        os.kill(process, signal.SIGKILL)
    study.run("submit", "--status", "--wait", "-o", "rec")
    study.check_recording(3)
    assert len(list((study.folder / "rec.slurm/blocks/2").glob("q/*/*/journal.jsonl"))) == 2, "begun anew"
    return "the block was begun anew, and is whole in the recording"


FAULTS = [scancel_of_a_task, kill_of_a_task, killed_twice, node_dies, daemon_dies_alone, full_disk, two_submissions, preempted,
          last_job_ended, controller_away, cancelled, block_killed]


def run(cluster, folder):
    wanted = sys.argv[3:]
    failed, table = False, []
    for fault in FAULTS:
        if wanted and fault.__name__ not in wanted:
            continue
        begin = time.monotonic()
        try:
            cluster.run("scancel", "-u", os.environ.get("USER", "root"), check=False)
            cluster.wait_for(cluster.is_up, "the nodes are not idle", 40)
            came = fault(cluster, folder / fault.__name__)
        except NotHere as why:
            came = f"SKIPPED: {why}"
        except Exception as why:  # one that comes out otherwise stops no other
            traceback.print_exc()
            failed, came = True, f"FAILED: {why}"
            keep = os.environ.get("ASSAY_KEEP")
            if keep:
                shutil.copytree(folder / fault.__name__, Path(keep) / fault.__name__, dirs_exist_ok=True, symlinks=True)
        table.append((fault.__name__.replace("_", " "), came, time.monotonic() - begin))
        print(f"{table[-1][0]:24} {table[-1][2]:5.1f} s  {came}", flush=True)
    return failed


main(run)
