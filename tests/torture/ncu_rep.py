"""Reports of Nsight Compute as blocks: made, cut from real ones, and edited in their headers."""

import functools
import struct

import seeds

MAGIC = b"NVR\0"
BLOCKS = 5  # of a cut


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, value):
    """A whole number, a double, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value & (1 << 64) - 1)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(message):
    """(number, value, bytes of the whole field) of each."""
    at, found = 0, []

    def number_at(at):
        value = shift = 0
        while True:
            byte = message[at]
            at, value, shift = at + 1, value | (byte & 0x7F) << shift, shift + 7
            if byte < 0x80:
                return value, at

    while at < len(message):
        begin = at
        tag, at = number_at(at)
        if tag & 7 == 0:
            value, at = number_at(at)
        elif tag & 7 == 2:
            size, at = number_at(at)
            value, at = message[at : at + size], at + size
        else:
            value, at = None, at + (8 if tag & 7 == 1 else 4)
        found.append((tag >> 3, value, message[begin:at]))
    return found


def sized(data):
    return struct.pack("<I", len(data)) + data


def parts(data):
    found, at = [], 0
    while at < len(data):
        size = struct.unpack_from("<I", data, at)[0]
        found.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return found


def blocks(data):
    """The file's header, and (fields of the header, parts of the payload) of each block."""
    size = struct.unpack_from("<I", data, 4)[0]
    head, at, found = data[8 : 8 + size], 8 + size, []
    while at < len(data):
        size = struct.unpack_from("<I", data, at)[0]
        header = fields(data[at + 4 : at + 4 + size])
        at += 4 + size
        payload = next((value for number, value, _ in header if number == 5), 0)
        found.append((header, parts(data[at : at + payload])))
        at += payload
    return head, found


def block(header, content):
    return sized(b"".join(header)) + b"".join(map(sized, content))


def written(head, found):
    return MAGIC + sized(head) + b"".join(block([raw for *_, raw in header], content) for header, content in found)


def with_payload(header, content):
    return fields(b"".join(raw for number, _, raw in header if number != 5) + field(5, sum(len(p) + 4 for p in content)))


def made():
    names = (b"gpu__time_duration.sum", b"launch__grid_size", b"dram__throughput.avg.pct_of_peak_sustained_elapsed",
             b"sm__throughput.avg.pct_of_peak_sustained_elapsed")

    def result(name, grid, *values):
        metrics = b"".join(field(13, field(1, i) + field(2, field(3, v) if isinstance(v, float) else field(4, v)))
                           for i, v in enumerate(values))
        return (field(1, 43) + field(5, b"_Z%d%sv" % (len(name), name)) + field(6, name) + field(10, field(1, grid) + field(2, 2) + field(3, 1)) +
                field(11, field(1, 128) + field(2, 1) + field(3, 1)) + metrics + field(22, 1) + field(23, 7))

    def source(number):
        return field(1, number) + field(4, b"\x7fELF" + bytes(60)) + field(5, 9) + field(9, b"cuda")

    def head(sources, results, *more):
        return fields(field(1, sources) + field(2, results) + b"".join(more) + field(6, field(1, 42) + field(3, b"python")))

    table = field(4, b"".join(field(1, name) for name in names))
    found = [(head(0, 0, field(3, field(6, field(1, 0) + field(2, b"NVIDIA H100")))), []),
             (head(1, 2, table), [source(1), result(b"gemm", 4, 210720.0, 8, 61.5, 40.0), result(b"add", 8, 5000.0, 16, 80.5, 10.0)]),
             (head(1, 1), [source(2), result(b"softmax", 2, 9000.0, 4, 70.5, 20.0)])]
    return written(field(1, 7), [(with_payload(header, content), content) for header, content in found])


def cut(data):
    """The report without the values of instances, and with code of few bytes."""
    head, found = blocks(data)
    small = []
    for header, content in found:
        kept = []
        for part in content:
            kept.append(b"".join(field(number, value[:200]) if number != 13 and isinstance(value, bytes) else raw
                                 for number, value, raw in fields(part) if number != 13 or len(raw) < 200))
        if content:
            small.append((with_payload(header, kept), kept))
    return written(head, small[:BLOCKS])


def reports():
    found = [seeds.Seed("made", made(), ".ncu-rep")]
    for folder in seeds.named_folders("ops", "hostile"):
        for file in sorted([*folder.glob("ops_full.ncu-rep"), *folder.glob("ncu_two_launches.ncu-rep")]):
            found.append(seeds.Seed(file.stem, cut(file.read_bytes()), ".ncu-rep"))
    return found


COUNTS = {1: "sources", 2: "results", 5: "payload", 7: "range results"}
BYTES = {3: "session", 4: "names", 6: "process"}


@functools.lru_cache(maxsize=4)
def edits(data):
    """Name -> function that gives the edited file."""
    head, found = blocks(data)
    all_edits = {f"version {text}": (lambda raw=raw: written(raw, found))
                 for text, raw in (("6", field(1, 6)), ("8", field(1, 8)), ("gone", b""), ("words", field(1, b"7")))}

    def put(place, header, content=None):
        return written(head, [*found[:place], (header, found[place][1] if content is None else content), *found[place + 1 :]])

    def replaced(place, changes):
        header = found[place][0]
        there = {number for number, *_ in header}
        raw = b"".join(changes.get(number, old) for number, _, old in header)
        return put(place, fields(raw + b"".join(new for number, new in changes.items() if number not in there)))

    for place, (header, content) in enumerate(found):
        values = {number: value for number, value, _ in header}
        old = {number: values.get(number, 0) for number in COUNTS}
        for number, name in COUNTS.items():
            for text, value in (("-1", old[number] - 1), ("+1", old[number] + 1), ("0", 0), ("+2", old[number] + 2),
                                ("1e9", 10**9), ("most", 2**64 - 1), ("-200", old[number] - 200), ("+200", old[number] + 200)):
                all_edits[f"block {place} {name} {text}"] = lambda p=place, n=number, v=value: replaced(p, {n: field(n, max(v, 0))})
            all_edits[f"block {place} {name} gone"] = lambda p=place, n=number: replaced(p, {n: b""})
            all_edits[f"block {place} {name} words"] = lambda p=place, n=number: replaced(p, {n: field(n, b"words")})
            all_edits[f"block {place} {name} twice"] = lambda p=place, n=number, v=old[number]: replaced(p, {n: field(n, v) + field(n, max(v - 1, 0))})
        for to, name in ((1, "a source"), (7, "a range result")):
            for count in (1, 2):
                if old[2] >= count:
                    all_edits[f"block {place} {count} of results as {name}"] = lambda p=place, t=to, c=count, o=old: replaced(
                        p, {2: field(2, o[2] - c), t: field(t, o[t] + c)})
        if old[1] > 0:
            all_edits[f"block {place} a source as a result"] = lambda p=place, o=old: replaced(p, {1: field(1, o[1] - 1), 2: field(2, o[2] + 1)})
        for number, name in BYTES.items():
            value = values.get(number)
            if value is None:
                continue
            for text, raw in (("gone", b""), ("empty", field(number, b"")), ("half", field(number, value[: len(value) // 2])),
                              ("number", field(number, 5)), ("zeros", field(number, bytes(len(value))))):
                all_edits[f"block {place} {name} {text}"] = lambda p=place, n=number, r=raw: replaced(p, {n: r})
        for i, part in enumerate(content):
            less = content[:i] + content[i + 1 :]
            all_edits[f"block {place} part {i} gone, counted"] = lambda p=place, h=header, c=less: put(p, with_payload(h, c), c)
            all_edits[f"block {place} part {i} empty"] = lambda p=place, h=header, c=[*content[:i], b"", *content[i + 1 :]]: put(p, with_payload(h, c), c)
            all_edits[f"block {place} part {i} half"] = lambda p=place, h=header, c=[*content[:i], part[: len(part) // 2], *content[i + 1 :]]: put(
                p, with_payload(h, c), c)
            for number in (1, 5, 6, 10, 11, 13, 22, 23):
                kept = b"".join(raw for n, _, raw in fields(part) if n != number)
                if kept != part:
                    all_edits[f"block {place} part {i} without field {number}"] = lambda p=place, h=header, c=[*content[:i], kept, *content[i + 1 :]]: put(
                        p, with_payload(h, c), c)
    return all_edits
