"""Ways to damage a file. Every function takes a source of randomness and bytes and gives bytes; the name of the way
is the name of the function."""

import gzip
import re
import sqlite3
import struct
import zlib

import sqlite_map as smap

BYTES = (0, 1, 0x7F, 0x80, 0xFF, 0x20, 0x30, 0x22, 0x2C, 0x0A, 0x2D, 0x5B, 0x7B)


def bits(rng, data):
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return out


def byte(rng, data):
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        out[rng.randrange(len(out))] = rng.choice(BYTES) if rng.random() < 0.7 else rng.randrange(256)
    return out


def cut(rng, data):
    return data[: rng.choice((rng.randrange(len(data)), max(0, len(data) - rng.randrange(1, 65))))]


def block(rng, data):
    size = rng.choice((1, 4, 16, 64, 512, 512, 1024, 4096))
    size = min(size, max(1, len(data) // 2))
    at = [rng.randrange(len(data) - size + 1) for _ in range(2)]
    if size >= 512 and rng.random() < 0.7:  # whole sectors, as disks lose them
        at = [a // size * size for a in at]
    return size, at[0], at[1]


def swap(rng, data):
    size, a, b = block(rng, data)
    if abs(a - b) < size:
        return bits(rng, data)
    out = bytearray(data)
    out[a : a + size], out[b : b + size] = data[b : b + size], data[a : a + size]
    return out


def overwrite(rng, data):
    size, a, b = block(rng, data)
    out = bytearray(data)
    out[a : a + size] = data[b : b + size]
    return out


def fill(rng, data):
    size, a, _ = block(rng, data)
    out = bytearray(data)
    out[a : a + size] = bytes([rng.choice((0, 0, 0xFF, 0x20))]) * size
    return out


def insert(rng, data):
    size, a, b = block(rng, data)
    return data[:a] + data[b : b + size] + data[a:]


def remove(rng, data):
    size, a, _ = block(rng, data)
    return data[:a] + data[a + size :]


RAW = (bits, bits, bits, byte, byte, cut, swap, overwrite, fill, insert, remove)


def splice(rng, data, other):
    a, b = rng.randrange(1, len(data)), rng.randrange(len(other))
    if rng.random() < 0.5:  # at the same place, in whole sectors
        a = b = min(a, b) // 512 * 512
    return data[:a] + other[b:]


# --- SQLite ---------------------------------------------------------------------------------------------------------

HEADER_FIELDS = ((16, 2), (18, 1), (19, 1), (20, 1), (21, 1), (22, 1), (23, 1), (24, 4), (28, 4), (32, 4), (36, 4), (40, 4),
                 (44, 4), (48, 4), (52, 4), (56, 4), (60, 4), (68, 4), (92, 4), (96, 4))


def odd_number(rng, old, width):
    most = (1 << 8 * width) - 1
    return rng.choice((0, 1, 2, old + 1, old - 1, old * 2, old ^ 1 << rng.randrange(8 * width), most, most >> 1,
                       rng.randint(0, most))) & most


def number_at(rng, out, at, width):
    old = int.from_bytes(out[at : at + width], "big")
    out[at : at + width] = odd_number(rng, old, width).to_bytes(width, "big")
    return out


def header_field(rng, data, _):
    return number_at(rng, bytearray(data), *rng.choice(HEADER_FIELDS))


def page_field(rng, data, where):
    head, _ = rng.choice(where.pages)
    offset, width = rng.choice(((0, 1), (1, 2), (3, 2), (3, 2), (5, 2), (7, 1), (8, 4)))
    return number_at(rng, bytearray(data), head + offset, width)


def cell_pointer(rng, data, where):
    out = bytearray(data)
    at, other = rng.choice(where.pointers), rng.choice(where.pointers)
    if rng.random() < 0.5:
        out[at : at + 2] = data[other : other + 2]
        return out
    return number_at(rng, out, at, 2)


def region(rng, data, where):
    """A byte of one kind of place, each kind equally often: else nearly all flips hit values."""
    kinds = [k for k in (smap.SCHEMA, smap.PAGE, smap.POINTER, smap.CELL, smap.TYPE, smap.ROWID, smap.VALUE, smap.LINK)
             if where.offsets[k]]
    at = rng.choice(where.offsets[rng.choice(kinds)])
    out = bytearray(data)
    out[at] = rng.choice((out[at] ^ 1 << rng.randrange(8), out[at] ^ 1 << rng.randrange(8), odd_number(rng, out[at], 1)))
    return out


def schema_bit(rng, data, where):
    at = rng.choice(where.offsets[smap.SCHEMA])
    out = bytearray(data)
    out[at] ^= 1 << rng.randrange(8)
    return out


def schema_text(rng, data, where):
    """Another word in the text of the schema, or another root page."""
    (a, end), (b, other) = rng.choice(where.words), rng.choice(where.words)
    return data[:a] + data[b : min(other, b + end - a)].ljust(end - a, b"_") + data[end:]


def pages(rng, data, where):
    """Whole pages swapped, repeated or emptied."""
    size = where.page_size
    count = len(data) // size
    a, b = rng.randrange(count) * size, rng.randrange(count) * size
    out = bytearray(data)
    way = rng.randrange(3)
    if way == 0:
        out[a : a + size], out[b : b + size] = data[b : b + size], data[a : a + size]
    elif way == 1:
        out[a : a + size] = data[b : b + size]
    else:
        out[a : a + size] = bytes(size)
    return out


SQLITE = (header_field, page_field, page_field, cell_pointer, region, region, region, schema_bit, schema_bit,
          schema_text, pages)

SINGLE_BYTES = {way.__name__ for way in (bits, byte, header_field, page_field, cell_pointer, region, schema_bit, schema_text)}

ODD_SQL = ("NULL", "-1", "0", "9223372036854775807", "-9223372036854775808", "1e308", "-0.0", "'text'", "''", "x'00ff'",
           "'nan'", "'{\"a\": 1}'", "'{\"a\": [1]}'", "'' || char(0x202e) || char(27) || char(0x85)", "zeroblob(100000)",
           "char(65535)", "'=cmd()'", "rowid", "'a;b=;=c;question=x'")


def sql(rng, data):
    """A well-formed database that holds, or is built like, nothing that was ever written."""
    db = sqlite3.connect(":memory:")
    try:
        db.deserialize(bytes(data))
        db.execute("PRAGMA writable_schema = ON")
        for _ in range(rng.choice((1, 1, 2, 4))):
            try:
                sql_step(rng, db)
            except (sqlite3.Error, MemoryError):  # which is what Python makes of damage to a schema
                pass  # the step before may have removed what this one wants
        db.commit()
        return db.serialize()
    except (sqlite3.Error, MemoryError):  # a schema that SQLite itself no longer follows
        return data
    finally:
        db.close()


def loosened(rng, db, table):
    """The table without its constraints, so that any cell can stand in it."""
    db.execute(f'CREATE TABLE "loose" AS SELECT * FROM "{table}"')
    db.execute(f'DROP TABLE "{table}"')
    db.execute(f'ALTER TABLE "loose" RENAME TO "{table}"')


def sql_step(rng, db):
    tables = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
    table = rng.choice(tables or ["sqlite_master"])
    columns = [r[1] for r in db.execute(f'PRAGMA table_info("{table}")')] or ["rowid"]
    column, other = rng.choice(columns), rng.choice(columns)
    kind = rng.choice(("INTEGER", "TEXT", "REAL", "BLOB", "NUMERIC", "", "INT PRIMARY KEY"))
    row = "(SELECT count(*) FROM \"" + table + "\")"
    number = rng.randrange(1 << 16)
    way = rng.randrange(12)
    if way <= 4:
        loosened(rng, db, table)
        some = rng.choice((f"rowid = 1 + {number} % {row}", f"rowid % 3 = {number % 3}", "1"))
        db.execute(f'UPDATE "{table}" SET "{column}" = {rng.choice(ODD_SQL)} WHERE {some}')
    elif way == 5:
        db.execute(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
    elif way == 6:
        db.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "{other}x"')
    elif way == 7:
        db.execute(f'ALTER TABLE "{table}" RENAME TO "{table}_old"')
    elif way == 8:
        db.execute(f'DELETE FROM "{table}" WHERE {rng.choice(("1", f"rowid % 2 = {number % 2}"))}')
    elif way == 9:
        new = ", ".join(f'"{c}" {kind if c == column else ""}' for c in columns)
        db.execute(f"CREATE TABLE \"other\" ({new}){' WITHOUT ROWID' if 'PRIMARY' in kind else ''}")
        db.execute(f'INSERT OR IGNORE INTO "other" SELECT * FROM "{table}"')
        db.execute(f'DROP TABLE "{table}"')
        db.execute(f'ALTER TABLE "other" RENAME TO "{table}"')
    elif way == 10:
        db.execute(f'INSERT OR IGNORE INTO "{table}" SELECT * FROM "{table}" LIMIT 40')
    else:
        field, value = rng.choice((("sql", f"replace(sql, '{column}', '{other}')"), ("sql", "'CREATE TABLE x(y)'"),
                                   ("rootpage", str(number % 40)), ("name", f"'{table}2'"), ("tbl_name", "'x'"),
                                   ("type", "'view'"), ("sql", "NULL"), ("sql", f"sql || char({number})")))
        db.execute(f"UPDATE sqlite_master SET {field} = {value} WHERE name = ?", (table,))


# --- gzip -----------------------------------------------------------------------------------------------------------


def gzip_header(rng, data):
    out = bytearray(data)
    at = rng.choice((0, 1, 2, 3, 3, 3, 4, 8, 9, 10))
    out[at] = rng.choice((out[at] ^ 1 << rng.randrange(8), rng.choice((1, 2, 4, 8, 16, 31, 32, 255))))
    return out


def gzip_trailer(rng, data):
    out = bytearray(data)
    at = len(out) - 8 + 4 * rng.randrange(2)
    old = int.from_bytes(out[at : at + 4], "little")
    out[at : at + 4] = odd_number(rng, old, 4).to_bytes(4, "little")
    return out


def gzip_end(rng, data):
    more = (b"\0" * 20, b"garbage", data, data[: len(data) // 2], gzip.compress(b'{"traceEvents": []}', mtime=0),
            gzip.compress(b"", mtime=0), gzip.compress(b" \n ", mtime=0), b"\x1f\x8b", data[:9])
    return rng.choice((data[: -rng.randrange(1, 9)], data + rng.choice(more), data + rng.choice(more)))


def gzip_block(rng, data):
    """A flip in the text, which stands in a stored block, under the trailer of the original."""
    try:
        text = bytearray(gzip.decompress(data))
    except (OSError, EOFError, zlib.error):
        return bits(rng, data)
    trailer = struct.pack("<II", zlib.crc32(text), len(text) & 0xFFFFFFFF)
    for _ in range(rng.choice((1, 1, 3))):
        text[rng.randrange(len(text))] ^= 1 << rng.randrange(4)
    pack = zlib.compressobj(rng.choice((0, 1, 6)), zlib.DEFLATED, -15)
    return data[:3] + b"\0" + data[4:10] + pack.compress(bytes(text)) + pack.flush() + trailer


GZIP = (gzip_header, gzip_trailer, gzip_end, gzip_block)

# --- texts ----------------------------------------------------------------------------------------------------------

VALUES = (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"1e-999", b"-0", b"0", b"-1", b"1e18", b"9223372036854775807",
          b"9223372036854775808", b"-9223372036854775809", b"99999999999999999999999", b"0.1e1", b"01", b"1.", b"null", b"true",
          b"[]", b"{}", b'""', b'"x"', b'"1"', b'"\\ud800"', b'"\\u0000"', b'"\xff"', b'"\xef\xbf\xbf"', b"[[]]", b"[1,2,3]",
          b"1979-05-27T07:32:00Z", b"'x'", b'"""', b"inf", b"nan", b"0xFF", b"1_000")
TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\b(?:true|false|null)\b')
STRAY = (b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\0", b"\x1b", b"\xef\xb9\xbf", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xff\xfe",
         b"\r", b"\n", b"\xc2\x85", b"\xe2\x80\xae", b"#", b"=", b"'", b"/*", b"//")


def tokens(data):
    found = [m.span() for m in TOKEN.finditer(data)]
    return found or [(0, len(data))]


def token(rng, data):
    """Another value in the place of one: an odd one, or one from elsewhere in the file."""
    spans = tokens(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        begin, end = rng.choice(spans)
        first, last = rng.choice(spans)
        new = rng.choice(VALUES) if rng.random() < 0.6 else data[first:last]
        data = data[:begin] + new + data[end:]
        spans = tokens(data)
    return data


def everywhere(rng, data):
    """All values of one kind become another: a key that is gone, times that are texts."""
    begin, end = rng.choice(tokens(data))
    return data.replace(data[begin:end], rng.choice(VALUES + (b'"_"',)), rng.choice((-1, -1, 3)))


def nest(rng, data):
    begin, end = rng.choice(tokens(data))
    depth = rng.choice((2, 30, 300, 3000, 200_000))
    open_, close = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"[[", b"]]"), (b"[{\"a\":", b"}]")))
    closed = close * depth if rng.random() < 0.7 else b""
    return data[:begin] + open_ * depth + data[begin:end] + closed + data[end:]


def stray(rng, data):
    out = bytes(data)
    for _ in range(rng.choice((1, 1, 3))):
        at = rng.randrange(len(out) + 1)
        out = out[:at] + rng.choice(STRAY) + out[at:]
    return out


def long(rng, data):
    begin, end = rng.choice(tokens(data))
    filler = rng.choice((b"9" * 400, b"1" + b"0" * 5000, b'"' + b"a" * 70_000 + b'"', b'"' + b"\\u0041" * 5000 + b'"',
                         b"0." + b"0" * 2000 + b"1", b" " * 100_000))
    return data[:begin] + filler + data[end:]


def lines(rng, data):
    """Lines swapped, repeated, left out, or ended otherwise."""
    split = data.splitlines(keepends=True)
    a, b = rng.randrange(len(split)), rng.randrange(len(split))
    way = rng.randrange(5)
    if way == 0:
        split[a], split[b] = split[b], split[a]
    elif way == 1:
        split.insert(b, split[a])
    elif way == 2:
        del split[a]
    elif way == 3:
        split[a] = split[a] * rng.choice((2, 300))
    else:
        return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\n", b"\0\n", b"")))
    return b"".join(split)


def encoding(rng, data):
    text = data.decode("utf-8", "replace")
    return rng.choice((text.encode("utf-16"), text.encode("utf-16-le"), text.encode("utf-32"), b"\xef\xbb\xbf" + data,
                       text.encode("utf-7"), data.replace(b" ", b"\xc2\xa0"), data.replace(b"a", b"\xc3\xa1")))


TEXT = (token, token, token, everywhere, nest, stray, stray, long, lines, encoding)


def cells(rng, data):
    """What separates and quotes cells, changed in one place or all over."""
    new = rng.choice((b";", b"\t", b",,", b'"', b'""', b"", b"'", b"\0", b",\n", b"=1+1,"))
    old = rng.choice((b",", b'"', b"\n", b'","'))
    if rng.random() < 0.4:
        return data.replace(old, new)
    places = [m.start() for m in re.finditer(re.escape(old), data)]
    if not places:
        return bits(rng, data)
    at = rng.choice(places)
    return data[:at] + new + data[at + len(old) :]


def column(rng, data):
    """A column less, or one twice."""
    split = [line.split(b",") for line in data.splitlines()]
    at, to = rng.randrange(max(1, len(split[0]))), rng.randrange(max(1, len(split[0])))
    keep = rng.random() < 0.5
    for cells_ in split:
        if at < len(cells_):
            cell = cells_[at]
            if keep:
                cells_.insert(to, cell)
            else:
                del cells_[at]
    return b"\n".join(b",".join(c) for c in split) + b"\n"


CSV = (cells, cells, column, *TEXT)
