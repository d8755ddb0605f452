#!/usr/bin/env python3
"""Runs the commands of README.md, docs/*.md and SKILL.md as they are written there: page_commands.py ASSAY SOURCE [PAGE...].

Each page runs in a folder of its own with bundled profiles under the names that the pages use. What records, submits or studies
runs with --dry-run. Commands whose files or tools are not here are counted, and so is the reason. Exit 77: no profiles."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

# Commands that are not run, by a pattern, and why.
LEFT_OUT = [
    (r"\b[A-Z]{2,}|\.\.\.", "a placeholder"),
    (r"\./\w+\.so|short_kernels|my_profiler|my_power", "of a plugin: Guide.CommandsRun and sdk_install run these"),
    (r"--also|rec/profiles|~/my_", "names of an example"),
    (r"--order <|assay history recordings|assay merge", "needs what earlier commands left"),
    (r"assay submit --(status|again|cancel|record)", "needs Slurm"),
]
NEEDS = [(r"\bassay convert|--convert", "nsys"), (r"\bnsys |\btorchrun |\bsrun ", "nsys"), (r"\brocprofv3 ", "rocprofv3"), (r"\bncu ", "ncu"),
         (r"\bcmake ", "cmake"), (r"\bdocker ", "docker"), (r"\bpip ", "a wheel"), (r"\bsbatch ", "sbatch")]


def commands_of(page):
    """Lines of shell blocks and indented lines that begin with `assay` or build for it; in tables of README.md and SKILL.md the
    commands of the second column."""
    fence = None
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            fence = line[3:] if fence is None else None
        elif fence in ("", "sh") or (fence is None and re.match(r"( {4}| {6})\S", line)):
            command = re.split(r"\s+#\s", line)[0].strip()
            if re.match(r"assay |tar .*assay |cmake .*longest", command):
                yield command
        elif fence is None and page.name in ("README.md", "SKILL.md") and line.startswith("| "):
            yield from re.findall(r"`(assay [^`]+ [^`]+)`", line.split(" | ")[1])


def link(to, *files):
    to.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(files, 1):
        (to / f"run{number}{''.join(file.suffixes)}").symlink_to(file)


def fixtures(folder, assay, source, examples, data):
    """What the pages name: profiles, folders of repeat runs, results."""
    with tarfile.open(source / "examples/rq3_recorded.tar.xz") as packed:
        packed.extractall(folder / "unpacked")
    recorded = folder / "unpacked/rq3_recorded/nsys_reports"
    model = "gpu0_numa0_vit16x6x384_"
    before = sorted(recorded.glob(f"block_*/{model}uncompiled.sqlite"))
    after = sorted(recorded.glob(f"block_*/{model}compiled.sqlite"))
    rq3 = examples / "rq3_compilation_optimization"
    files = {"profile.sqlite": rq3 / "gpu0_numa0_vit16x12x768_uncompiled.sqlite", "before.sqlite": before[0], "after.sqlite": after[0],
             "trace.pt.trace.json.gz": examples / "torch/vit_eval_fp16.pt.trace.json.gz", "bs8_eager.sqlite": before[0],
             "train.sqlite": before[0], "snapshot.pickle": data / "memory/base.pickle", "bs8_eager.ncu-rep": data / "ops/ops_full.ncu-rep",
             "run.ncu-rep": data / "ops/ops_full.ncu-rep", "run_results.db": data / "rocpd/bmm_21.db", "bs8_eager_results.db": data / "rocpd/bmm_21.db",
             "f32.xplane.pb": data / "jax/f32.xplane.pb", "training_step.sqlite": examples / "transformer/small_training_step_ctx512.sqlite"}
    work = folder / "work"
    work.mkdir()
    for name, file in files.items():
        if file.exists():
            (work / name).symlink_to(file)
    link(work / "before", *before)
    link(work / "after", *after)
    for rank in (data / "ddp/nsys").glob("straggler_rank*.sqlite"):
        (work / "ranks").mkdir(exist_ok=True)
        (work / "ranks" / rank.name).symlink_to(rank)
    for name, of_tool in (("dumps", data / "hang/hang/skip"), ("torch_trace", data / "compile/compile/own/torch_trace")):
        if of_tool.is_dir():
            (work / name).symlink_to(of_tool)
    for name in ("configs", "examples", "packaging"):
        (work / name).symlink_to(source / name)
    (folder / "home").mkdir()
    (folder / "home/profiles").symlink_to(rq3)
    (folder / "home/traces").symlink_to(examples / "torch")
    (folder / "home/results").mkdir()
    run = [assay, "run", source / "configs/rq3_compilation.toml", "--reports", examples, "-q", "-o"]
    for name in ("results", "out/monday", "out/tuesday", *(f"nightly/2026-11-{day}" for day in range(10, 16))):
        subprocess.run([*run, work / name], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([assay, "init", rq3, "-o", work / "mine.toml"], check=True, stdout=subprocess.DEVNULL)
    shutil.copy(work / "mine.toml", work / "q.toml")
    (work / "accepted.toml").write_text('[[accepted]]\nmetric = "iteration.*"\nat = "2026-11-12"\nreason = "test"\n')
    return work


def why_not(command, work):
    for pattern, reason in LEFT_OUT:
        if re.search(pattern, re.sub(r"'[^']*'", "", command)):
            return reason
    for pattern, tool in NEEDS:
        if re.search(pattern, command) and not shutil.which(tool):
            return f"{tool} is not here"
    for name in re.findall(r"[\w.]+\.(?:pickle|ncu-rep|db|pb)\b|\b(?:ranks|dumps|torch_trace)\b", command.replace("configs/ranks", "")):
        if not (work / name).exists():
            return f"{name} is not here (ASSAY_DATA)"
    return None


def main():
    assay, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    if not os.environ.get("ASSAY_EXAMPLES"):
        print("SKIPPED: ASSAY_EXAMPLES is not set: the bundled profiles are not unpacked")
        sys.exit(77)
    examples, data = pathlib.Path(os.environ["ASSAY_EXAMPLES"]).resolve(), pathlib.Path(os.environ.get("ASSAY_DATA", "/nonexistent"))
    pages = [source / page for page in sys.argv[3:]] or [source / "README.md", *sorted((source / "docs").glob("*.md")),
                                                        source / "skills/assay/SKILL.md"]
    ran, left, failed = 0, {}, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {**os.environ, "HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "cache"), "CMAKE_PREFIX_PATH": str(assay.parent.parent),
                       "PATH": f"{assay.parent}:{os.environ['PATH']}", "GITHUB_ACTIONS": ""}
        work = fixtures(folder, assay, source, examples, data)
        for page in pages:
            here = folder / page.stem
            shutil.copytree(work, here, symlinks=True)
            commands = list(dict.fromkeys(commands_of(page)))
            if any(command.startswith("assay init") for command in commands):
                (here / "mine.toml").unlink()
            for command in commands:
                if reason := why_not(command, here):
                    left[reason] = left.get(reason, 0) + 1
                    continue
                if re.match(r"assay (record|study|submit) ", command) and "--dry-run" not in command:
                    command = re.sub(r"(?= -- |$)", " --dry-run", command, count=1)
                done = subprocess.run(["bash", "-c", command], cwd=here, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                      text=True, errors="replace", check=False, timeout=200)
                ran += 1
                if done.returncode not in ((0, 1, 4) if "--gate" in command else (0,)):
                    failed.append(f"{page.name}: '{command}' ended with {done.returncode}:\n  {done.stderr.strip()[-600:]}")
            shutil.rmtree(here)
    for reason, number in sorted(left.items()):
        print(f"{number} not run: {reason}")
    print("\n".join(failed) or f"{ran} commands of {len(pages)} pages ran")
    sys.exit(1 if failed or (ran < 60 and not sys.argv[3:]) else 0)


main()
