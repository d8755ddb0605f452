"""Says of every byte of a SQLite database what it is: a walk over its pages by the documented file format.

The campaign needs it to tell a flip inside a valid cell, which no reader can notice, from damage to the header, the
schema, the structure of pages or the types of cells, which it must.
"""

import re
import sqlite3

FREE, HEADER, SCHEMA, PAGE, POINTER, CELL, TYPE, ROWID, VALUE, LINK = range(10)
NAMES = ("free", "header", "schema", "page", "pointer", "cell", "type", "rowid", "value", "link")
LEAF, INTERIOR = 13, 5
INDEX = (2, 10)
VALUES = {FREE, ROWID, VALUE}  # what may change without the file being damaged


def varint(data, at):
    """Value and length of a varint."""
    value = 0
    for i in range(9):
        byte = data[at + i]
        if i == 8:
            return value << 8 | byte, 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, i + 1
    raise AssertionError("unreachable")


class Map:
    """kind[i] is one of the constants above, table_of[i // page size] the name of the table that owns the page."""

    def __init__(self, data):
        self.data = data
        self.page_size = int.from_bytes(data[16:18], "big")
        if self.page_size == 1:
            self.page_size = 65536
        self.usable = self.page_size - data[20]
        self.kind = bytearray(len(data))  # FREE
        self.table_of = {}
        self.pages = []  # (offset of the page header, type) of the trees of tables
        self.pointers = []  # offsets of cell pointers
        self._tree(1, "sqlite_master")
        self.kind[:100] = bytes([HEADER]) * 100
        for name, root in self._roots():
            self._tree(root, name)
        self.offsets = [[] for _ in NAMES]  # of each kind, in order
        for i, kind in enumerate(self.kind):
            self.offsets[kind].append(i)
        self.words = [m.span() for m in re.finditer(rb"[A-Za-z_]{3,}", data) if self.kind[m.start()] == SCHEMA]

    def _roots(self):
        db = sqlite3.connect(":memory:")
        try:
            db.deserialize(bytes(self.data))
            rows = db.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0").fetchall()
        finally:
            db.close()
        return rows

    def _mark(self, begin, end, kind):
        self.kind[begin:end] = bytes([kind]) * (end - begin)

    def _tree(self, number, table):
        """Marks the pages of a tree; the pages of indices only as such."""
        data, base = self.data, (number - 1) * self.page_size
        head = base + (100 if number == 1 else 0)
        kind = data[head]
        self.table_of[number - 1] = table
        size = 12 if kind in (INTERIOR, 2) else 8
        self._mark(head, head + size, PAGE)
        self.pages.append((head, kind))
        count = int.from_bytes(data[head + 3 : head + 5], "big")
        for i in range(count):
            pointer = head + size + 2 * i
            self._mark(pointer, pointer + 2, POINTER)
            self.pointers.append(pointer)
            cell = base + int.from_bytes(data[pointer : pointer + 2], "big")
            if kind == INTERIOR:
                self._mark(cell, cell + 4 + varint(data, cell + 4)[1], PAGE)
                self._tree(int.from_bytes(data[cell : cell + 4], "big"), table)
            elif kind == LEAF:
                self._cell(cell, table)
        if kind == INTERIOR:
            self._tree(int.from_bytes(data[head + 8 : head + 12], "big"), table)

    def _cell(self, at, table):
        data = self.data
        payload, n = varint(data, at)
        _, m = varint(data, at + n)
        body = at + n + m
        self._mark(at, at + n, CELL)
        self._mark(at + n, body, ROWID)
        local = self._local(payload)
        header, _ = varint(data, body)
        schema = table == "sqlite_master"
        self._mark(body, body + min(header, local), SCHEMA if schema else TYPE)
        self._mark(body + min(header, local), body + local, SCHEMA if schema else VALUE)
        if local < payload:
            self._mark(body + local, body + local + 4, LINK)
            page = int.from_bytes(data[body + local : body + local + 4], "big")
            self._overflow(page, payload - local, SCHEMA if schema else VALUE, table)

    def _local(self, payload):
        """Bytes of a payload that stand in the leaf itself."""
        most = self.usable - 35
        if payload <= most:
            return payload
        least = (self.usable - 12) * 32 // 255 - 23
        kept = least + (payload - least) % (self.usable - 4)
        return kept if kept <= most else least

    def _overflow(self, page, left, kind, table):
        while page and left > 0:
            base = (page - 1) * self.page_size
            self.table_of[page - 1] = table
            self._mark(base, base + 4, LINK)
            here = min(left, self.usable - 4)
            self._mark(base + 4, base + 4 + here, kind)
            left -= here
            page = int.from_bytes(self.data[base : base + 4], "big")

    def _differences(self, mutated):
        """(offset, kind) of every byte that differs."""
        for page in range(0, min(len(mutated), len(self.data)), self.page_size):
            old, new = self.data[page : page + self.page_size], mutated[page : page + self.page_size]
            if old == new:
                continue
            for i, (a, b) in enumerate(zip(old, new)):
                if a == b:
                    continue
                kind = self.kind[page + i]
                # NULL, 0 and 1 are stored as a type alone: another of them is another value.
                yield page + i, VALUE if kind == TYPE and a in (0, 8, 9) and b in (0, 8, 9) else kind

    def changed(self, mutated):
        """The kinds and tables of the bytes that differ; a file of another length is damaged in its pages."""
        kinds = {PAGE} if len(mutated) != len(self.data) else set()
        tables = set()
        for at, kind in self._differences(mutated):
            kinds.add(kind)
            tables.add(self.table_of.get(at // self.page_size, "?"))
        return kinds, tables

    def apart(self, mutated):
        """The original with the values of the other alone, and with its damage alone; None when its length is another."""
        if len(mutated) != len(self.data):
            return None, None
        values, damage = bytearray(self.data), bytearray(self.data)
        for at, kind in self._differences(mutated):
            (values if kind in VALUES else damage)[at] = mutated[at]
        return bytes(values), bytes(damage)


def schema(data):
    """What the list of tables says; nothing when it cannot be read."""
    db = sqlite3.connect(":memory:")
    try:
        db.deserialize(bytes(data))
        return db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
    except (sqlite3.Error, MemoryError):
        return None
    finally:
        db.close()


def intact(data):
    """Whether SQLite's own check of the whole file finds nothing."""
    db = sqlite3.connect(":memory:")
    try:
        db.deserialize(bytes(data))
        return db.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
    except (sqlite3.Error, MemoryError):
        return False
    finally:
        db.close()
