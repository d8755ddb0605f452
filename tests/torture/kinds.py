"""The kinds of file: their seeds, how they are damaged, how they are run, and what is a find."""

import dataclasses
import functools
import gzip
import json
import pathlib
import shutil
import sqlite3
import sys

import mutate
import outputs
import runs
import seeds
import sqlite_map as smap
from cases import Find, LONGEST

HERE = seeds.HERE
WITNESS = "baseline_bs1.sqlite"  # fits the pattern of sheets.toml


@functools.lru_cache(maxsize=None)
def witness():
    """A report that is well, so that a run over damaged ones must succeed."""
    return seeds.small_database(4096, seeds.make_corpus.EXPORT, seeds.made_rows)


class Kind:
    name = ""
    share = 0.0  # of all cases
    batch = 200  # cases that one process gets
    ways = ()
    structured = 0.6  # how often a mutation knows the format

    def __init__(self):
        self.seeds = list({seed.data: seed for seed in self.make_seeds()}.values())  # copies are no reports

    def pick(self, rng):
        return rng.choice(self.seeds)

    def apply(self, way, rng, data, seed, untouched):
        return way(rng, data)

    def most(self):
        """The most cases that there are."""
        return 1 << 40


class Reports(Kind):
    """Files that are reports themselves: a folder of them is one run."""

    question = "question.toml"
    protected = False  # whether a change of numbers must be said

    def prepare(self, program, work):
        """What the seeds give when nothing is wrong with them."""
        folder, out = runs.fresh(work / "seeds"), work / "seeds_out"
        names = {}
        for i, seed in enumerate(self.seeds):
            names[seed.name] = f"seed-{i}{seed.suffix}"
            (folder / names[seed.name]).write_bytes(seed.data)
        (folder / WITNESS).write_bytes(witness())
        done = program("run", work / "configs" / self.question, "--reports", folder, "-o", out, "-j", 1, "--no-cache",
                       "-q", seconds=600)
        if done.code != 0:
            raise SystemExit(f"torture: the seeds of {self.name} do not run: exit code {done.code}\n{done.text}")
        results = runs.read_results(out)
        self.base = {seed: results[file] for seed, file in names.items()}

    def lay_out(self, folder, cases):
        (folder / WITNESS).write_bytes(witness())
        for case in cases:
            (folder / case.name).write_bytes(case.data)

    def run(self, cases, program, work):
        batches = runs.Batches(program, work, self.judge, self.lay_out, work.parent / "configs" / self.question)
        return [self.reconsidered(find, batches) for find in batches.run(cases)]

    def reconsidered(self, find, batches):
        """The find, with a second look at whether it counts."""
        return find

    def judge(self, cases, results):
        finds = []
        for case in cases:
            got, base = results.get(case.name), self.base[case.seed.name]
            if got is None:
                if base.facts and case.name not in results:
                    finds.append(Find("gone", case, "the results do not mention the file"))
                continue
            new = [f for f in got.failed if f not in base.failed]
            if new:
                finds.append(Find("analyzer", case, f"{new[0][0]}: {new[0][1]}"))
            if self.protected and not new and case.data != case.seed.data:
                finds += self.changed(case, got, base)
        return finds

    def changed(self, case, got, base):
        if got.status in ("unreadable", "duplicate", "refused", "skipped") or got.said - base.said or got.skips - base.skips:
            return []
        other = [key for key, value in got.facts.items() if not runs.alike(base.facts.get(key), value)]
        less = [key for key in base.facts if key not in got.facts]
        if not other and not less:
            return []
        where, counts = self.located(case)
        if other:
            key = other[0]
            text = f"{key[0]}{{{key[1]}}} {base.facts.get(key)} -> {got.facts[key]} and {len(other) - 1} more"
            return [Find("silent", case, f"{where}: {text}", counts)]
        return [Find("lost", case, f"{where}: {less[0][0]}{{{less[0][1]}}} and {len(less) - 1} more", counts)]

    def located(self, case):
        return "", True


class Nsys(Reports):
    name, share, ways, protected, structured = "nsys", 0.32, mutate.SQLITE, True, 0.7

    def make_seeds(self):
        return seeds.exports()

    def apply(self, way, rng, data, seed, untouched):
        where = self.map_of(seed.name)
        return way(rng, data, where) if len(data) == len(where.data) else mutate.bits(rng, data)

    @functools.lru_cache(maxsize=None)
    def map_of(self, name):
        return smap.Map(next(s.data for s in self.seeds if s.name == name))

    def reconsidered(self, find, batches):
        """Where values changed too, these alone must not do it. Of single bytes the others alone must."""
        if find.what not in ("silent", "lost") or not find.counts:
            return find
        where = self.map_of(find.case.seed.name)
        values, damage = where.apart(find.case.data)
        if values is None or damage == find.case.data:
            return find
        other = dataclasses.replace(find, counts=False)
        if set(find.case.how.split("+")) <= mutate.SINGLE_BYTES:
            again = batches.run([dataclasses.replace(find.case, data=damage)])
            return again[0] if again else other
        again = batches.run([dataclasses.replace(find.case, data=values)])
        return other if again and again[0].text.split(": ")[-1] == find.text.split(": ")[-1] else find

    def located(self, case):
        kinds, tables = self.map_of(case.seed.name).changed(case.data)
        intact = smap.intact(case.data)
        counts = not kinds <= smap.VALUES and not (intact and smap.schema(case.data) == smap.schema(case.seed.data))
        sound = "sqlite finds nothing" if intact else "sqlite says damaged"
        return f"{'+'.join(smap.NAMES[k] for k in sorted(kinds))} of {'+'.join(sorted(tables))}, {sound}", counts


class Timelines(Nsys):
    """Damaged exports as a timeline, alone or as one of two ranks: what is written is a whole trace, or nothing."""

    name, share, batch = "timeline", 0.04, 50

    def prepare(self, program, work):
        pass

    def run(self, cases, program, work):
        finds = []
        for case in cases:
            folder, out = runs.fresh(work / "drawn"), work / "timeline.json"
            out.unlink(missing_ok=True)
            (folder / "made_rank1.sqlite").write_bytes(case.data)
            if case.index % 3 == 0:
                (folder / "made_rank0.sqlite").write_bytes(witness())
            done = program("timeline", folder, "-o", out)
            wrong = done.wrong({0, 2, 3}) or self.half_written(done.code, out)
            if wrong:
                finds.append(Find(wrong[0], case, wrong[1]))
        return finds

    @staticmethod
    def half_written(code, out):
        if code != 0:
            return ("exit", f"exit code {code}, and a file was written") if out.exists() else None
        try:
            json.loads(out.read_bytes())
        except (OSError, ValueError) as error:
            return "exit", f"exit code 0 and no whole trace: {error}"
        return None


class NsysSql(Reports):
    """Well-formed databases with columns dropped, renamed or of other types: nothing is damaged."""

    name, share, ways, structured = "nsys-sql", 0.06, (mutate.sql,), 1.0

    def make_seeds(self):
        return seeds.exports()

    def apply(self, way, rng, data, seed, untouched):
        return way(rng, data) if untouched else mutate.bits(rng, data)


class Rocpd(Nsys):
    """Databases of AMD's rocprofv3, as exports are."""

    name, share = "rocpd", 0.12

    def make_seeds(self):
        return seeds.rocpd()


class RocpdSql(NsysSql):
    name, share = "rocpd-sql", 0.04

    def make_seeds(self):
        return seeds.rocpd()


class TraceGzip(Reports):
    name, share, ways, protected, structured = "trace-gz", 0.2, mutate.GZIP, True, 0.5
    batch = 100

    def make_seeds(self):
        return seeds.gzip_traces()

    def pick(self, rng):
        small = [s for s in self.seeds if not s.name.startswith(seeds.WHOLE)]
        return rng.choice(self.seeds if rng.random() < 0.04 else small)

    def located(self, case):
        """What Python's gzip and JSON say: a file that both accept is another trace, as whole as the first."""
        try:
            text = gzip.decompress(case.data)
        except (OSError, EOFError, ValueError, gzip.zlib.error):
            return "gzip finds damage", True
        try:
            json.loads(text)
        except ValueError:
            return "a whole gzip file and no JSON", True
        return "a whole gzip file of JSON", False


class Trace(Reports):
    """Documents of JSON, plain or gzip, edited before they are packed: no checksum guards them."""

    name, share, ways, structured = "trace", 0.12, mutate.TEXT, 0.8

    def make_seeds(self):
        return seeds.plain_traces()

    def lay_out(self, folder, cases):
        super().lay_out(folder, [c for c in cases if c.index % 4])
        for case in cases:
            if case.index % 4 == 0:
                (folder / (case.name + ".gz")).write_bytes(gzip.compress(case.data, 1, mtime=0))

    def judge(self, cases, results):
        named = {c.name: results[c.name + ".gz"] for c in cases if c.name + ".gz" in results}
        return super().judge(cases, {**results, **named})


class Counters(Reports):
    name, share, ways = "ncu", 0.06, mutate.CSV

    def make_seeds(self):
        return seeds.counters()

    def judge(self, cases, results):
        return [f for f in super().judge(cases, results) if f.what != "gone"]  # what is no CSV of ncu is any text


class Memory(Reports):
    name, share, ways, structured = "memory", 0.05, mutate.RAW, 0

    def make_seeds(self):
        return seeds.memory_snapshots()

    def judge(self, cases, results):
        return [f for f in super().judge(cases, results) if f.what != "gone"]  # pickles may be anything


class Jax(Reports):
    name, share, ways, structured = "jax", 0.05, mutate.RAW, 0

    def make_seeds(self):
        return seeds.jax_profiles()


class Found(Reports):
    """Samples of the formats that are found as plugins, damaged in their bytes. `judge` is as for any report."""

    name, share, ways, structured = "found", 0.05, mutate.RAW, 0
    samples = ()  # folders

    def make_seeds(self):
        return []

    def prepare(self, program, work):
        loaded = {p["id"] for p in program.answer("plugins", "--format", "json")
                  if p["kind"] == "format" and pathlib.PurePath(p["file"]).is_absolute()}
        seen = set()
        for folder in self.samples:
            for row in program.answer("list", folder, "--json")["result"]:
                file = folder / row["file"]
                if row["kind"] in loaded and file.stat().st_size < LONGEST // 16:
                    seen.add(row["kind"])
                    name, ends, suffix = file.name.partition(".")
                    self.seeds.append(seeds.Seed(f"{row['kind']}-{name}", file.read_bytes(), ends + suffix))
        if loaded - seen:
            print(f"torture: no --samples of {', '.join(sorted(loaded - seen))}", file=sys.stderr)
        if self.seeds:
            super().prepare(program, work)

    def most(self):
        return super().most() if self.seeds else 0


class Sheets(Reports):
    name, share, ways, question = "sheet", 0.06, mutate.CSV, "sheets.toml"

    def make_seeds(self):
        return seeds.sheets()

    def prepare(self, program, work):
        self.base = {}

    def judge(self, cases, results):
        return []  # a sheet is not a report: only the run itself is judged


class Runners(Sheets):
    """Each in a folder of its own, beside a report that its first entry may speak of."""

    name, share, ways, question, batch = "runner", 0.05, mutate.TEXT, "question.toml", 100

    def make_seeds(self):
        return seeds.runners()

    def lay_out(self, folder, cases):
        (folder / WITNESS).write_bytes(witness())
        for case in cases:
            own = folder / f"case-{case.index:06d}"
            own.mkdir()
            stem = "experiment_summary" if case.seed.name.startswith("experiment") else "results"
            (own / f"{stem}.json").write_bytes(case.data)
            report = bytearray(witness())
            report[60:64] = (case.index + 1).to_bytes(4, "big")  # the user version: else all are copies of one
            (own / f"{self.report_of(case)}.sqlite").write_bytes(report)

    @staticmethod
    def report_of(case):
        if not case.seed.name.startswith("results-"):
            return "made"
        entries = json.loads(case.seed.data)
        return entries[0]["name"] if isinstance(entries, list) and "name" in entries[0] else "made"


class Questions(Kind):
    """A broken question ends the run at once, so each has a process of its own."""

    name, share, ways, batch = "toml", 0.06, mutate.TEXT, 50

    def make_seeds(self):
        return seeds.questions()

    def prepare(self, program, work):
        folder = runs.fresh(work / "few")
        (folder / WITNESS).write_bytes(witness())

    def run(self, cases, program, work):
        finds = []
        for case in cases:
            folder = runs.fresh(work / "question")
            shutil.copytree(work.parent / "configs", folder, dirs_exist_ok=True)
            rules = (folder / "data" / f"{case.seed.name}.toml").exists()
            (folder / ("data/" if rules else "") / f"{case.seed.name}.toml").write_bytes(case.data)
            file = folder / ("question.toml" if rules else f"{case.seed.name}.toml")
            done = program("run", file, "--reports", work.parent / "few", "-o", work / "out", "-j", 1, "--no-cache", "-q")
            wrong = done.wrong({0, 2, 3})
            if wrong:
                finds.append(Find(wrong[0], case, wrong[1]))
        return finds


class Results(Kind):
    """Stored results: shown, compared with the ones they were, and listed."""

    name, share, ways, batch, structured = "results", 0.07, (*mutate.SQLITE, *(mutate.sql,) * 8), 50, 0.8

    def make_seeds(self):
        return []

    def prepare(self, program, work):
        """Results of a few reports, twice: the whole folder, because a result is more than its database."""
        folder, out = runs.fresh(work / "few"), work / "good"
        (folder / WITNESS).write_bytes(witness())
        (folder / "made.sqlite").write_bytes(witness().replace(b"step_", b"pass_"))
        (folder / "results.json").write_bytes(json.dumps(seeds.RUNNERS["results"]).encode())
        for question in ("question.toml", "rq1_architecture.toml"):
            done = program("run", work / "configs" / question, "--reports", folder, "-o", out / question, "-j", 1,
                           "--no-cache", "-q", seconds=120)
            if done.code == 0:
                data = (out / question / "results.sqlite").read_bytes()
                self.seeds.append(seeds.Seed(question, data, ".sqlite"))
        self.maps = {seed.name: smap.Map(seed.data) for seed in self.seeds}

    def apply(self, way, rng, data, seed, untouched):
        if way is mutate.sql:
            return way(rng, data) if untouched else mutate.bits(rng, data)
        where = self.maps[seed.name]
        return way(rng, data, where) if len(data) == len(where.data) else mutate.bits(rng, data)

    def run(self, cases, program, work):
        finds = []
        for case in cases:
            good = work.parent / "good" / case.seed.name
            out = work / f"result-{case.seed.name}"
            if not out.exists():
                shutil.copytree(good, out)
            (out / "results.sqlite").write_bytes(case.data)
            commands = [("show", out, "-v"), ("compare", good, out), ("compare", out, good)]
            for command in commands[:1] + commands[1 + case.index % 2 :][:1]:
                wrong = program(*command).wrong({0, 2, 3})
                if wrong:
                    finds.append(Find(wrong[0], case, f"{command[0]}: {wrong[1]}"))
        wrong = program("list", work.parent / "few", out, seconds=60).wrong({0, 2, 3})
        if wrong:
            finds.append(Find(wrong[0], cases[-1], f"list: {wrong[1]}"))
        return finds


class Outputs(Kind):
    """Any file where an output is to go: it stays as it is, byte for byte, unless it is an earlier output of that kind."""

    name, share, ways, batch, structured = "output", 0.02, mutate.TEXT, 50, 0.3

    def make_seeds(self):
        return [*seeds.exports(), *seeds.plain_traces(), *seeds.gzip_traces(), *seeds.counters(), *seeds.questions()]

    def prepare(self, program, work):
        places = outputs.Places(program.assay, runs.fresh(work / "outputs"))
        for number, (kind, words) in enumerate(outputs.FILES.values()):
            target = work / "outputs" / f"made-{number}.html"
            if places.ask(words, target).returncode == 0 and target.stat().st_size > 1:
                self.seeds.append(seeds.Seed(f"own-{kind}", target.read_bytes(), ".out"))

    def places(self, program, work):
        if not hasattr(self, "own_places"):
            self.own_places = outputs.Places(program.assay, runs.fresh(work / "outputs"))
        return self.own_places

    def run(self, cases, program, work):
        finds = []
        for case in cases:
            option, (kind, words) = list(outputs.FILES.items())[case.index % len(outputs.FILES)]
            target = work / "target"
            target.write_bytes(case.data)
            done = self.places(program, work).ask(words, target)
            replaceable = outputs.may_be_replaced(kind, case.data)
            if done.returncode not in ((0, 2, 3) if replaceable else (2, 3)):
                finds.append(Find("exit", case, f"{' '.join(option)}: exit code {done.returncode}: {done.stderr[-200:]}"))
            if not replaceable and target.read_bytes() != case.data:
                finds.append(Find("replaced", case, f"{' '.join(option)} replaced a file of another kind"))
        return finds


class Links(Outputs):
    """Links, pipes and folders under names that assay uses itself in a folder; the case is what a link leads to."""

    name, share, batch = "link", 0.02, 50

    def prepare(self, program, work):
        pass

    def run(self, cases, program, work):
        finds = []
        for case in cases:
            folder, victim, places = runs.fresh(work / "links"), work / "victim", self.places(program, work)
            victim.write_bytes(case.data)
            names = list(outputs.link_places(places, folder))
            what, path, words = names[case.index // len(outputs.LINKS) % len(names)]
            kind = outputs.LINKS[case.index % len(outputs.LINKS)]
            outputs.put_link(kind, path, victim)
            done = places.run(*words)
            if done.returncode not in (0, 1, 2, 3, 4):
                finds.append(Find("hang" if done.returncode == -9 else "exit", case, f"{kind} as {what}: exit code {done.returncode}"))
            if victim.read_bytes() != case.data or (victim.parent / "nothing").exists():
                finds.append(Find("replaced", case, f"{kind} as {what}: it was followed"))
        return finds


ALL = (Nsys, Timelines, NsysSql, Rocpd, RocpdSql, TraceGzip, Trace, Counters, Memory, Jax, Found, Sheets, Runners, Questions, Results, Outputs, Links)
