"""repeat.py SNAPSHOT OUT EVENTS: a memory snapshot of EVENTS events, in protocol 4 as PyTorch writes it, by repeating the
history of SNAPSHOT. Each repetition begins where the last one ended: what the history leaves allocated is freed first.
Addresses and stacks stay as they are, so that lists of frames are written as often, and refer to as many frames, as there."""
import pickle
import struct
import sys


class Writer:
    """The opcodes of Python's own pickler, but for what it holds in memory."""

    def __init__(self, out):
        self.out, self.memo, self.parts = out, {}, [b"\x80\x04"]
        self.count = 0

    def flush(self):
        self.out.write(b"".join(self.parts))
        self.parts.clear()

    def memoize(self, key=None):
        if key is not None:
            self.memo[key] = self.count
        self.count += 1
        self.parts.append(b"\x94")

    def get(self, number):
        self.parts.append(b"h" + bytes([number]) if number < 256 else b"j" + struct.pack("<I", number))

    def integer(self, n):
        if 0 <= n < 256:
            self.parts.append(b"K" + bytes([n]))
        elif 0 <= n < 65536:
            self.parts.append(b"M" + struct.pack("<H", n))
        elif -(2**31) <= n < 2**31:
            self.parts.append(b"J" + struct.pack("<i", n))
        else:
            data = pickle.encode_long(n)
            self.parts.append(b"\x8a" + bytes([len(data)]) + data)

    def value(self, value, key=None):
        if isinstance(value, bool):
            self.parts.append(b"\x88" if value else b"\x89")
        elif isinstance(value, int):
            self.integer(value)
        elif value is None:
            self.parts.append(b"N")
        elif isinstance(value, float):
            self.parts.append(b"G" + struct.pack(">d", value))
        elif isinstance(value, str):
            if value in self.memo:
                return self.get(self.memo[value])
            data = value.encode()
            self.parts.append(b"\x8c" + bytes([len(data)]) + data if len(data) < 256 else b"X" + struct.pack("<I", len(data)) + data)
            self.memoize(value)
        elif key is not None and key in self.memo:
            self.get(self.memo[key])
        elif isinstance(value, tuple):
            for item in value:
                self.value(item)
            self.parts.append({1: b"\x85", 2: b"\x86", 3: b"\x87"}[len(value)])
            self.memoize()
        elif isinstance(value, dict):
            self.parts.append(b"}")
            self.memoize(key)
            if value:
                self.parts.append(b"(")
                for k, v in value.items():
                    self.value(k)
                    self.value(v)
                self.parts.append(b"u")
        else:
            self.list(value, key)

    def list(self, values, key=None):
        self.parts.append(b"]")
        self.memoize(key)
        for begin in range(0, len(values), 1000):
            self.parts.append(b"(")
            for item in values[begin:begin + 1000]:
                self.value(item, ("frame", item["name"], item["filename"], item["line"]) if "filename" in item else None)
            self.parts.append(b"e")


def repeated(trace, count):
    """Events of the history again and again, each time later by its length."""
    length = trace[-1]["time_us"] - trace[0]["time_us"] + 1000
    live, segments = {}, {}
    for event in trace:
        if event["action"] == "alloc":
            live[event["addr"]] = event
        elif event["action"] == "free_completed":
            live.pop(event["addr"], None)
        elif event["action"] == "segment_alloc":
            segments[event["addr"]] = event
    ends = [dict(e, action=a, time_us=trace[-1]["time_us"] + 1) for e in live.values()
            for a in ("free_requested", "free_completed")]
    ends += [dict(e, action="segment_free", time_us=trace[-1]["time_us"] + 2) for e in segments.values()]
    made, turn = 0, 0
    while True:
        last = count - made <= len(trace) + len(ends)
        for event in trace if last else trace + ends:
            yield event, event["time_us"] + turn * length, turn
            made += 1
        if last:
            return
        turn += 1


def main(source, target, count):
    with open(source, "rb") as file:
        snapshot = pickle.load(file)
    with open(target, "wb") as out:
        w = Writer(out)
        w.parts.append(b"}")
        w.memoize()
        w.parts.append(b"(")
        for name, member in snapshot.items():
            w.value(name)
            if name != "device_traces":
                w.value(member)
                continue
            w.parts.append(b"]")
            w.memoize()
            for trace in member:
                w.parts.append(b"]")
                w.memoize()
                turn_before = 0
                batch = 0
                w.parts.append(b"(")
                for event, time, turn in repeated(trace, count):
                    if turn != turn_before:  # lists of frames are new ones, as they are in a longer run
                        w.memo = {k: v for k, v in w.memo.items() if not isinstance(k, int)}
                        turn_before = turn
                        w.flush()
                    if batch == 1000:
                        w.parts.append(b"e(")
                        batch = 0
                    batch += 1
                    w.parts.append(b"}")
                    w.memoize()
                    w.parts.append(b"(")
                    for key, value in event.items():
                        w.value(key)
                        w.value(time if key == "time_us" else value, id(value) if key == "frames" else None)
                    w.parts.append(b"u")
                w.parts.append(b"e")
                w.parts.append(b"a")
        w.parts.append(b"u.")
        w.flush()


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
