#!/usr/bin/env python3
"""Makes a large rocpd database of a small one: amplify_rocpd.py SMALL.db DISPATCHES LARGE.db

Everything that happened is there again and again, each time later and under numbers of its own, until there are as many
dispatches; what describes the run is there once. Arguments of calls are left out: assay reads none.
"""

import pathlib
import sqlite3
import sys

HAPPENED = ("event", "region", "kernel_dispatch", "memory_copy", "memory_allocate", "pmc_event")
TIMES = ("start", "end")
NUMBERS = {"id": None, "event_id": "event", "stack_id": "stack", "parent_stack_id": "stack", "dispatch_id": "dispatch"}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, wanted, target = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    target.unlink(missing_ok=True)
    db = sqlite3.connect(f"file:{target}", uri=True, isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.execute("ATTACH ? AS small", (f"file:{source}?immutable=1",))
    tables = db.execute("SELECT name, sql FROM small.sqlite_schema WHERE type = 'table' AND name LIKE 'rocpd%'").fetchall()
    words = {name: next((w for w in HAPPENED if name.startswith(f"rocpd_{w}_0")), "") for name, _ in tables}
    by_word = {word: name for name, word in words.items() if word}

    def ask(sql):
        return db.execute(sql).fetchone()[0] or 0

    most = {word: ask(f'SELECT max(id) FROM small."{name}"') for word, name in by_word.items()}
    most["stack"] = ask(f'SELECT max(stack_id) FROM small."{by_word["event"]}"')
    most["dispatch"] = ask(f'SELECT max(dispatch_id) FROM small."{by_word["kernel_dispatch"]}"')
    regions, kernels = by_word["region"], by_word["kernel_dispatch"]
    first = min(ask(f'SELECT min(start) FROM small."{t}"') for t in (regions, kernels))
    span = max(ask(f'SELECT max("end") FROM small."{t}"') for t in (regions, kernels)) - first + 1000
    copies = -(-wanted // ask(f'SELECT count(*) FROM small."{kernels}"'))
    db.execute("BEGIN")
    db.execute("CREATE TEMP TABLE n AS WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i + 1 < ?) "
               "SELECT i FROM c", (copies,))
    for name, sql in tables:
        db.execute(sql)
        if name.startswith("rocpd_arg_"):
            continue
        word = words[name]
        if not word:
            db.execute(f'INSERT INTO main."{name}" SELECT * FROM small."{name}"')
            continue
        values = []
        for column in (row[1] for row in db.execute(f'PRAGMA small.table_info("{name}")').fetchall()):
            by = span if column in TIMES else most.get(NUMBERS.get(column) or word, 0) if column in NUMBERS else 0
            values.append(f't."{column}" + n.i * {by}' if by else f't."{column}"')
        db.execute(f'INSERT INTO main."{name}" SELECT {", ".join(values)} FROM n CROSS JOIN small."{name}" AS t')
    db.execute("COMMIT")
    rows = sum(ask(f'SELECT count(*) FROM main."{name}"') for name in by_word.values())
    print(f"{target}: {ask(f'SELECT count(*) FROM main.{chr(34)}{kernels}{chr(34)}')} dispatches, {rows} rows")


if __name__ == "__main__":
    main()
