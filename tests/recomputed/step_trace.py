"""A PyTorch trace as objects, read by the json module and Decimal: events nested by thread, device work with its call."""
import bisect
import collections
import gzip
import json
from decimal import ROUND_HALF_UP, Decimal

KERNEL, COPY, SET = {"kernel", "Kernel"}, {"gpu_memcpy", "Memcpy"}, {"gpu_memset", "Memset"}
CALL = {"cuda_runtime", "cuda_driver", "Runtime", "hip_runtime"}
OPERATOR, PYTHON, ANNOTATION = {"cpu_op", "Operator"}, {"python_function"}, {"user_annotation"}
ANNOTATIONS = ("ProfilerStep#", "enumerate(DataLoader)#", "Optimizer.")  # written as operators before 2022


def ns(text):
    return int((Decimal(str(text)) * 1000).quantize(Decimal(1), ROUND_HALF_UP))


class Event:
    def __init__(self, raw):
        self.name, self.args = raw["name"], raw.get("args", {})
        self.start = ns(raw["ts"])
        self.end = self.start + (ns(raw["dur"]) or (1 if Decimal(str(raw["dur"])) > 0 else 0))
        self.thread = (str(raw["pid"]), str(raw["tid"]))
        self.category = raw["cat"]
        self.children, self.parent, self.calls, self.depth = [], None, [], 0

    @property
    def time(self):
        return self.end - self.start

    @property
    def is_operator(self):
        return self.category in OPERATOR and not self.name.startswith(ANNOTATIONS)


class Trace:
    def __init__(self, path):
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            raw = json.load(file, parse_float=Decimal)
        complete = [e for e in raw["traceEvents"] if e.get("ph") == "X" and "dur" in e]
        take = lambda categories: [Event(e) for e in complete if e.get("cat") in categories]
        self.kernels, self.copies, self.sets, self.calls = take(KERNEL), take(COPY), take(SET), take(CALL)
        self.host = take(OPERATOR | PYTHON | ANNOTATION)
        self.devices = raw.get("deviceProperties", [])
        self.memory = [e for e in raw["traceEvents"] if e.get("ph") == "i" and e.get("name") == "[memory]"]
        self.nest()
        self.link()

    def nest(self):
        stacks = collections.defaultdict(list)
        for event in sorted(self.host, key=lambda e: (e.start, -e.end)):
            stack = stacks[event.thread]
            while stack and stack[-1].end < event.end:
                stack.pop()
            if stack:
                event.parent = stack[-1]
                stack[-1].children.append(event)
                event.depth = stack[-1].depth + 1
            stack.append(event)

    def link(self):
        """Device work to calls by correlation, calls to the operator or annotation of their External id, else around."""
        by_id = {}
        for event in sorted(self.host, key=lambda e: (e.start, e.end)):
            number = event.args.get("External id", event.args.get("external id"))
            if number and event.category not in PYTHON:
                by_id.setdefault(number, event)
        threads = collections.defaultdict(list)
        for event in self.host:
            threads[event.thread].append(event)
        around = {thread: Around(events) for thread, events in threads.items()}
        calls = {}
        for call in sorted(self.calls, key=lambda e: (e.start, e.end)):
            if call.args.get("correlation"):
                calls.setdefault(call.args["correlation"], []).append(call)
            named = by_id.get(call.args.get("External id", call.args.get("external id")))
            fits = named is not None and named.thread == call.thread and named.start <= call.end and named.end >= call.start
            call.op = named if fits else around[call.thread].of(call) if call.thread in around else None
            if call.op is not None:
                call.op.calls.append(call)
        for work in self.kernels + self.copies + self.sets:
            work.call = launching(calls.get(work.args.get("correlation"), []))
            work.device = work.args.get("device")
            work.op = work.call.op if work.call else None
            if work.call is None:
                number = work.args.get("External id", work.args.get("external id"))
                op = by_id.get(number) if number != work.args.get("correlation") else None
                work.op = op if op is not None and op.start <= work.start else None

    def work(self):
        return self.kernels + self.copies + self.sets


def launching(calls):
    """Of several calls with one correlation the one that launches; the runtime's where its driver's is inside."""
    launches = [c for c in calls if "Launch" in c.name] or calls
    return launches[0] if launches else None


class Around:
    """The innermost event, python functions left out, around another one of the thread."""

    def __init__(self, events):
        self.events = sorted(events, key=lambda e: (e.start, -e.end))
        self.starts = [e.start for e in self.events]

    def of(self, call):
        at = bisect.bisect_right(self.starts, call.start) - 1
        event = self.events[at] if at >= 0 else None
        while event is not None and (event.end < call.end or event.category in PYTHON):
            event = event.parent
        return event
