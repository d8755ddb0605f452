"""Files whose parts lie in each other as deep as a file is long: no command may recurse over them."""

import gzip
import json
import sqlite3

import runs
import seeds
from cases import Find
from kinds import HERE, Kind

DEPTHS = (70, 20_000, 100_000, 100_000)


def edited(data, edit):
    db = sqlite3.connect(":memory:")
    try:
        db.deserialize(bytes(data))
        edit(db)
        db.commit()
        return db.serialize()
    finally:
        db.close()


def ranges(rng, data, depth):
    """NVTX ranges around all calls of a thread; some are called by slashes."""
    def edit(db):
        low, high, thread = db.execute("SELECT min(start), max(end), globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME GROUP BY 3 "
                                       "ORDER BY count(*) DESC LIMIT 1").fetchone()
        name = rng.choice(("r%d", "r%d", "step_%d", "/%d/", "x" * 5000 + "%d"))
        many = depth if len(name) < 100 else min(depth, 2_000)
        names = [name % (d % 50) for d in range(50)]
        if rng.random() < 0.5:
            db.execute("DELETE FROM NVTX_EVENTS")  # what lies around a step is no place in it
        db.executemany("INSERT INTO NVTX_EVENTS(start, end, eventType, text, globalTid, domainId) VALUES (?, ?, 59, ?, ?, 0)",
                       ((low + d - many, high + many - d, names[d % 50], thread) for d in range(many)))
    return edited(data, edit)


def slashes(rng, data, depth):
    """One range around all calls whose name is a path of many parts."""
    def edit(db):
        low, high = db.execute("SELECT min(start), max(end) FROM CUPTI_ACTIVITY_KIND_RUNTIME").fetchone()
        for thread, in db.execute("SELECT DISTINCT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME").fetchall():
            db.execute("INSERT INTO NVTX_EVENTS(start, end, eventType, text, globalTid, domainId) VALUES (?, ?, 59, ?, ?, 0)",
                       (low - 1, high + 1, rng.choice(("/", "a/", "::")) * depth, thread))
    return edited(data, edit)


def cells(rng, data, depth):
    """JSON in the cells of a rocpd database."""
    deep = '{"a":' * depth + "1" + "}" * depth if rng.random() < 0.5 else '{"mem_banks":' + "[" * depth + "]" * depth + "}"
    def edit(db):
        for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%extdata%'").fetchall():
            db.execute(f'UPDATE "{name}" SET extdata = ?', (deep,))
    return edited(data, edit)


def spans(rng, data, depth):
    """Operators of a trace in each other, or arguments of one event."""
    text = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    events = text["traceEvents"] if isinstance(text, dict) else text
    if rng.random() < 0.5:
        first = next(e for e in events if e.get("ph") == "X")
        events += [dict(first, cat="cpu_op", name=f"op{d % 50}", ts=d, dur=3 * depth - 2 * d, args={}) for d in range(depth)]
        return json.dumps(text).encode()
    return json.dumps(text).encode().replace(b'"args": {', b'"args": {"deep": ' + b"[" * depth + b"]" * depth + b", ", 1)


def keys(rng, data, depth):
    part = rng.choice(("a.", "'a'.", "a . "))
    return rng.choice((part * depth + "a = 1\n", "[" + part * depth + "a]\n", "x = " + "[" * depth + "]" * depth + "\n",
                       "x = " + "{ a = " * depth + "1" + " }" * depth + "\n")).encode() + data


COMMANDS = {
    ".sqlite": [("look",), ("compare",), ("stats",), ("timeline", "-o", "out.json"), ("whatif",),
                ("query", "--sql=SELECT max(length(range_path(id))) FROM ranges", "--timeout", "5", "--memory", "256")],
    "_results.db": [("look",), ("compare",), ("list",)],
    ".pt.trace.json": [("look",), ("compare",), ("timeline", "-o", "out.json")],
    ".toml": [("plan",), ("run", "--reports", ".", "-o", "out", "--no-cache")],
}


class Depth(Kind):
    name, share, batch, structured = "depth", 0.004, 5, 1.0
    ways = (None,)

    def make_seeds(self):
        return [seeds.exports()[0], seeds.rocpd()[1], seeds.plain_traces()[0],
                seeds.Seed("question", (HERE / "question.toml").read_bytes(), ".toml")]

    def prepare(self, program, work):
        pass

    def case_of(self, rng, seed):
        """Name of the way and the file."""
        way = rng.choice({".sqlite": (ranges, ranges, slashes), "_results.db": (cells,), ".toml": (keys,)}.get(seed.suffix, (spans,)))
        return way.__name__, way(rng, seed.data, rng.choice(DEPTHS))

    def run(self, cases, program, work):
        finds = []
        for case in cases:
            folder = runs.fresh(work / "deep")
            (folder / case.name).write_bytes(case.data)
            for command, *options in COMMANDS[case.seed.suffix]:
                files = [case.name] * (2 if command == "compare" else 1)
                wrong = program(command, *files, *options, folder=folder, seconds=60).wrong({0, 2, 3})
                if wrong:
                    finds.append(Find(wrong[0], case, f"{command}: {wrong[1]}"))
        return finds
