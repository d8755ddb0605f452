#!/usr/bin/env python3
"""Checks the facts of run_summary and latency_text, both enabled, against a second computation of them.

Everything is computed here once more, from the .sqlite files and the definitions alone, with plain loops and no code of
the project, and compared with a facts.csv: integers must be equal, other numbers agree within 1e-9. A fact that is missing,
one that should not be there, and a check that compared nothing are failures.
One file, although a long one: nothing of it is shared, and it reads from top to bottom as the definition of each fact.

    check_facts.py FACTS.csv REPORTS [--window NAME] [--iterations PATTERN] [--at-least N] [--only GLOB]...
                   [--groups] [--seed-reference CSV[.xz]]
"""
import argparse
import collections
import csv
import fnmatch
import lzma
import math
import os
import re
import sqlite3
import sys
from fractions import Fraction

RATIO_TOLERANCE = 1e-9
SEED_TOLERANCE = 1e-12
FAMILIES = ("window.", "kernel.", "gpu.", "graph.", "copy.", "launch.", "sync.", "gap.", "iteration.", "seed.")
DIRECTIONS = {1: "h2d", 2: "d2h", 3: "array", 4: "array", 5: "array", 6: "array", 7: "array", 8: "d2d", 9: "h2h",
              10: "p2p", 11: "um_h2d", 12: "um_d2h", 13: "um_d2d"}
SYNC_CALLS = {"cudaDeviceSynchronize": "device", "cuCtxSynchronize": "device", "cudaThreadSynchronize": "device",
              "cudaStreamSynchronize": "stream", "cuStreamSynchronize": "stream",
              "cudaEventSynchronize": "event", "cuEventSynchronize": "event"}

Api = collections.namedtuple("Api", "start end thread process name")
Gpu = collections.namedtuple("Gpu", "table start end device stream context process api bytes kind name shape")


def blocking_copy(name):
    return re.match(r"(cudaMemcpy|cuMemcpy)", name) is not None and not name.endswith("Async") and "Batch" not in name


def launches_kernel(name):
    return re.match(r"(cudaLaunch|cuLaunch)", name) is not None and "HostFunc" not in name


def launches_graph(name):
    return name in ("cudaGraphLaunch", "cuGraphLaunch")


class Report:
    def __init__(self, path, window, iterations):
        self.db = sqlite3.connect("file:%s?mode=ro&immutable=1" % path, uri=True)
        self.tables = {r[0] for r in self.db.execute("select name from sqlite_master where type = 'table'")}
        self.strings = dict(self.db.execute("select id, value from StringIds"))
        self.read_calls()
        self.read_work()
        self.read_ranges(window, iterations)
        self.apply_window()

    def rows(self, table, *columns):
        """Rows with the named columns; None where the export has no such column. No rows without the table."""
        if table not in self.tables:
            return []
        have = {r[1] for r in self.db.execute("pragma table_info('%s')" % table)}
        wanted = ", ".join('"%s"' % c if c in have else "null" for c in columns)
        return self.db.execute("select %s from %s order by rowid" % (wanted, table)).fetchall()

    def read_calls(self):
        self.calls, self.call_of = [], {}
        for start, end, event, thread, correlation, name in self.rows(
                "CUPTI_ACTIVITY_KIND_RUNTIME", "start", "end", "eventClass", "globalTid", "correlationId", "nameId"):
            if event not in (0, 1):
                continue
            text = re.sub(r"(_ptsz|_ptds)$", "", re.sub(r"_v\d+$", "", self.strings[name]))
            self.call_of.setdefault((thread >> 24, correlation), len(self.calls))
            self.calls.append(Api(start, end, thread, thread >> 24, text))

    def read_work(self):
        self.work = []
        common = ("start", "end", "deviceId", "streamId", "contextId", "globalPid", "correlationId")
        for table, extra in (("KERNEL", ("demangledName", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ")),
                             ("GRAPH_TRACE", ()), ("MEMCPY", ("bytes", "copyKind")), ("MEMSET", ())):
            for row in self.rows("CUPTI_ACTIVITY_KIND_" + table, *common, *extra):
                start, end, device, stream, context, pid, correlation = row[:7]
                process = None if pid is None else pid >> 24
                api = self.call_of.get((process, correlation)) if correlation else None
                size, kind = (row[7], row[8]) if table == "MEMCPY" else (None, None)
                name, shape = (self.strings[row[7]], row[8:14]) if table == "KERNEL" else (None, None)
                self.work.append(Gpu(table, start, end, device, stream, context if table == "KERNEL" else None, process,
                                     api, size, kind, name, shape))
        self.work.sort(key=lambda g: (g.start, g.end))

    def read_ranges(self, window, iterations):
        pattern = None
        if iterations:
            before, after = iterations.split("{i}")
            pattern = re.compile(re.escape(before) + r"(\d+)" + re.escape(after) + r"\Z")
        self.windows, self.iterations = [], []
        for start, end, event, text, text_id, thread in self.rows(
                "NVTX_EVENTS", "start", "end", "eventType", "text", "textId", "globalTid"):
            if event not in (59, 60) or end is None:
                continue
            name = text if text is not None else self.strings.get(text_id)
            if name == window:
                self.windows.append((start, end, thread))
            if pattern and name and pattern.match(name):
                self.iterations.append((start, end, thread))
        self.named = window is not None
        if self.named and not self.windows:
            raise ValueError("there is no range named %r" % window)

    def apply_window(self):
        if self.named:
            self.host = (min(w[0] for w in self.windows), max(w[1] for w in self.windows))
            processes = {w[2] >> 24 for w in self.windows}
            self.in_window = [a.process in processes and a.start >= self.host[0] and a.end <= self.host[1] for a in self.calls]
        else:
            times = [(x.start, x.end) for x in self.work] + [(a.start, a.end) for a in self.calls]
            if not times:
                raise ValueError("the report has neither GPU work nor API calls: check that it has no facts instead")
            self.host = (min(t[0] for t in times), max(t[1] for t in times))
            self.in_window = [True] * len(self.calls)
        linked_ends = [g.end for g in self.work if g.api is not None and self.in_window[g.api]]
        self.start, self.end = self.host[0], max([self.host[1]] + linked_ends)
        self.inside, self.foreign = [], []
        for g in self.work:
            if g.api is None:
                mine = self.start <= g.start <= self.end
            else:
                mine = self.in_window[g.api]
            if mine:
                self.inside.append(g)
            elif g.start < self.end and g.end > self.start:
                self.foreign.append(g)
        inner = [i for i in self.iterations if not self.named or (i[0] >= self.host[0] and i[1] <= self.host[1])]
        self.iterations = sorted(inner)

    def clip(self, g):
        return max(g.start, self.start), max(min(g.end, self.end), max(g.start, self.start))

    def of(self, *tables):
        return [g for g in self.inside if g.table in tables]


def union(intervals):
    total, reach = 0, None
    for start, end in sorted(intervals):
        if reach is None or start > reach:
            total += end - start
            reach = end
        elif end > reach:
            total += end - reach
            reach = end
    return total


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else Fraction(values[middle - 1] + values[middle], 2)


def mean(values):
    return Fraction(sum(values), len(values))


def kernel_facts(r, out):
    durations = [e - s for s, e in map(r.clip, r.of("KERNEL"))]
    out["kernel.count", ""] = len(durations)
    out["kernel.time_sum_ns", ""] = sum(durations)
    if durations:
        out["kernel.time_mean_ns", ""] = mean(durations)
        out["kernel.time_median_ns", ""] = median(durations)


def opaque_ratio(r):
    traced = {g.api for g in r.work if g.table == "KERNEL" and g.api is not None}
    hidden = [g for g in r.of("GRAPH_TRACE") if g.api not in traced]
    devices = {g.device for g in r.inside}
    busy = sum(union([r.clip(g) for g in r.inside if g.device == d]) for d in devices)
    return Fraction(sum(union([r.clip(g) for g in hidden if g.device == d]) for d in devices), busy) if busy else Fraction(0)


def gpu_facts(r, out):
    window = r.end - r.start
    by_device = collections.defaultdict(list)
    for g in r.inside:
        by_device[g.device].append(g)
    kernel = ("KERNEL", "GRAPH_TRACE")
    spans = {d: [r.clip(g) for g in rows if g.table in kernel] for d, rows in by_device.items()}
    ran = {d: s for d, s in spans.items() if s}
    if ran:
        out["gpu.kernel_busy_ratio", ""] = mean([union(s) for s in ran.values()]) / window
    if by_device:
        out["gpu.busy_ratio", ""] = mean([union(map(r.clip, rows)) for rows in by_device.values()]) / window
    everything = collections.defaultdict(list)
    for g in r.inside + r.foreign:
        everything[g.device].append(r.clip(g))
    if everything:
        out["gpu.idle_ns", ""] = mean([window - union(s) for s in everything.values()])
    out["gpu.foreign_busy_ns", ""] = sum(union([r.clip(g) for g in r.foreign if g.device == d]) for d in everything)
    with_copy = both = 0
    for d, rows in by_device.items():
        copies = [r.clip(g) for g in rows if g.table == "MEMCPY"]
        with_copy += union(copies)
        # Overlap by cutting every copy-time piece with the kernels, not by inclusion and exclusion.
        merged = []
        for start, end in sorted(copies):
            if merged and start <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], end)
            else:
                merged.append([start, end])
        for start, end in merged:
            both += union([(max(start, s), min(end, e)) for s, e in spans[d] if s < end and e > start])
    if with_copy:
        out["gpu.overlap_ratio", ""] = Fraction(both, with_copy)
    graphs = r.of("GRAPH_TRACE")
    out["graph.launch_count", ""] = len(graphs)
    out["graph.time_sum_ns", ""] = sum(e - s for s, e in map(r.clip, graphs))
    out["graph.opaque_ratio", ""] = opaque_ratio(r)


def copy_facts(r, out):
    by_direction = collections.defaultdict(list)
    for g in r.of("MEMCPY"):
        by_direction[DIRECTIONS.get(g.kind, "unknown")].append(g)
    if not by_direction and "CUPTI_ACTIVITY_KIND_MEMCPY" in r.tables:
        out["copy.count", ""] = 0
    for direction, copies in by_direction.items():
        dims = "direction=" + direction
        out["copy.count", dims] = len(copies)
        out["copy.bytes", dims] = sum(g.bytes for g in copies)
        out["copy.time_sum_ns", dims] = sum(e - s for s, e in map(r.clip, copies))
        out["copy.bandwidth_bytes_per_s", dims] = Fraction(sum(g.bytes for g in copies) * 10**9, sum(g.end - g.start for g in copies))
        out["copy.bytes_per_op_median", dims] = median([g.bytes for g in copies])


def sync_kind(name):
    return SYNC_CALLS.get(name) or ("blocking_copy" if blocking_copy(name) else None)


def host_facts(r, out):
    mine = [a for a, inside in zip(r.calls, r.in_window) if inside]
    launches = sorted(a for a in mine if launches_kernel(a.name) or launches_graph(a.name))
    out["launch.count", ""] = len(launches)
    if launches:
        out["launch.api_time_mean_ns", ""] = mean([a.end - a.start for a in launches])
    starts = collections.defaultdict(list)
    for a in launches:
        starts[a.thread].append(a.start)
    steps = [b - a for s in starts.values() for a, b in zip(s, s[1:])]
    if steps:
        out["launch.interval_median_ns", ""] = median(steps)
    kernels = r.of("KERNEL")
    waits = [g.start - r.calls[g.api].end for g in kernels if g.api is not None]
    queued = [w for w in waits if w >= 0]
    if kernels:
        out["launch.queued_count", ""] = len(queued)
    if queued:
        out["launch.queue_time_mean_ns", ""] = mean(queued)
    for kind in ("device", "stream", "event", "blocking_copy"):
        times = [a.end - a.start for a in mine if sync_kind(a.name) == kind]
        out["sync.count", "kind=" + kind] = len(times)
        out["sync.host_time_ns", "kind=" + kind] = sum(times)


def gap_facts(r, out):
    """Gaps, and for each kernel whether the host was late. One stream id of a process and device is one stream here."""
    streams = collections.defaultdict(list)
    foreign = {id(g) for g in r.foreign}
    for g in sorted(r.inside + r.foreign, key=lambda g: (g.start, g.end)):
        if g.table in ("KERNEL", "GRAPH_TRACE"):
            streams[g.process, g.device, g.stream].append(g)
    gaps, judged, late = [], 0, 0
    for rows in streams.values():
        reach = rows[0].end
        for g in rows[1:]:
            if id(g) not in foreign:
                gaps.append(max(0, g.start - reach))
                if g.table == "KERNEL" and g.api is not None:
                    judged += 1
                    late += g.start > reach and r.calls[g.api].end > reach
            reach = max(reach, g.end)
    for name, limit in (("1us", 1000), ("10us", 10000), ("100us", 100000)):
        out["gap.count", "over=" + name] = sum(gap > limit for gap in gaps)
    out["gap.time_sum_ns", ""] = sum(gaps)
    out["gap.max_ns", ""] = max(gaps, default=0)
    if judged and opaque_ratio(r) <= Fraction(1, 2):
        out["launch.bound_ratio", ""] = Fraction(late, judged)


def iteration_facts(r, out, samples):
    if not r.iterations:
        return
    out["iteration.count", ""] = len(r.iterations)
    columns = collections.defaultdict(list)
    ends = []
    for start, end, thread in r.iterations:
        mine = {i for i, a in enumerate(r.calls) if a.start >= start and a.end <= end and a.process == thread >> 24}
        work = [g for g in r.work if g.api in mine]
        kernels = [g for g in work if g.table == "KERNEL"]
        columns["host_ns"].append(end - start)
        columns["gpu_busy_ns"].append(union((g.start, g.end) for g in work))
        columns["kernel_count"].append(len(kernels))
        columns["other_thread_kernels"].append(sum(r.calls[g.api].thread != thread for g in kernels))
        columns["sync_ns"].append(sum(r.calls[i].end - r.calls[i].start for i in mine if sync_kind(r.calls[i].name)))
        if work:
            columns["gpu_span_ns"].append(max(g.end for g in work) - min(g.start for g in work))
        ends.append(max((g.end for g in work), default=None))
    columns["period_ns"] = [b - a for a, b in zip(ends, ends[1:]) if a is not None and b is not None]
    for name, values in columns.items():
        if values:
            out["iteration." + name, ""] = median(values)
            samples["iteration." + name, ""] = len(values)


def seed_facts(r, out):
    def within(x):
        return x.start >= r.host[0] and x.end <= r.host[1]
    rows = [g for g in r.work if within(g) and g.table != "GRAPH_TRACE"]
    kernels = [g for g in rows if g.table == "KERNEL"]
    if not any(g.table == "KERNEL" for g in r.work):
        return
    out["seed.window_start_ns", ""] = r.host[0]
    out["seed.window_duration_ns", ""] = r.host[1] - r.host[0]
    out["seed.kernel_count", ""] = len(kernels)
    out["seed.kernel_time_sum_ns", ""] = sum(g.end - g.start for g in kernels)
    out["seed.total_operations", ""] = len(rows)
    out["seed.active_streams", ""] = len({g.stream for g in rows})

    def extent(part):
        return max(g.end for g in part) - min(g.start for g in part)
    for name, part in (("seed.compute_utilization", kernels), ("seed.temporal_compression_ratio", rows)):
        if part:
            out[name, ""] = Fraction(sum(g.end - g.start for g in part), extent(part))
    if kernels:
        out["seed.kernel_time_min_ns", ""] = min(g.end - g.start for g in kernels)
        out["seed.kernel_time_max_ns", ""] = max(g.end - g.start for g in kernels)
        out["seed.kernel_timeline_ns", ""] = extent(kernels)
    if rows:
        out["seed.operation_time_sum_ns", ""] = sum(g.end - g.start for g in rows)
        out["seed.timeline_ns", ""] = extent(rows)
    by_stream = collections.defaultdict(list)
    for g in rows:
        by_stream[g.stream].append(g)
    if by_stream:
        out["seed.average_stream_utilization", ""] = mean(
            [Fraction(sum(g.end - g.start for g in part), extent(part)) for part in by_stream.values()])
    for kind in {g.kind for g in rows if g.table == "MEMCPY"}:
        copies = [g for g in rows if g.table == "MEMCPY" and g.kind == kind]
        name = {1: "h2d", 2: "d2h"}.get(kind, "other_%d" % kind)
        times = [g.end - g.start for g in copies]
        out["seed.copy_count", "direction=" + name] = len(copies)
        out["seed.copy_bytes", "direction=" + name] = sum(g.bytes for g in copies)
        out["seed.copy_time_sum_ns", "direction=" + name] = sum(times)
        out["seed.copy_time_min_ns", "direction=" + name] = min(times)
        out["seed.copy_time_max_ns", "direction=" + name] = max(times)
        if kind in (1, 2):
            out["seed.%s_bandwidth_mib_per_s" % name, ""] = Fraction(
                sum(g.bytes for g in copies) * 10**9, sum(g.end - g.start for g in copies) * 2**20)
    linked = [g for g in kernels if g.api is not None and within(r.calls[g.api])]
    if not linked:
        return
    gaps, previous = [], {}
    for g in linked:
        gaps.append(g.start - previous.get(g.stream, g.start))
        previous[g.stream] = g.end
    out["seed.total_gaps", ""] = len(linked) - 1
    for name, limit in (("significant", 1000), ("large", 10000), ("very_large", 100000)):
        out["seed.%s_gaps" % name, ""] = sum(gap > limit for gap in gaps)
    positive = [gap for gap in gaps if gap > 0]
    if positive:
        out["seed.average_gap_ns", ""] = mean(positive)
    out["seed.max_gap_ns", ""] = max(gaps)
    out["seed.significant_gap_time_ns", ""] = sum(gap for gap in gaps if gap > 1000)
    out["seed.pipeline_time_sum_ns", ""] = sum(g.end - g.start for g in linked)
    out["seed.pipeline_timeline_ns", ""] = extent(linked)
    out["seed.pipeline_efficiency", ""] = 1 - Fraction(sum(gap for gap in gaps if gap > 1000), extent(linked))
    out["seed.preparation_time_us", ""] = mean([g.start - r.calls[g.api].end for g in linked]) / 1000


def fingerprint(r):
    """Equal for runs of one program; None where the report can have no fingerprint."""
    if not r.inside or opaque_ratio(r) > 0:
        return None
    counts = collections.Counter()
    for g in r.inside:
        counts[g.table, g.kind if g.table == "MEMCPY" else None, g.bytes, g.name, g.shape] += 1
    for a, inside in zip(r.calls, r.in_window):
        if inside and (sync_kind(a.name) or launches_graph(a.name)):
            counts[sync_kind(a.name) or "graph"] += 1
    if not r.iterations:
        return frozenset(counts.items())
    return frozenset((what, divmod(n, len(r.iterations))) for what, n in counts.items())


def expected_facts(r):
    out, samples = {}, {}
    out["window.duration_ns", ""] = r.end - r.start
    kernel_facts(r, out)
    gpu_facts(r, out)
    copy_facts(r, out)
    host_facts(r, out)
    gap_facts(r, out)
    iteration_facts(r, out, samples)
    seed_facts(r, out)
    return out, samples


def read_facts(path):
    facts = collections.defaultdict(dict)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            facts[row["report"]][row["metric"], row["dims"]] = (row["value"], int(row["n"]))
    return facts


def agrees(expected, text, tolerance):
    expected = Fraction(expected)
    if expected.denominator == 1 and abs(expected) < 2**53:
        return Fraction(float(text)) == expected
    return math.isclose(float(text), float(expected), rel_tol=tolerance, abs_tol=0)


def compare(report, expected, samples, facts, problems):
    given = {key: v for key, v in facts.items() if key[0].startswith(FAMILIES)}
    for key in sorted(expected.keys() - given.keys()):
        problems.append("%s: %s{%s} is missing, expected %s" % (report, *key, float(expected[key])))
    for key in sorted(given.keys() - expected.keys()):
        problems.append("%s: %s{%s} = %s should not be there" % (report, *key, given[key][0]))
    for key in sorted(expected.keys() & given.keys()):
        tolerance = SEED_TOLERANCE if key[0].startswith("seed.") else RATIO_TOLERANCE
        text, n = given[key]
        if not agrees(expected[key], text, tolerance):
            problems.append("%s: %s{%s} = %s, expected %.17g" % (report, *key, text, float(expected[key])))
        if n != samples.get(key, 1):
            problems.append("%s: %s{%s} has n = %d, expected %d" % (report, *key, n, samples.get(key, 1)))
    return len(expected.keys() & given.keys())


def compare_groups(fingerprints, study, problems):
    """Sizes of the replicate groups, in order of their first report."""
    groups = collections.defaultdict(list)
    for report, print_ in sorted(fingerprints.items()):
        if print_ is not None:
            groups[print_].append(report)
    sizes = [len(g) for g in sorted(groups.values()) if len(g) > 1]
    given = {int(dims.split("=")[1]): int(v) for (metric, dims), (v, _) in study.items() if metric == "replicate.group"}
    if [given[k] for k in sorted(given)] != sizes:
        problems.append("replicate.group: %s, expected %s" % ([given[k] for k in sorted(given)], sizes))
    return len(sizes)


def compare_reference(path, facts, problems):
    compared = 0
    with (lzma.open if path.endswith(".xz") else open)(path, "rt", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["report"] not in facts:
                continue
            value = facts[row["report"]].get((row["metric"], ""))
            compared += 1
            if value is None:
                problems.append("%s: %s is missing, the reference has %s" % (row["report"], row["metric"], row["value"]))
            elif not math.isclose(float(value[0]), float(row["value"]), rel_tol=SEED_TOLERANCE, abs_tol=0):
                problems.append("%s: %s = %s, the reference has %s" % (row["report"], row["metric"], value[0], row["value"]))
    return compared


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("facts")
    parser.add_argument("reports", help="folder that the report column is relative to")
    parser.add_argument("--window")
    parser.add_argument("--iterations", help="range name with {i}")
    parser.add_argument("--only", action="append", default=[], help="glob on the report; several are or-ed")
    parser.add_argument("--at-least", type=int, default=1, help="reports that must have been compared")
    parser.add_argument("--groups", action="store_true", help="also the replicate groups, over all reports of the facts")
    parser.add_argument("--seed-reference", help="report,metric,value as published")
    args = parser.parse_args()

    facts = read_facts(args.facts)
    problems, fingerprints, compared, reports = [], {}, 0, 0
    for report in sorted(r for r in facts if r):
        wanted = not args.only or any(fnmatch.fnmatch(report, glob) for glob in args.only)
        if not wanted and not args.groups:
            continue
        read = Report(os.path.join(args.reports, report), args.window, args.iterations)
        fingerprints[report] = fingerprint(read)
        if wanted:
            compared += compare(report, *expected_facts(read), facts[report], problems)
            reports += 1
    if reports < args.at_least:
        problems.append("only %d reports were compared, at least %d were asked for" % (reports, args.at_least))
    print("compared %d facts of %d reports" % (compared, reports))
    if args.groups:
        print("compared %d replicate groups" % compare_groups(fingerprints, facts[""], problems))
    if args.seed_reference:
        n = compare_reference(args.seed_reference, facts, problems)
        print("compared %d values of the seed reference" % n)
        if n == 0:
            problems.append("no report of the seed reference is among the facts")
    for problem in problems[:50]:
        print("MISMATCH", problem, file=sys.stderr)
    if problems:
        sys.exit("%d mismatches" % len(problems))


if __name__ == "__main__":
    main()
