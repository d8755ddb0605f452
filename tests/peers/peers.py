#!/usr/bin/env python3
"""Compares what the tests of other tools assert, on their own data, with what assay says of the same files.

    peers.py ASSAY [--write]

Reads the folders `peers`, `hang` and `compile` below $ASSAY_DATA. Each number of a peer is equal to that of assay,
or it differs by a definition that `DEFINITIONS` names with who is right and why; anything else is a failure. --write
writes docs/peers.tsv and the section "Peers" of docs/accuracy.md; without it
both have to be as they would be written. Exits with 77 if they are not there.
"""
import collections
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from real_data import real_data

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs/accuracy.md"
TABLE = PAGE.parent / "peers.tsv"
BEGIN, END = "<!-- made by tests/peers/peers.py -->", "<!-- end -->"

# Why a number differs: definition of the peer, and who is right.
DEFINITIONS = {
    "whole us": "HTA rounds starts up and ends down to whole microseconds before it adds; assay adds nanoseconds. Rounded like "
                "that, the rows of assay give the same kernels and span, and the rest to 6 us of 13 s.",
    "end never": "Perfetto drops a range whose duration is no number; assay keeps it with duration 0 and says so (`bad_end`).",
}

Row = collections.namedtuple("Row", "peer case number theirs ours why")


class Peers:
    def __init__(self, assay, data, hangs, compiled):
        self.assay, self.data, self.hangs, self.compiled, self.rows = assay, data, hangs, compiled, []

    def query(self, path, sql):
        done = subprocess.run([self.assay, "query", str(path), sql, "--format", "csv"], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"query of {path}: {done.stderr}")
        return list(csv.reader(io.StringIO(done.stdout)))[1:]

    def one(self, path, sql):
        return self.query(path, sql)[0][0]

    def add(self, peer, case, number, theirs, ours, tolerance=0.0, why=""):
        """`tolerance`: sums of 32-bit floats are up to 5 ns and 4e-6 off. `why`: the definition
        that explains a difference; used only if there is one."""
        if isinstance(theirs, str) or isinstance(ours, str):
            equal = str(theirs) == str(ours)
        else:
            equal = abs(float(ours) - theirs) <= tolerance + (4e-6 * abs(theirs) if tolerance else 0)
        self.rows.append(Row(peer, case, number, theirs, ours, "equal" if equal else why or "WRONG"))


# Device work with the operator that launched it.
WORK = """WITH work AS (
SELECT start, end, op, name, 'kernel' AS kind FROM kernels
UNION ALL SELECT w.start, w.end, c.op, '', 'copy' FROM copies w LEFT JOIN calls c ON c.id = w.call
UNION ALL SELECT w.start, w.end, c.op, '', 'set' FROM sets w LEFT JOIN calls c ON c.id = w.call)
"""
BUSY = WORK + """, marked AS (SELECT start, end, max(end) OVER (ORDER BY start, end ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
FROM work WHERE {where})
SELECT sum(end - max(start, coalesce(before, start))) FROM marked WHERE before IS NULL OR end > before"""


def rows_of(path):
    return csv.DictReader(open(path, encoding="utf-8"))


def tracelens_compare(peers):
    folder = peers.data / "tracelens_diff"
    tables = folder / "compare_h100_mi300_qwen_csvs"
    for side in ("h100", "mi300"):
        trace, case = folder / f"traces/{side}_qwen.json.gz", f"{side}_qwen"
        # TraceLens walks from operators, so that work without one is in none of its sums.
        linked = "op IS NOT NULL"
        busy, not_copied = (int(peers.one(trace, BUSY.format(where=w))) for w in (linked, linked + " AND kind <> 'copy'"))
        span = int(peers.one(trace, WORK + f"SELECT max(end) - min(start) FROM work WHERE {linked}"))
        ours = {"busy_time": busy, "total_time": span, "idle_time": span - busy, "computation_time": not_copied,
                "exposed_memcpy_time": busy - not_copied}
        for row in rows_of(tables / "gpu_timeline.csv"):
            if row["type"] in ours:
                peers.add("TraceLens", case, f"{row['type']} of work with an operator, ms", float(row[f"{side}::time ms"]),
                          ours[row["type"]] / 1e6, 5e-6)
        by_op = {name: (int(time), int(count)) for name, time, count in peers.query(
            trace, WORK + "SELECT o.name, sum(w.end - w.start), count(DISTINCT o.id) FROM work w JOIN ops o ON o.id = w.op GROUP BY 1")}
        for row in rows_of(tables / "ops_summary.csv"):
            if not row[f"{side}::Count"]:
                continue
            time, count = by_op.get(row["name"], (0, 0))
            peers.add("TraceLens", case, f"{row['name']}: device time, ms", float(row[f"{side}::total_direct_kernel_time_ms"]),
                      time / 1e6, 5e-6)
            peers.add("TraceLens", case, f"{row['name']}: calls", float(row[f"{side}::Count"]), count)
        own = {(name, op): (int(time), int(count)) for name, op, time, count in peers.query(
            trace, "SELECT k.name, o.name, sum(k.duration), count(*) FROM kernels k LEFT JOIN ops o ON o.id = k.op GROUP BY 1, 2")}
        seen = set()
        for row in rows_of(tables / "kernel_summary.csv"):
            key = (row["Kernel name"], row[f"{side}::Parent cpu_op"])
            if not row[f"{side}::Kernel duration (µs)_count"] or key in seen:
                continue
            seen.add(key)
            time, count = own.get(key, (0, 0))
            name = f"{key[0][:40]} of {key[1] or 'no operator'}"
            peers.add("TraceLens", case, f"{name}: time, us", float(row[f"{side}::Kernel duration (µs)_sum"]), time / 1e3, 5e-3)
            peers.add("TraceLens", case, f"{name}: launches", float(row[f"{side}::Kernel duration (µs)_count"]), count)


def tracelens_diff(peers):
    """Kernel time by trace, kernel and operator, of the rows in which two traces of one model differ."""
    folder = peers.data / "tracelens_diff"
    theirs = collections.defaultdict(float)
    for row in rows_of(folder / "tracediff_test/diff_stats.csv"):
        theirs[row["source"], row["name"], row["cpu_op_name"]] += float(row["kernel_time"])
    for source, side in (("trace1", "mi300"), ("trace2", "h100")):
        trace, case = folder / f"traces/{side}_timesformer.json.gz", f"{side}_timesformer"
        own = {(name, op): int(time) for name, op, time in peers.query(trace, WORK +
               "SELECT w.name, o.name, sum(w.end - w.start) FROM work w JOIN ops o ON o.id = w.op WHERE w.kind = 'kernel' GROUP BY 1, 2")}
        for (of, name, op), time in sorted(theirs.items()):
            if of == source and not name.startswith("Mem"):
                peers.add("TraceLens", case, f"{name[:40]} of {op}: time, us", time, own.get((name, op), 0) / 1e3, 5e-3)


def union(times):
    total, until = 0, None
    for start, end in sorted(times):
        if until is None or start > until:
            total, until = total + end - start, end
        elif end > until:
            total, until = total + end - until, end
    return total


def mtia(peers, folder):
    """HTA rounds starts up and ends down to whole us; done here to the rows that assay read."""
    trace = next((folder / "mtia_trace_single_rank").iterdir())
    origin = int(peers.one(trace, "SELECT value FROM properties WHERE name = 'origin_ns'"))
    first, last = (int(t) + origin for t in peers.query(trace, "SELECT start, end FROM ranges WHERE name LIKE 'ProfilerStep%'")[0])

    def times(table):
        rows = [(int(s) + origin, int(e) + origin) for s, e in peers.query(trace, f"SELECT start, end FROM {table}")]
        return [(-(-s // 1000), max(-(-s // 1000), e // 1000)) for s, e in rows if first <= s and e <= last]

    kernels, copies = times("kernels"), times("copies")
    span = max(e for _, e in kernels + copies) - min(s for s, _ in kernels + copies)
    busy, compute = union(kernels + copies), union(kernels)
    for number, theirs, ours in (("span of the step", 13328347, span), ("compute", 7305596, compute), ("kernels", 7305597, sum(e - s for s, e in kernels)),
                                 ("memory alone", 373924, busy - compute), ("idle", 5648827, span - busy)):
        peers.add("HTA", "mtia_trace_single_rank", f"{number}, us", theirs, ours, why="whole us")
    peers.add("HTA", "mtia_trace_single_rank", "idle, %", 42.38, round(100 * (span - busy) / span, 2))
    call, kernel = peers.query(trace, "SELECT c.duration, k.duration FROM calls c JOIN kernels k ON k.call = c.id WHERE c.correlation = 423")[0]
    peers.add("HTA", "mtia_trace_single_rank", "launch 423: call, us", 435.2, int(call) / 1e3)
    peers.add("HTA", "mtia_trace_single_rank", "launch 423: kernel, us", 124.768, int(kernel) / 1e3)
    peers.add("HTA", "mtia_trace_single_rank", "aten::mul: launches of customized_fba_mul_const", 822, int(peers.one(
        trace, "SELECT count(*) FROM kernels k JOIN ops o ON o.id = k.op WHERE o.name = 'aten::mul' AND k.name = 'customized_fba_mul_const-dtype_Float'")))


def hta(peers):
    folder = peers.data / "hta"

    def trace(name):
        return sorted((folder / name).rglob("*.gz"))[0]

    def count(case, number, theirs, sql):
        peers.add("HTA", case, number, theirs, int(peers.one(trace(case), sql)))

    case = "nccl_parser_config"
    count(case, "NCCL kernels", 21, "SELECT count(*) FROM kernels WHERE name LIKE 'ncclKernel%'")
    kind, sent, received, dtype, group, ranks = peers.query(trace(case), "SELECT c.kind, c.sent, c.received, c.dtype, c.group_name, c.group_ranks FROM collectives c "
                                                            "JOIN kernels k ON k.id = c.kernel ORDER BY k.duration DESC LIMIT 1")[0]
    for number, theirs, ours in (("longest: kind", "all_reduce", kind), ("longest: elements in", 2049000, int(sent) // 4), ("longest: elements out", 2049000, int(received) // 4),
                                 ("longest: type", "Float", dtype), ("longest: group", "0", group), ("longest: ranks", "0,1", ranks)):
        peers.add("HTA", case, number, theirs, ours)
    count("triton_example", "kernels of triton_poi_fused_add_cos_sin_0", 1, "SELECT count(*) FROM kernels k JOIN ops o ON o.id = k.op WHERE o.name = k.name AND k.name = 'triton_poi_fused_add_cos_sin_0'")
    count("cupti_profiler", "events cuda_profiler_range, not read but counted", 77, "SELECT count FROM issues WHERE name = 'passed_over'")
    case = "ns_resolution_trace"
    peers.add("HTA", case, "135139", "d2d", peers.one(trace(case), "SELECT direction FROM copies WHERE correlation = 135139"))
    peers.add("HTA", case, "135139: inside", "DistributedDataParallel.forward", peers.one(trace(case), "SELECT r.name FROM copies w JOIN calls c ON c.id = w.call JOIN ranges r ON r.id = c.range WHERE w.correlation = 135139"))
    peers.add("HTA", case, "164926", "multi_tensor_apply_kernel", peers.one(trace(case), "SELECT short_name FROM kernels WHERE correlation = 164926"))
    count(case, "annotations, by name without numbers", 12 - 2, "SELECT count(DISTINCT CASE WHEN name LIKE 'ProfilerStep%' THEN 'ProfilerStep' ELSE name END) + 1 FROM ranges")
    count("negative_queue_length_values_check", "streams", 6, "SELECT count(*) FROM (SELECT stream FROM kernels UNION SELECT stream FROM copies UNION SELECT stream FROM sets)")
    count("mtia_inference_trace", "steps of the profiler", 0, "SELECT count(*) FROM ranges WHERE name LIKE 'ProfilerStep%'")
    count("rank_non_gpu", "tables of device work", 0, "SELECT count(*) FROM sqlite_master WHERE name IN ('kernels', 'copies', 'sets')")
    in_step = ("SELECT o.name, o.duration FROM ops o JOIN ops s ON s.name = 'ProfilerStep#1010' AND o.start >= s.start AND o.start < s.end")
    base, test = ({name: int(time) for name, time in peers.query(trace(f"trace_compare/{side}"), in_step)} for side in ("base", "test"))
    for number, theirs, ours in (("host names gone in step 1010", "nccl:all_reduce", base.keys() - test.keys()),
                                 ("host names added in it", "AddmmBackward0, All2All_Pooled_Req, CatBackward0", test.keys() - base.keys())):
        peers.add("HTA", "trace_compare", number, theirs, ", ".join(sorted(ours)))
    peers.add("HTA", "trace_compare", "nccl:all_reduce in it, us", 67, base["nccl:all_reduce"] / 1e3)
    mtia(peers, folder)


def nsysai(peers):
    folder = peers.data / "nsysai_golden"
    for side, step, exposed, idle in (("before", 30, 5, 5), ("after", 40, 10, 10)):
        rows = [(int(s), int(e), name.startswith("nccl")) for s, e, name in peers.query(folder / f"{side}.sqlite", "SELECT start, end, name FROM kernels")]
        every, compute = [r[:2] for r in rows], [r[:2] for r in rows if not r[2]]
        span = max(e for _, e in every) - min(s for s, _ in every)
        hidden = union(compute) + union([r[:2] for r in rows if r[2]]) - union(every)
        for number, theirs, ours in (("step", step, span), ("compute", 20, union(compute)), ("exposed communication", exposed, union(every) - union(compute)),
                                     ("idle", idle, span - union(every)), ("communication that is hidden", 5, hidden)):
            peers.add("nsys-ai", side, f"{number}, ms", theirs, ours / 1e6)
    for case, forbidden, needed in (("healthy_1pct", ("idle", "communication"), ()), ("healthy_judged_1pct", ("idle", "communication"), ()), ("mock", ("communication",), ("idle",))):
        page = json.loads(subprocess.run([peers.assay, "look", "--json", str(folder / f"{case}.sqlite")], capture_output=True, text=True).stdout)["result"]
        said = page["headline"] + " ".join(line for part in page["parts"] if part["title"] == "What to try" for line in part["sentences"])
        # "the device idled 1 % of the time" says that there is nothing to gain.
        advised = {"idle": "idle most" in page["headline"] or "long gaps" in said, "communication": "communication" in said}
        for word in forbidden + needed:
            peers.add("nsys-ai", case, f"{word} is named as worth working on", "yes" if word in needed else "no", "yes" if advised[word] else "no")


def perfetto(peers):
    """Slices of their JSON, as operators of PyTorch: the text of numbers, ends and brackets stays as it is."""
    folder = peers.data / "perfetto_json"
    sql = ("SELECT o.start + CAST((SELECT value FROM properties WHERE name = 'origin_ns') AS INTEGER), o.duration, o.name FROM ops o ORDER BY 1")
    for case in ("json_incomplete", "json_trailing_comma", "string_ts_and_dur", "string_tts_and_tdur", "invalid_string_ts_and_dur"):
        text = re.sub(r'("cat"\s*:\s*)"[^"]*"', r'\1"cpu_op"', (folder / f"{case}.json").read_text())
        text = re.sub(r'("ph"\s*:\s*"[XBE]")(?![^{}]*"cat")', r'\1,"cat":"cpu_op"', text)
        with tempfile.TemporaryDirectory() as place:
            made = pathlib.Path(place) / "made.pt.trace.json"
            made.write_text(text)
            ours = {name: (int(start), int(duration)) for start, duration, name in peers.query(made, sql)}
        theirs = list(csv.DictReader(open(folder / f"{case}.csv")))
        peers.add("Perfetto", case, "slices", len(theirs), len(ours), why="end never")
        for row in theirs:
            start, duration = ours.get(row.get("name", ""), next(iter(ours.values())))
            peers.add("Perfetto", case, f"{row.get('name', 'slice')}: start, ns", int(row["ts"]), start)
            if "dur" in row:
                peers.add("Perfetto", case, f"{row['name']}: duration, ns", int(row["dur"]), duration)


def nvrx(peers):
    hangs = peers.hangs / "nvrx"
    for case, theirs in (("gpu_error_1st", "12, 14"), ("lock_gil_1st", "9, 14")):
        page = json.loads(subprocess.run([peers.assay, "look", "--json", str(hangs / case)], capture_output=True, text=True).stdout)["result"]
        named = re.match(r"ranks (\d+) and (\d+) ", page["headline"])
        peers.add("NVRx", case, "ranks at fault, as injected", theirs, ", ".join(named.groups()) if named else page["headline"])


def tlparse(peers):
    folder = peers.compiled / "tlparse"
    for case, maps in json.loads((folder / "provenance/expected_line_mappings.json").read_text()).items():
        ours = collections.defaultdict(list)
        for name, line, other in peers.query(folder / "provenance" / case, "SELECT map, line, other_line FROM provenance_lines ORDER BY id"):
            ours[name, line].append(int(other))
        theirs = {(name, line): others for name, lines in maps.items() for line, others in lines.items()}
        peers.add("tlparse", case, "lines with a counterpart", len(theirs), len(ours))
        for (name, line), others in theirs.items():
            peers.add("tlparse", case, f"{name} of line {line}", " ".join(map(str, others)), " ".join(map(str, ours[name, line])))
    counts = {"comp_metrics": ("count(*), sum(attempt), sum(restarts)", (3, 2, 2)),
              "cache_hit_miss": ("count(*), sum(graph_cache = 'miss'), sum(graph_cache = 'hit'), sum(autograd_cache = 'bypass')", (6, 2, 1, 3)),
              "comp_failure": ("count(*), sum(failure <> '')", (1, 1))}
    for case, (what, theirs) in counts.items():
        row = peers.query(folder / f"logs/{case}.log", f"SELECT {what} FROM compilations")[0]
        for number, value in enumerate(theirs):
            peers.add("tlparse", case, what.split(", ")[number], value, int(row[number]))
    peers.add("tlparse", "simple_corrupted_json", "damaged lines", 1, int(peers.one(folder / "logs/simple_corrupted_json.log", "SELECT damaged FROM compile_logs")))


def weights_of(times):
    """speedscope: a sample has the time half way to the one before it and to the one after it; a single one 1."""
    if len(times) == 1:
        return [1.0]
    return [(times[min(i + 1, len(times) - 1)] - times[max(i - 1, 0)]) / 2e9 for i in range(len(times))]


def speedscope(peers):
    folder = peers.data / "perf_script"
    files = {"importFromBGFlameGraph": "simple.collapsed.txt", "importFromBGFlameGraph with CRLF": "simple-crlf.collapsed.txt",
             "importFromBGFlameGraph with invalid lines": "simple-with-invalids.collapsed.txt",
             "importFromLinuxPerf simple-with-pids.linux-perf.txt": "simple-with-pid.linux-perf.txt"}
    texts = "".join((folder / f"{name}.test.ts.snap").read_text() for name in ("linux-tools-perf", "bg-flamegraph"))
    for test, body in re.findall(r"exports\[`([^`]*) \d+`\] = `\n\{(.*?)\n\}\n", texts, re.S):
        case = files.get(test, test.removeprefix("importFromLinuxPerf "))
        if not (folder / case).exists():
            continue  # theirs alone: in UTF-16, and in pieces
        named = re.search(r'\n  "name": "(.*?)"', body).group(1)
        frames = [(f"{function} ({file})" if file else function) for function, file in peers.query(folder / case, "SELECT function, file FROM frames ORDER BY id")]
        stacks = [(int(parent or -1), int(frame)) for parent, frame in peers.query(folder / case, "SELECT parent, frame FROM stacks ORDER BY id")]
        tid = re.search(r"tid: (\d+)$", named)
        of_thread = f"WHERE thread IN (SELECT id FROM threads WHERE tid = {tid.group(1) if tid else 0})" if "perf" in case else ""
        samples = peers.query(folder / case, f"SELECT {'time' if 'perf' in case else 0}, coalesce(stack, -1), weight FROM samples {of_thread} ORDER BY id")
        weights = weights_of([int(s[0]) for s in samples]) if "perf" in case else [float(s[2]) for s in samples]
        own, total = collections.Counter(), collections.Counter()
        for (_, stack, _), weight in zip(samples, weights):
            at, seen = int(stack), []
            while at >= 0:
                seen.append(frames[stacks[at][1]])
                at = stacks[at][0]
            own.update({seen[0]: weight} if seen else {})
            total.update(dict.fromkeys(seen, weight))
        for key, self_weight, total_weight in re.findall(r'"key": "(.*?)",.*?"selfWeight": (.*?),\s+"totalWeight": (.*?),', body, re.S):
            for what, theirs, ours in (("self", self_weight, own[key]), ("total", total_weight, total[key])):
                peers.add("speedscope", case, f"{named}, {key[:60]}: {what}", float(theirs), ours, 1e-9)


def table_of(peers):
    lines = ["peer\tcase\tnumber\ttheirs\tassay\tjudged"]
    return "\n".join(lines + ["\t".join(str(cell) for cell in row) for row in peers.rows]) + "\n"


def section_of(peers):
    lines = ["| tool | numbers | equal | differ by a definition |", "|---|---|---|---|"]
    names = list(dict.fromkeys(row.peer for row in peers.rows))
    for name in names + ["all"]:
        rows = [row for row in peers.rows if name in (row.peer, "all")]
        equal = sum(row.why == "equal" for row in rows)
        lines.append(f"| {name} | {len(rows)} | {equal} | {len(rows) - equal} |")
    used = [why for why in DEFINITIONS if any(row.why == why for row in peers.rows)]
    return "\n".join([BEGIN] + lines + ["", " ".join(DEFINITIONS[why] for why in used), END])


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    folder, hangs, compiled = real_data("peers"), real_data("hang"), real_data("compile")
    if folder is None or hangs is None or compiled is None:
        print("the data of other tools' tests are not here")
        sys.exit(77)
    peers = Peers(arguments[0], folder / "peers", hangs / "hang", compiled / "compile")
    for compare in (hta, tracelens_compare, tracelens_diff, nsysai, nvrx, tlparse, speedscope, perfetto):
        compare(peers)
    wrong = [row for row in peers.rows if row.why != "equal" and row.why not in DEFINITIONS]
    for row in wrong:
        print(f"{row.peer}, {row.case}, {row.number}: {row.theirs} there, {row.ours} here")
    table, page = table_of(peers), PAGE.read_text()
    begin, end = page.index(BEGIN), page.index(END) + len(END)
    written = page[:begin] + section_of(peers) + page[end:]
    if "--write" in sys.argv:
        TABLE.write_text(table)
        PAGE.write_text(written)
    stale = [file.name for file, text in ((TABLE, table), (PAGE, written)) if not file.exists() or file.read_text() != text]
    if stale:
        print(f"{' and '.join(stale)}: not as they would be written now; run peers.py with --write")
    print(f"{len(peers.rows)} numbers, {sum(row.why == 'equal' for row in peers.rows)} equal, {len(wrong)} wrong")
    sys.exit(1 if wrong or stale or len(peers.rows) < 150 else 0)


main()
