#!/usr/bin/env python3
"""Makes a large profile of JAX from a small one: repeat.py IN OUT TIMES. The events of each line come again and again,
each time later by the length of the profile and under correlation ids of their own. Metadata stand once, as in a file
that the profiler wrote."""

import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def packed(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def fields(data):
    """(field, wire type, value, bytes of the whole field)"""
    at = 0
    while at < len(data):
        begin = at
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if kind == 2 else (8 if kind == 1 else 4, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, kind, value, data[begin:at]


def sized(field, data):
    return packed(field << 3 | 2) + packed(len(data)) + data


def event(data, correlation, later, ids):
    """The event with its offset and correlation id raised."""
    out = b""
    for field, kind, value, raw in fields(data):
        if field == 2 and kind == 0:
            raw = packed(2 << 3) + packed(value + later)
        elif field == 4:
            stat = dict((f, v) for f, _, v, _ in fields(value))
            if stat.get(1) == correlation:
                number = 3 if 3 in stat else 4
                raw = sized(4, packed(1 << 3) + packed(stat[1]) + packed(number << 3) + packed(stat[number] + ids))
        out += raw
    return out


def plane(data, times, length, most_ids):
    correlation = None
    for field, _, value, _ in fields(data):
        if field == 5 and b"correlation_id" in value:
            correlation = dict((f, v) for f, _, v, _ in fields(value))[1]
    out = b""
    for field, _, value, raw in fields(data):
        if field == 3:
            line = b"".join(r for f, _, _, r in fields(value) if f != 4)
            events = [v for f, _, v, _ in fields(value) if f == 4]
            for turn in range(times):
                line += b"".join(sized(4, event(e, correlation, turn * length, turn * most_ids)) for e in events)
            raw = sized(3, line)
        out += raw
    return out


def main():
    data, times = open(sys.argv[1], "rb").read(), int(sys.argv[3])
    length = 200_000_000_000  # ps: 200 ms
    out = b""
    for field, _, value, raw in fields(data):
        out += sized(1, plane(value, times, length, 100_000)) if field == 1 else raw
    open(sys.argv[2], "wb").write(out)


if __name__ == "__main__":
    main()
