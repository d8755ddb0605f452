"""Each column of each table in turn: gone, NULL, empty, of another type, one value at its extremes. Equal numbers, or it is said."""

import csv
import functools
import io
import json
import random
import sqlite3

import ncu_rep
import seeds
from kinds import Reports

EXTREMES = (2**63 - 1, -(2**63) + 1, -(2**63))
WAYS = ("gone", "null", "empty", "type", "one null", *(f"one {value}" for value in EXTREMES))
# Of numbers that may be any nothing in a file says what they should be, and names may be any text.
FREE = {"Metric Value", "bytes", "memoryBandwidth", "totalMemory", "size", "value", "dispatch_id", "pid", "tid", "Process ID", "Kernel Name"}
# Not in every file, so that without them nothing is lost.
OPTIONAL = {"grid", "block", "registers per thread", "shared memory", "External id", "Metric Unit", "Total Allocated", "Total Reserved", "Concrete Inputs", "blocks per SM", "warps per SM", "est. achieved occupancy %"}


def loosened(data):
    """The database with plain columns, which hold anything."""
    db = sqlite3.connect(":memory:")
    db.deserialize(bytes(data))
    for table in tables(db):
        columns = ", ".join(f'"{name}" {kind}' for name, kind in columns_of(db, table))
        db.executescript(f'CREATE TABLE loose({columns}); INSERT INTO loose SELECT * FROM "{table}"; DROP TABLE "{table}"; '
                         f'ALTER TABLE loose RENAME TO "{table}";')
    db.execute("VACUUM")
    return db.serialize()


def tables(db):
    return [r[0] for r in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1")]


def columns_of(db, table):
    return [(row[1], row[2]) for row in db.execute(f'PRAGMA table_info("{table}")')]


def places_of_database(data):
    db = sqlite3.connect(":memory:")
    db.deserialize(bytes(data))
    return [(table, name) for table in tables(db) if db.execute(f'SELECT 1 FROM "{table}"').fetchone()
            for name, _ in columns_of(db, table)]


def damaged_database(data, place, way, rng):
    table, column = (f'"{word}"' for word in place)
    db = sqlite3.connect(":memory:")
    db.deserialize(bytes(data))
    rows = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    is_text = db.execute(f"SELECT 1 FROM {table} WHERE typeof({column}) = 'text'").fetchone()
    if way == "gone":
        db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    else:
        value = {"null": None, "empty": "", "type": b"\0\xff" if is_text else "words", "one null": None}.get(way)
        if way.startswith("one ") and way != "one null":
            value = int(way.removeprefix("one "))
        where = f"WHERE rowid = {rng.randrange(rows) + 1}" if way.startswith("one ") else ""
        if not (is_text and type(value) is int):
            db.execute(f"UPDATE {table} SET {column} = ? {where}", (value,))
    db.commit()
    return db.serialize()


def events_of(trace):
    return trace["traceEvents"] if isinstance(trace, dict) else trace


def places_of_trace(data):
    """(category, key) of the members of events and of their arguments."""
    trace, found = json.loads(data), {}
    for event in events_of(trace):
        arguments = event.get("args") if isinstance(event.get("args"), dict) else {}
        for key in (*(key for key in event if key != "args"), *arguments):
            found[str(event.get("cat", event.get("ph"))), key] = True
    return list(found)


def damaged_trace(data, place, way, rng):
    category, key = place
    trace = json.loads(data)
    holders = [event if key in event else event["args"] for event in events_of(trace)
               if str(event.get("cat", event.get("ph"))) == category and
               (key in event or (isinstance(event.get("args"), dict) and key in event["args"]))]
    for holder in [rng.choice(holders)] if way.startswith("one ") else holders:
        is_text = isinstance(holder[key], str)
        if way == "gone":
            del holder[key]
        elif way in ("null", "one null"):
            holder[key] = None
        elif way == "empty":
            holder[key] = ""
        elif way == "type":
            holder[key] = 5 if is_text else "words"
        elif isinstance(holder[key], (int, float)):
            holder[key] = int(way.removeprefix("one "))
    return json.dumps(trace).encode()


def has_header(data):
    return b'"ID"' in data and b'"Kernel Name"' in data


def rows_of_csv(data):
    """What the program printed before the header, and the rows."""
    lines = data.decode("utf-8-sig", "replace").splitlines(keepends=True)
    head = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
    return "".join(lines[:head]), list(csv.reader(io.StringIO("".join(lines[head:]))))


def places_of_csv(data):
    return [("page", name) for name in dict.fromkeys(rows_of_csv(data)[1][0])]


def damaged_csv(data, place, way, rng):
    printed, rows = rows_of_csv(data)
    column = rows[0].index(place[1])
    units = len(rows) > 1 and rows[1][0] == ""
    chosen = range(1 + units, len(rows))
    if way == "gone":
        rows = [row[:column] + row[column + 1:] for row in rows]
    else:
        for i in [rng.choice(chosen)] if way.startswith("one ") else chosen:
            cell = rows[i][column] if column < len(rows[i]) else ""
            number = cell[:1].isdigit() or cell[:1] == "("
            value = {"null": "", "empty": "", "one null": "", "type": "words" if number else "5"}.get(way, way.removeprefix("one "))
            if cell and (number or not way.startswith("one ") or way == "one null"):
                rows[i][column] = value
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return (printed + out.getvalue()).encode()


FORMATS = {".sqlite": (places_of_database, damaged_database), "_results.db": (places_of_database, damaged_database),
           ".pt.trace.json": (places_of_trace, damaged_trace), ".csv": (places_of_csv, damaged_csv)}


class InTurn(Reports):
    """Kinds whose cases are a list: each damage in turn, in an order that the seed number shuffles."""

    protected = True

    @functools.cached_property
    def damages(self):
        return [(seed, *damage) for seed in self.seeds for damage in self.damages_of(seed)]

    @functools.lru_cache(maxsize=2)
    def order(self, seed_number):
        return random.Random(seed_number).sample(range(len(self.damages)), len(self.damages))

    def most(self):
        return len(self.damages)

    def case_at(self, index, seed_number, rng):
        """The seed, what is damaged and how, and the bytes."""
        seed, *damage = self.damages[self.order(seed_number)[index % len(self.damages)]]
        return seed, self.named(*damage), self.damaged(seed, *damage, rng)

    def located(self, case):
        return case.how, not self.is_free(case.how)

    def is_free(self, how):
        return False

    def judge(self, cases, results):
        return [f for f in super().judge(cases, results) if f.what != "gone"]


class Required(InTurn):
    name, share, batch = "required", 0.08, 100

    def make_seeds(self):
        databases = [seeds.Seed(s.name, loosened(s.data), s.suffix)
                     for s in (*seeds.exports(), *seeds.rocpd()) if s.name != "limits"]
        return [*databases, *seeds.plain_traces(), *filter(lambda seed: has_header(seed.data), seeds.counters())]

    def damages_of(self, seed):
        return [(place, way) for place in FORMATS[seed.suffix][0](seed.data) for way in WAYS]

    def named(self, place, way):
        return f"{place[0].split('_0000')[0]}.{place[1]}: {way}"

    def damaged(self, seed, place, way, rng):
        return FORMATS[seed.suffix][1](seed.data, place, way, rng)

    def is_free(self, how):
        column, way = how.split(".", 1)[-1].split(": ")
        optional = column in OPTIONAL and way in ("gone", "null", "empty", "one null") or "__" in column and way != "type"
        return optional or column in FREE and (way.startswith("one ") or way == "type")


class Headers(InTurn):
    """Reports of Nsight Compute whose headers count more or fewer than there is, and whose sizes are off."""

    name, share, batch = "ncu-rep", 0.02, 50

    def make_seeds(self):
        return ncu_rep.reports()

    def damages_of(self, seed):
        return [(how,) for how in ncu_rep.edits(seed.data)]

    def named(self, how):
        return how

    def damaged(self, seed, how, rng):
        return ncu_rep.edits(seed.data)[how]()
