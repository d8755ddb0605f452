"""What the figures depend on: the machine, the compiler, the commit, and who else is busy."""

import os
import pathlib
import platform
import subprocess

BUSY = 0.25  # load average a core above which figures are doubtful


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def cache_entry(build, key):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(key + ":"):
            return line.split("=", 1)[1]
    return ""


def facts(build, source):
    """Pairs of a word and what it is here."""
    compiler = output_of(cache_entry(build, "CMAKE_CXX_COMPILER") or "c++", "--version").split("\n")[0]
    commit = output_of("git", "-C", str(source), "rev-parse", "--short", "HEAD") or "not known"
    if output_of("git", "-C", str(source), "status", "--porcelain", "-uno"):
        commit += " with changes"
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    load = os.getloadavg()
    return [
        ("processor", f"{cpu_model()}, {os.cpu_count()} cores, {memory:.0f} GiB"),
        ("system", f"{platform.system()} {platform.release()}"),
        ("compiler", compiler or "not known"),
        ("build type", cache_entry(build, "CMAKE_BUILD_TYPE") or "none"),
        ("commit", commit),
        ("load average", " ".join(f"{value:.2f}" for value in load)),
    ]


def warning():
    """A sentence when others keep the machine busy, else nothing."""
    load = os.getloadavg()[0]
    if load <= BUSY * os.cpu_count():
        return ""
    return (f"WARNING: the load average is {load:.1f} on {os.cpu_count()} cores, so other work shares them: wall times "
            "are too long and their spread too wide; CPU times suffer less. Measure again on a quiet machine.")
