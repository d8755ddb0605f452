"""Runs programs and takes their time, their memory, or the figures that they print."""

import dataclasses
import json
import os
import subprocess
import time


class Failed(Exception):
    pass


@dataclasses.dataclass
class Run:
    wall: float  # s
    cpu: float  # s, user and system
    peak: float  # bytes resident at most


def run_once(command, environment=None):
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    said = process.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))} ended with {process.returncode}: {said.strip()[-400:]}")
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def run_often(command, count, environment=None):
    """One run to warm the file up, then `count` that are measured."""
    run_once(command, environment)
    return [run_once(command, environment) for _ in range(count)]


def google_benchmark(program, arguments, repetitions, pattern=".", environment=None, seconds=0.1):
    """Every repetition of every benchmark, by name: lists of the objects that the library prints."""
    command = [program, "--benchmark_format=json", f"--benchmark_repetitions={repetitions}",
               f"--benchmark_min_time={seconds}", f"--benchmark_filter={pattern}", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        raise Failed(f"{program} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    by_name = {}
    for entry in json.loads(done.stdout)["benchmarks"]:
        if entry.get("error_occurred"):
            raise Failed(f"{program}: {entry['name']}: {entry['error_message']}")
        if entry.get("run_type") == "iteration":
            by_name.setdefault(entry["run_name"], []).append(entry)
    return by_name
