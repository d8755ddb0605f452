#!/usr/bin/env python3
"""What damage of a profile changes an answer without a word: damage.py ASSAY FILE... [--seed N] [--count N] [--keep DIR]

Each FILE (an nsys export, a PyTorch trace as JSON, a memory snapshot, or a PROFILE beside its power.csv) is copied `count`
times, each with one damage: a cell, a row, a column, a table, or a time. A copy is silent if a number of the report (one
without dimensions) differs from that of the sound file by more than 1 %, and no warning or error of the report, no skip
and no note is new. Damage that a profiler could have recorded itself is none: what is left of a table that lost its last
rows is a shorter program.

Prints a line a FILE and the silent copies; the same seed makes the same copies.
"""

import argparse
import collections
import copy
import csv
import gzip
import json
import os
import pathlib
import pickle
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "torture"))
from runs import read_results  # noqa: E402

QUESTION = pathlib.Path(__file__).resolve().parents[1] / "torture" / "question.toml"
DATA = pathlib.Path(__file__).resolve().parents[2] / "configs" / "data"
TABLES = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
          "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "TARGET_INFO_GPU")
TIMES = ("start", "end")


def time_step(rng):
    return rng.choice((-1, 1)) * int(10 ** rng.uniform(5, 9.5))


def number(rng, value):
    """Another value of a cell."""
    wrong = [None, -1, 0, 2**40, 2**63 - 1, "x"]
    if isinstance(value, (int, float)):
        wrong += [value * 1000, value // 1000 if isinstance(value, int) else value / 1000, -value]
    return rng.choice([w for w in wrong if w != value])


class Export:
    """An nsys export, by SQL."""

    def __init__(self, path):
        self.path = path
        db = sqlite3.connect(path)
        there = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self.rows = {t: db.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in TABLES if t in there}
        self.rows = {t: n for t, n in self.rows.items() if n > 0}
        self.columns = {t: [c[1] for c in db.execute(f"PRAGMA table_info({t})")] for t in self.rows}

    suffix = ".sqlite"

    def damage(self, rng, to):
        shutil.copy(self.path, to)
        db = sqlite3.connect(to)
        table = rng.choices(list(self.rows), [1 if t == "TARGET_INFO_GPU" else 4 for t in self.rows])[0]
        rowid = f"(SELECT rowid FROM {table} LIMIT 1 OFFSET {rng.randrange(self.rows[table])})"
        timed = [c for c in self.columns[table] if c in TIMES]
        kind = rng.choice(["cell", "row", "column", "table"] + 2 * ["time"] * bool(timed))
        column = rng.choice(timed if kind == "time" else self.columns[table])
        args, said = (), ""
        if kind == "cell":
            value = db.execute(f"SELECT {column} FROM {table} WHERE rowid = {rowid}").fetchone()[0]
            args = (number(rng, value),)
            sql = f"UPDATE {table} SET {column} = ? WHERE rowid = {rowid}"
        elif kind == "time":
            sql = rng.choice([f"UPDATE {table} SET {column} = {column} + ({time_step(rng)}) WHERE rowid = {rowid}",
                              f"UPDATE {table} SET start = end - (end - start), end = start WHERE rowid % 3 = 0",
                              f"UPDATE {table} SET end = start", f"UPDATE {table} SET start = start / 1000, end = end / 1000"])
        elif kind == "row":
            sql = rng.choice([f"INSERT INTO {table} SELECT * FROM {table} WHERE rowid = {rowid}",
                              f"DELETE FROM {table} WHERE rowid = {rowid}"])
        elif kind == "column":
            value = rng.choice([None, -1, 0, 2**40, "x"])
            args = (value,)
            sql = f"UPDATE {table} SET {column} = ?"
        else:
            sql = rng.choice([f"INSERT INTO {table} SELECT * FROM {table}", f"DELETE FROM {table} WHERE rowid % 4 = 0",
                              f"DELETE FROM {table}", f"DROP TABLE {table}"])
        said = f"{sql} {args}"
        try:
            db.execute(sql, args)
            db.commit()
        except sqlite3.Error as error:
            said = f"{said}: {error}"  # a key or a NOT NULL held it off: the copy is sound
        db.close()
        return kind, said


class Trace:
    """A PyTorch trace, by JSON."""

    def __init__(self, path):
        raw = pathlib.Path(path).read_bytes()
        self.data = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
        self.work = [i for i, e in enumerate(self.data["traceEvents"])
                     if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver", "Kernel")]

    suffix = ".pt.trace.json"

    def damage(self, rng, to):
        data = copy.deepcopy(self.data) if len(self.data["traceEvents"]) < 50000 else json.loads(json.dumps(self.data))
        events = data["traceEvents"]
        kind = rng.choice(["cell", "row", "column", "table", "time", "time"])
        event = events[rng.choice(self.work)]
        category = event["cat"]
        same = [e for e in events if e.get("cat") == category]
        keys = [k for k in event if k != "args"]
        if kind == "cell":
            args = rng.random() < 0.5 and event.get("args")
            of = args or event
            key = rng.choice(list(of) if args else keys)
            said = f"{category} {key}: {of[key]!r}"
            of[key] = number(rng, of[key])
            said += f" -> {of[key]!r}"
        elif kind == "time":
            key = rng.choice(["ts", "dur"])
            step = time_step(rng) / 1000
            event[key] = float(event[key]) + step
            said = f"{category} {key} + {step}"
        elif kind == "row":
            said = rng.choice(["twice", "gone"])
            events.append(dict(event)) if said == "twice" else events.remove(event)
            said = f"{category} {said}"
        elif kind == "column":
            key, value = rng.choice(keys + ["dur", "ts"]), rng.choice([None, -1, 0, 2**40, "x"])
            for e in same:
                e[key] = value
            said = f"every {category} {key} = {value!r}"
        else:
            said = rng.choice(["all twice", "quarter gone", "gone"])
            if said == "all twice":
                events.extend([dict(e) for e in same])
            else:
                dropped = {id(e) for n, e in enumerate(same) if said == "gone" or n % 4 == 0}
                data["traceEvents"] = [e for e in events if id(e) not in dropped]
            said = f"{category} {said}"
        pathlib.Path(to).write_text(json.dumps(data))
        return kind, said


class Snapshot:
    """A memory snapshot, by pickle."""

    def __init__(self, path):
        self.raw = pathlib.Path(path).read_bytes()

    suffix = ".pickle"

    def damage(self, rng, to):
        data = pickle.loads(self.raw)
        events = max(data["device_traces"], key=len)
        kind = rng.choice(["cell", "row", "column", "table", "time", "time"])
        at = rng.randrange(len(events))
        event = events[at]
        if kind == "cell":
            key = rng.choice(["addr", "size", "action", "time_us"])
            said = f"event {at} {key} {event.get(key)!r}"
            event[key] = number(rng, event.get(key))
            said += f" -> {event[key]!r}"
        elif kind == "time":
            step = int(time_step(rng) / 1000) * rng.choice([1, 1000])
            event["time_us"] += step
            said = f"event {at} time + {step}"
        elif kind == "row":
            said = rng.choice(["twice", "gone"])
            events.insert(at, dict(event)) if said == "twice" else events.pop(at)
            said = f"event {at} ({event['action']}) {said}"
        elif kind == "column":
            key, value = rng.choice(["addr", "size", "action", "time_us"]), rng.choice([None, -1, 0, 2**62, "x"])
            for e in events:
                e[key] = value
            said = f"every {key} = {value!r}"
        else:
            said = rng.choice(["traces []", "traces None", "no traces", "no segments", "total_size 0", "events twice"])
            if said == "traces []":
                data["device_traces"] = []
            elif said == "traces None":
                data["device_traces"] = None
            elif said == "no traces":
                del data["device_traces"]
            elif said == "no segments":
                data["segments"] = []
            elif said == "total_size 0":
                for segment in data["segments"]:
                    segment["total_size"] = 0
            else:
                events.extend([dict(e) for e in events])
        pathlib.Path(to).write_bytes(pickle.dumps(data, 4))
        return kind, said


class Power:
    """power.csv beside a profile."""

    def __init__(self, path):
        self.profile = path
        with open(pathlib.Path(path).parent / "power.csv", newline="") as file:
            self.rows = list(csv.reader(file))

    suffix = ".csv"

    def damage(self, rng, to):
        rows = copy.deepcopy(self.rows)
        head, body = rows[0], rows[1:]
        kind = rng.choice(["cell", "row", "column", "time", "time"])
        r = rng.randrange(len(body))
        c = rng.randrange(len(head))
        times = head.index("time_ns")
        wrong = ["", "-1", "0", str(2**40), str(2**63), "x"]
        if kind == "cell":
            said = f"row {r} {head[c]}"
            body[r][c] = rng.choice(wrong)
            said += f" = {body[r][c]!r}"
        elif kind == "time":
            every = rng.choice([0, 0, 7])
            step = time_step(rng) * rng.choice([1, 1000])
            for n, row in enumerate(body):
                if n == r or (every and n % every == 0):
                    row[times] = str(int(row[times]) + step)
            said = f"time of row {r}{' and every 7th' * bool(every)} + {step}"
        elif kind == "row":
            said = f"row {r} twice"
            body.insert(r, list(body[r]))
        else:
            value = rng.choice(wrong)
            for row in body:
                row[c] = value
            said = f"every {head[c]} = {value!r}"
        with open(to, "w", newline="") as file:
            csv.writer(file).writerows([head] + body)
        return kind, said


def damaged_kind(path):
    name = pathlib.Path(path).name
    if (pathlib.Path(path).parent / "power.csv").exists():
        return Power(path)
    return Export(path) if name.endswith(".sqlite") else Snapshot(path) if name.endswith(".pickle") else Trace(path)


def run(assay, folder, power):
    """Facts without dimensions, and all that is said, by report."""
    out = folder / "out"
    question = folder / "question.toml"
    text = QUESTION.read_text().replace('"data/', f'"{DATA}/').replace('[iterations]\nnvtx = "step_{i}"\n', "")
    question.write_text(text + ("[analyzers.energy]\n[[sheet]]\nid = \"power\"\nfiles = [\"power.csv\"]\n" if power else ""))
    done = subprocess.run([assay, "run", question, "--reports", folder / "reports", "-o", out, "--quiet"],
                          capture_output=True, text=True, check=False,
                          env=dict(os.environ, XDG_CACHE_HOME="/nonexistent"))
    if not (out / "results.sqlite").exists():
        return None, done.returncode, done.stderr[-400:]
    found = read_results(out)
    notes = sqlite3.connect(out / "results.sqlite")
    said = {row[0] for row in notes.execute("SELECT reason FROM skipped WHERE report IS NULL OR report = ''")}
    return found, done.returncode, said


def judge(sound, found):
    """What changed by more than 1 %; None: something was said."""
    if found.status != sound.status or found.said - sound.said or found.skips - sound.skips or found.failed:
        return None
    changed = []
    for (metric, dims), (value, _) in sound.facts.items():
        if dims and dims != "{}":
            continue
        now = found.facts.get((metric, dims))
        if now is None or abs(now[0] - value) > 0.01 * abs(value):
            changed.append(f"{metric} {value:.6g} -> {'gone' if now is None else format(now[0], '.6g')}")
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assay")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--verbose", action="store_true", help="also the kinds of what was silent, copy by copy")
    args = parser.parse_args()
    worst = 0.0
    for path in args.files:
        kind_of_file = damaged_kind(path)
        power = isinstance(kind_of_file, Power)
        rng = random.Random(f"{args.seed} {pathlib.Path(path).name}")
        silent, crashed, kinds = [], [], collections.Counter()
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            made = {}
            sound = None
            for n in range(-1, args.count):
                reports = folder / "reports"
                if not power or n < 0:
                    reports.mkdir(exist_ok=True)
                if power:
                    shutil.rmtree(reports, ignore_errors=True)
                    reports.mkdir()
                    shutil.copy(path, reports / "profile.sqlite")
                    target = reports / "power.csv"
                    if n < 0:
                        shutil.copy(pathlib.Path(path).parent / "power.csv", target)
                    else:
                        made[n] = kind_of_file.damage(rng, target)
                    found, code, said = run(args.assay, folder, True)
                    shutil.rmtree(folder / "out", ignore_errors=True)
                    if found is None:
                        crashed += [(made.get(n), said)] if code < 0 else []
                        continue
                    facts = found["profile.sqlite"]
                    facts.skips |= {("", text) for text in said}
                    if n < 0:
                        sound = facts
                        continue
                    changed = judge(sound, facts)
                    if changed:
                        silent.append((made[n], changed))
                        kinds[made[n][0]] += 1
                    continue
                name = f"copy_{n:05}{kind_of_file.suffix}" if n >= 0 else f"sound{kind_of_file.suffix}"
                if n < 0:
                    raw = pathlib.Path(path).read_bytes()
                    (reports / name).write_bytes(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
                else:
                    made[n] = kind_of_file.damage(rng, reports / name)
            if not power:
                found, code, said = run(args.assay, folder, False)
                if found is None:
                    crashed.append((("all", "the run"), f"exit {code}: {said}"))
                    found = {}
                sound = found.get(f"sound{kind_of_file.suffix}")
                for n, (kind, text) in made.items():
                    copy_facts = found.get(f"copy_{n:05}{kind_of_file.suffix}")
                    changed = copy_facts and sound and judge(sound, copy_facts)
                    if changed:
                        silent.append(((kind, text), changed))
                        kinds[kind] += 1
        share = 100 * len(silent) / args.count
        worst = max(worst, share)
        print(f"{pathlib.Path(path).name}: seed {args.seed}, {len(silent)} of {args.count} silent ({share:.1f} %), "
              f"{len(crashed)} ended the program; {dict(kinds)}", flush=True)
        for (kind, text), changed in silent if args.verbose else []:
            print(f"    {kind}: {text}\n        {'; '.join(changed[:4])}")
        for what, text in crashed:
            print(f"    ended: {what} {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
