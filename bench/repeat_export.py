#!/usr/bin/env python3
"""Makes a large SQLite export of Nsight Systems of a small one: repeat_export.py SMALL.sqlite TIMES LARGE.sqlite

What happened is there so many times, one after the other, each under numbers of its own; what describes the run is
there once. The same bytes for the same export.
"""

import pathlib
import sqlite3
import sys

TIMES = ("start", "end", "timestamp")
NUMBERS = ("correlationId", "eventSyncId", "rangeId")
PAUSE = 1000  # ns between one and the next


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, copies, target = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    target.unlink(missing_ok=True)
    db = sqlite3.connect(f"file:{target}", uri=True, isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.execute("ATTACH ? AS small", (f"file:{source}?immutable=1",))
    columns = {}
    for name, sql in db.execute("SELECT name, sql FROM small.sqlite_schema WHERE type = 'table'").fetchall():
        db.execute(sql)
        columns[name] = [row[1] for row in db.execute(f'PRAGMA small.table_info("{name}")').fetchall()]
    happened = [name for name, of in columns.items() if "start" in of]

    def extreme(function, column, tables):
        found = [db.execute(f'SELECT {function}("{column}") FROM small."{t}"').fetchone()[0] for t in tables
                 if column in columns[t]]
        return [value for value in found if value is not None] or [0]

    by = dict.fromkeys(TIMES, max(extreme("max", "end", happened)) - min(extreme("min", "start", happened)) + PAUSE)
    by |= {number: max(extreme("max", number, columns)) - min(extreme("min", number, columns)) + 1 for number in NUMBERS}
    repeated = [name for name, of in columns.items() if "start" in of or "correlationId" in of]
    db.execute("BEGIN")
    for name, of in columns.items():
        values = ", ".join(f't."{c}" + (t."{c}" > 0) * :copy * {by[c]}' if name in repeated and c in by else f't."{c}"'
                           for c in of)
        for copy in range(copies if name in repeated else 1):
            db.execute(f'INSERT INTO main."{name}" SELECT {values} FROM small."{name}" AS t', {"copy": copy})
    longer = (copies - 1) * by["start"]
    db.execute("UPDATE main.ANALYSIS_DETAILS SET duration = duration + ?1, stopTime = stopTime + ?1", (longer,))
    db.execute("COMMIT")


if __name__ == "__main__":
    main()
