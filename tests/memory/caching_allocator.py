"""caching_allocator.py FOLDER SEED [SNAPSHOT]: a model of PyTorch's caching allocator, which knows what each of its blocks holds, runs a
random program and writes its memory snapshot as pickle 2.pickle to 5.pickle, of protocols 2 to 5, and rows.txt: what tables must hold. Of
odd seeds the history begins in the middle, as a ring that is full does. With SNAPSHOT that file is rewritten instead, and rows.txt has what a second
reading of its history gives."""
import pickle
import random
import sys

MIB = 1 << 20


def rounded(size):
    return max(512, (size + 511) // 512 * 512)


class Allocator:
    """One device. Blocks by address: [size, requested, state]; segments by address: size."""

    def __init__(self):
        self.segments, self.blocks, self.events, self.rows = {}, {}, [], []
        self.top, self.time = 0x7F0000000000, 1_700_000_000_000_000
        self.allocated = 0

    def event(self, action, address, size):
        self.time += random.choice([0, 0, 1, 7])
        frames = random.choice(STACKS)
        self.events.append({"action": action, "addr": address, "size": size, "stream": 0, "time_us": self.time,
                            "frames": frames, "compile_context": "N/A", "user_metadata": ""})

    def segment_of(self, address):
        return max(a for a in self.segments if a <= address)

    def is_small(self, address):
        return self.segments[self.segment_of(address)] == 2 * MIB

    def malloc(self, requested):
        size, small = rounded(requested), rounded(requested) <= MIB
        free = [(b[0], a) for a, b in self.blocks.items() if b[2] == "inactive" and b[0] >= size and self.is_small(a) == small]
        if not free:
            length = 2 * MIB if small else 20 * MIB if size < 10 * MIB else (size + 2 * MIB - 1) // (2 * MIB) * 2 * MIB
            free = [(length, self.top)]
            self.segments[self.top] = length
            self.blocks[self.top] = [length, 0, "inactive"]
            self.event("segment_alloc", self.top, length)
            self.top += length
        length, address = min(free)
        left = length - size
        if left >= 512 if small else left > MIB:
            self.blocks[address + size] = [left, 0, "inactive"]
            length = size
        self.blocks[address] = [length, requested, "active_allocated"]
        self.allocated += length
        self.event("alloc", address, requested)
        self.changed(length)
        return address

    def free(self, address):
        block = self.blocks[address]
        self.allocated -= block[0]
        self.event("free_requested", address, block[1])
        self.changed(-block[0])
        if random.random() < 0.2:
            block[2] = "active_awaiting_free"
        else:
            self.complete(address)

    def complete(self, address):
        size, requested, _ = self.blocks[address]
        self.event("free_completed", address, requested)
        self.blocks[address][2] = "inactive"
        segment = self.segment_of(address)
        for a in sorted(self.blocks):
            if a > address:
                break
            if a not in self.blocks:
                continue  # merged before
            after = a + self.blocks[a][0]
            while (self.blocks[a][2] == "inactive" and after in self.blocks and self.blocks[after][2] == "inactive"
                   and self.segment_of(after) == self.segment_of(a) == segment):
                self.blocks[a][0] += self.blocks.pop(after)[0]
                after = a + self.blocks[a][0]

    def empty_cache(self):
        for a, length in list(self.segments.items()):
            if self.blocks[a][:1] == [length] and self.blocks[a][2] == "inactive":
                del self.segments[a], self.blocks[a]
                self.event("segment_free", a, length)

    def changed(self, size):
        self.rows.append((len(self.events) - 1, size, self.allocated, sum(self.segments.values())))

    def run(self, steps):
        live = []
        for _ in range(steps):
            waiting = [a for a, b in self.blocks.items() if b[2] == "active_awaiting_free"]
            chance = random.random()
            if chance < 0.02:
                self.empty_cache()
            elif waiting and chance < 0.2:
                self.complete(random.choice(waiting))
            elif live and chance < 0.5:
                self.free(live.pop(random.randrange(len(live))))
            else:
                live.append(self.malloc(random.choice([random.randint(1, 4000), random.randint(1, MIB), random.randint(MIB, 30 * MIB)])))

    def snapshot(self, first):
        segments = []
        for a, length in self.segments.items():
            blocks = [{"address": at, "size": b[0], "requested_size": b[1], "state": b[2], "frames": []}
                      for at, b in sorted(self.blocks.items()) if a <= at < a + length]
            segments.append({"device": 0, "address": a, "total_size": length, "allocated_size": 0, "active_size": 0,
                             "requested_size": 0, "stream": 0, "segment_type": "small" if length == 2 * MIB else "large",
                             "segment_pool_id": (0, 0), "is_expandable": False, "frames": [], "blocks": blocks})
        return {"segments": segments, "device_traces": [self.events[first:]], "allocator_settings": {"max_split_size": -1},
                "external_annotations": []}

    def expected(self, first):
        return [row[1:] for row in self.rows if row[0] >= first]


STACKS = [[], [{"name": "f", "filename": "a.py", "line": 1}], [{"name": "g", "filename": "b.py", "line": 70000}]]


def second_reading(snapshot):
    """Rows of the history of a real snapshot: sizes from the free block that each allocation is cut from."""
    blocks = {b["address"]: b for s in snapshot["segments"] for b in s["blocks"] if b["state"] != "inactive"}
    trace = snapshot["device_traces"][0]
    segments = {s["address"]: s["total_size"] for s in snapshot["segments"]}
    for e in reversed(trace):
        if e["action"] == "segment_alloc":
            segments.pop(e["addr"], None)
        elif e["action"] == "segment_free":
            segments[e["addr"]] = e["size"]
    seen = {e["addr"] for e in trace if e["action"] == "alloc"}
    live = {a: b["size"] for a, b in blocks.items() if a not in seen}
    allocated, rows = sum(live.values()), []
    has_requests = any(e["action"] == "free_requested" for e in trace)
    for e in trace:
        at, action = e["addr"], e["action"]
        if action == "segment_alloc":
            segments[at] = e["size"]
        elif action == "segment_free":
            del segments[at]
        elif action == "alloc":
            inside = [a for a, length in segments.items() if a <= at < a + length]
            size = rounded(e["size"]) if inside else e["size"]
            if inside and size > MIB:
                ends = [a for a in live if a > at and a < inside[0] + segments[inside[0]]]
                end = min(ends, default=inside[0] + segments[inside[0]])
                size = end - at if end - at - size <= MIB else size
            live[at] = size
            allocated += size
            rows.append((size, allocated, sum(segments.values())))
        elif action == "free_requested" or (action == "free_completed" and not has_requests):
            allocated -= live[at]
            rows.append((-live[at], allocated, sum(segments.values())))
        if action == "free_completed":
            del live[at]
    return rows


def main(folder, seed, source=None):
    if source:
        with open(source, "rb") as file:
            snapshot = pickle.load(file)
        rows = second_reading(snapshot)
    else:
        random.seed(int(seed))
        allocator = Allocator()
        allocator.run(400)
        first = len(allocator.events) // 3 if int(seed) % 2 else 0
        snapshot, rows = allocator.snapshot(first), allocator.expected(first)
    for protocol in (2, 3, 4, 5):
        with open(f"{folder}/{protocol}.pickle", "wb") as file:
            pickle.dump(snapshot, file, protocol)
    with open(f"{folder}/rows.txt", "w") as file:
        file.writelines(f"{size} {allocated} {reserved}\n" for size, allocated, reserved in rows)


main(*sys.argv[1:])
