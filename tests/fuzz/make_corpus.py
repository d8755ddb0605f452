#!/usr/bin/env python3
"""Writes small inputs for the fuzz targets: make_corpus.py OUT CONFIGS.

Some are made here, others are cut from the questions of the project and, where ASSAY_EXAMPLES names them, from the
example reports. One folder a kind of input; no file is larger than LARGEST. The same call writes the same bytes.
"""

import gzip
import json
import os
import pathlib
import pickle
import shutil
import sqlite3
import struct
import sys

LARGEST = 64 * 1024
ROWS = 12  # kept of every table of an export
EVENTS = 60  # kept of every trace
EVENT_TABLES = ("CUPTI_", "NVTX_EVENTS", "PROFILER_OVERHEAD", "META_DATA", "TARGET_INFO_GPU", "PROCESSES")


def write(folder, name, data):
    folder.mkdir(parents=True, exist_ok=True)
    if 0 < len(data) <= LARGEST:
        (folder / name).write_bytes(data)


def database(folder, name, page_size, statements):
    """A database of its own pages, made by SQL statements or by functions of the connection."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.unlink(missing_ok=True)
    db = sqlite3.connect(f"file:{file}", uri=True)
    db.execute(f"PRAGMA page_size = {page_size}")
    for statement in statements:
        statement(db) if callable(statement) else db.executescript(statement)
    db.commit()
    db.close()
    if file.stat().st_size > LARGEST:
        file.unlink()


def events(rows):
    return f"""
        CREATE TABLE names (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE events (start INTEGER NOT NULL, 'end' INTEGER, device INTEGER, text TEXT, payload);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
        INSERT INTO events SELECT i * 1000003, CASE WHEN i % 7 THEN i * 1000003 + i % 997 END, i % 3,
          CASE WHEN i % 5 THEN 'range ' || (i % 11) END,
          CASE i % 6 WHEN 0 THEN 'text' WHEN 1 THEN x'00ff' WHEN 2 THEN 1.5 WHEN 3 THEN i END FROM n;
        INSERT INTO names SELECT rowid * 3, 'name ' || rowid FROM events WHERE rowid % 2;"""


def layouts(folder):
    """Every layout of a table that the page decoder tells apart."""
    for size in (512, 1024, 4096):
        for rows in (1, 20, 200):
            database(folder, f"events-{size}-{rows}.sqlite", size, [events(rows)])
        odd = {
            "row-id": "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, c);"
            "INSERT INTO t VALUES (-5, 'x', 2.5), (1 << 60, NULL, x'01')",
            "overflow": "CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, hex(zeroblob(5000))), (2, 'b')",
            "added": "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b DEFAULT 7",
            "no-row-id": "CREATE TABLE t (a INTEGER PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO t VALUES (1, 2)",
            "freed": events(100) + "DELETE FROM events WHERE rowid % 3 = 0; DROP TABLE names",
        }
        for name, sql in odd.items():
            database(folder, f"{name}-{size}.sqlite", size, [sql])


EXPORT = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER,
 contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER,
 shortName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER,
 streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER,
 globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER, rangeId INTEGER, text TEXT,
 globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
CREATE TABLE PROFILER_OVERHEAD (start INTEGER, end INTEGER, globalTid INTEGER);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'a kernel'), (3, 'iteration_0');
"""


ROCPD_ID = "_0000406d_08bf_78bf_9160_047813fc7bfc"
ROCPD_COLUMNS = {
    "metadata": "tag TEXT NOT NULL, value TEXT NOT NULL",
    "string": "guid TEXT, string TEXT NOT NULL UNIQUE",
    "info_node": "guid TEXT, hash BIGINT, machine_id TEXT, hostname TEXT",
    "info_process": "guid TEXT, nid INTEGER, pid INTEGER, command TEXT, environment JSONB",
    "info_thread": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, name TEXT",
    "info_agent": "guid TEXT, nid INTEGER, pid INTEGER, type TEXT, absolute_index INTEGER, logical_index INTEGER, "
                  "name TEXT, product_name TEXT, extdata JSONB",
    "info_pmc": "guid TEXT, agent_id INTEGER, name TEXT, symbol TEXT, units TEXT",
    "info_kernel_symbol": "guid TEXT, kernel_name TEXT, display_name TEXT, group_segment_size INTEGER, "
                          "arch_vgpr_count INTEGER, extdata JSONB",
    "event": "guid TEXT, category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, correlation_id INTEGER, "
             "extdata JSONB",
    "pmc_event": "guid TEXT, event_id INTEGER, pmc_id INTEGER, value REAL",
    "region": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, start BIGINT NOT NULL, end BIGINT NOT NULL, "
              "name_id INTEGER, event_id INTEGER",
    "kernel_dispatch": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, agent_id INTEGER, kernel_id INTEGER, "
                       "dispatch_id INTEGER, queue_id INTEGER, stream_id INTEGER, start BIGINT NOT NULL, "
                       "end BIGINT NOT NULL, group_segment_size INTEGER, workgroup_size_x INTEGER, "
                       "workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER, "
                       "grid_size_z INTEGER, event_id INTEGER",
    "memory_copy": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, start BIGINT NOT NULL, end BIGINT NOT NULL, "
                   "name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER, stream_id INTEGER, "
                   "event_id INTEGER",
    "memory_allocate": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, agent_id INTEGER, type TEXT, level TEXT, "
                       "start BIGINT NOT NULL, end BIGINT NOT NULL, address INTEGER, size INTEGER, event_id INTEGER",
}
ROCPD = "".join(f"CREATE TABLE `rocpd_{word}{ROCPD_ID}` (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, {columns});\n"
                for word, columns in ROCPD_COLUMNS.items())
ROCPD_STRINGS = ("", "KERNEL_DISPATCH", "HIP_RUNTIME_API", "MEMORY_COPY", "MARKER_CORE_RANGE_API", "hipLaunchKernel",
                 "hipMemcpyAsync", "MEMORY_COPY_HOST_TO_DEVICE", "roctxRangePushA", "hipMalloc")


def rocpd_rows(db):
    """Six steps of roctx with a copy, an allocation and four dispatches each, two of them counted."""

    def row(table, **cells):
        names = ", ".join(cells)
        db.execute(f'INSERT INTO "rocpd_{table}{ROCPD_ID}" ({names}) VALUES ({", ".join("?" * len(cells))})',
                   list(cells.values()))

    def event(category, stack, extdata="{}"):
        row("event", category_id=category, stack_id=stack, correlation_id=0, extdata=extdata)
        return db.execute("SELECT last_insert_rowid()").fetchone()[0]

    traced = {f"ROCPROF_{domain}_TRACE": "1" for domain in
              ("KERNEL", "MEMORY_COPY", "MEMORY_ALLOCATION", "HIP_RUNTIME_API", "MARKER_API")}
    row("metadata", tag="schema_version", value="3")
    row("metadata", tag="uuid", value=ROCPD_ID)
    for text in ROCPD_STRINGS:
        row("string", string=text)
    row("info_node", id=7, hash=1, machine_id="m", hostname="node")
    row("info_process", id=20, nid=7, pid=20, command="./train", environment=json.dumps({**traced, "RANK": "0"}))
    row("info_thread", id=20, nid=7, pid=20, tid=20)
    row("info_agent", id=0, nid=7, pid=20, type="CPU", absolute_index=0, logical_index=0, name="cpu", extdata="{}")
    row("info_agent", id=1, nid=7, pid=20, type="GPU", absolute_index=1, logical_index=1, name="gfx942",
        product_name="AMD Instinct MI300X", extdata=json.dumps({"cu_count": 304, "max_engine_clk_fcompute": 2100}))
    row("info_pmc", id=1, agent_id=1, name="SQ_WAVES", symbol="SQ_WAVES", units="")
    for number, name in ((1, "void gemm<float>(int)"), (2, "softmax_kernel")):
        row("info_kernel_symbol", id=number, kernel_name=f"_Z{number}.kd", display_name=name, group_segment_size=1024,
            arch_vgpr_count=96, extdata="{}")
    place, stack = {"nid": 7, "pid": 20, "tid": 20}, 0
    for step in range(6):
        begin = 1_000_000 * (step + 1)
        row("region", **place, start=begin, end=begin + 900_000, name_id=9,
            event_id=event(5, 9000 + step, json.dumps({"message": f"step_{step}"})))
        row("memory_allocate", **place, agent_id=1, type="ALLOC" if step % 2 == 0 else "FREE", level="REAL",
            start=begin + 1_000, end=begin + 2_000, address=4096, size=65536 if step % 2 == 0 else 0,
            event_id=event(3, 9100 + step))
        for k in range(5):
            start, stack = begin + 100_000 * k + 10_000, stack + 1
            row("region", **place, start=start, end=start + 8_000, name_id=7 if k == 0 else 6, event_id=event(3, stack))
            if k == 0:
                row("memory_copy", **place, start=start + 9_000, end=start + 60_000, name_id=8, dst_agent_id=1,
                    src_agent_id=0, size=4816896, stream_id=1, event_id=event(4, stack))
                continue
            launched = event(2, stack)
            row("kernel_dispatch", **place, agent_id=1, kernel_id=1 + k % 2, dispatch_id=stack, queue_id=1,
                stream_id=k % 2, start=start + 9_000, end=start + 70_000 + 1_000 * k, group_segment_size=2048,
                workgroup_size_x=128, workgroup_size_y=1, workgroup_size_z=1, grid_size_x=2048 * k, grid_size_y=2,
                grid_size_z=1, event_id=launched)
            if k < 3:
                row("pmc_event", event_id=launched, pmc_id=1, value=64.0 * k)


def hostile_times(db):
    """Times at the limits of 64 bits, all at once, backwards, of no length, on streams of their own."""
    low, high = -(2**63) + 1, 2**63 - 1
    spans = [(low, high), (low, low), (high, high), (low - 1, high), (0, high), (low, 0), (5, 5), (5, 4), (5, 9), (5, 9), (7, 20)]
    tid = 281474976710657
    for i, (start, end) in enumerate(spans * 2):
        db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,0,1,?,?,?,2,2,1,1,1,32,1,1)",
                   (start, end, i, i + 1, tid))
        db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,0,?,?,?,?,1)",
                   (start, end, i, i + 1, tid, high))
        db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,0,?,?,1,0)", (start, end, tid, i + 1))
        db.execute("INSERT INTO NVTX_EVENTS VALUES (?,?,?,?,NULL,?,NULL,3,0)",
                   (start, end, 59 + i % 2, i, tid))
        db.execute("INSERT INTO PROFILER_OVERHEAD VALUES (?,?,?)", (start, end, tid))


def cut(source):
    """A function that copies the first rows of the event tables, and the strings that they name."""

    def copy(db):
        db.execute("ATTACH ? AS big", (f"file:{source}?immutable=1",))
        tables = db.execute("SELECT name, sql FROM big.sqlite_schema WHERE type = 'table'").fetchall()
        used = {1}
        for name, sql in tables:
            if not name.startswith(EVENT_TABLES):
                continue
            db.execute(sql)
            db.execute(f'INSERT INTO main."{name}" SELECT * FROM big."{name}" LIMIT {ROWS}')
            for column in (row[1] for row in db.execute(f'PRAGMA main.table_info("{name}")')):
                if column in ("nameId", "demangledName", "shortName", "textId"):
                    used |= {row[0] for row in db.execute(f'SELECT "{column}" FROM main."{name}"')}
        db.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
        for number in sorted(n for n in used if n is not None):
            db.execute("INSERT INTO StringIds SELECT id, value FROM big.StringIds WHERE id = ?", (number,))
        db.commit()
        db.execute("DETACH big")

    return copy


def trace_text(events_of_trace, **header):
    return json.dumps({**header, "traceEvents": events_of_trace, "traceName": "made"}, indent=1).encode()


def made_traces(folder):
    kernel = {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1.5, "dur": 2,
              "args": {"device": 0, "stream": 7, "correlation": 3, "grid": [1, 2, 3], "block": [32, 1, 1]}}
    call = {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5, "ts": 1, "dur": 0.25,
            "args": {"External id": 1, "correlation": 3}}
    op = {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 5, "tid": 5, "ts": 0.5, "dur": 2,
          "args": {"External id": 1, "Input Dims": [[8, 16], [16, 4]], "Input type": ["float", "float"],
                   "Input Strides": [[16, 1], [4, 1]], "Concrete Inputs": ["", ""]}}
    far = [{**kernel, "ts": ts, "dur": dur} for ts, dur in ((1e300, 1), (-1e18, 9e15), (9223372036854775, 1e6))]
    document = trace_text([op, call, kernel, *far], deviceProperties=[{"id": 0, "name": "GPU", "numSms": 8}],
                          distributedInfo={"rank": 1})
    write(folder, "made.json", document)
    write(folder, "made.json.gz", gzip.compress(document, mtime=0))
    write(folder, "members.json.gz", gzip.compress(document[:200], mtime=0) + gzip.compress(document[200:], mtime=0))
    write(folder, "bare.json", json.dumps([kernel]).encode())
    write(folder, "bad.json", b'{"traceEvents": [{"ph": "X" "cat": oops}, {"name": "\\ud800 \xff"}]}')


def cut_trace(folder, file):
    trace = json.loads(gzip.decompress(file.read_bytes()))
    taken, by_kind = [], {}
    for event in trace["traceEvents"]:  # a few of every kind
        kind = (event.get("ph"), event.get("cat"))
        by_kind[kind] = by_kind.get(kind, 0) + 1
        if by_kind[kind] <= 4 and len(taken) < EVENTS:
            taken.append(event)
    header = {key: value for key, value in trace.items() if key not in ("traceEvents", "traceName")}
    text = trace_text(taken, **header)
    write(folder, file.name.replace(".json.gz", ".json"), text)
    write(folder, file.name, gzip.compress(text, mtime=0))


def gzip_inputs(folder, traces):
    """Traces behind the eight bytes that say how gzip_fuzz packs and damages them: stored and compressed, whole and in
    members, with a flip in the text, the trailer and the header, cut off, and with more behind."""
    ways = {
        "whole": (6, 0, 0, 0, 0, 0, 0, 0),
        "stored-flip": (0, 0, 0, 1, 0, 2, 0, 0),
        "flip": (6, 0, 0, 0, 99, 4, 0, 0),
        "header": (9, 0, 0, 0, 3, 8, 0, 0),
        "members-cut": (1, 2, 0, 0, 0, 0, 9, 0),
        "more": (6, 0, 0, 31, 0, 0, 0, 20),
    }
    for name, way in ways.items():
        for trace in traces:
            write(folder, f"{trace.stem}-{name}", bytes(way) + trace.read_bytes())


def results(folder):
    """A stored result: the schema of the program with a question, its reports, facts, findings and claims."""
    source = (pathlib.Path(__file__).resolve().parent / "../../core/output/results/results_schema.hpp").read_text()
    schema = source.split('R"sql(')[1].split(')sql"')[0]

    def row(db, table, **values):
        """A row with the values given; what the schema demands besides is 0."""
        columns = [(name, needed) for _, name, _, needed, _, _ in db.execute(f"PRAGMA table_info({table})")]
        cells = [values.pop(name, 0 if needed else None) for name, needed in columns]
        assert not values, f"{table} has no column {', '.join(values)}"
        db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(cells))})", cells)

    def rows(db):
        effect = {"kind": "ratio", "metric": "gpu.busy_ns", "value": 1.5, "lo": 1.25, "hi": 1.75, "level": 0.95,
                  "method": "bootstrap", "n": 12, "scope": "between runs"}
        row(db, "questions", question="q", title="Title", text="Text?", expected=2, present=1)
        row(db, "label_rules", question="q", label="dim", numeric=1)
        row(db, "metrics", metric="gpu.busy_ns", unit="ns", polarity="lower is better", analyzer="x", definition="Busy.")
        for i, name in enumerate(("a.sqlite", "b.sqlite")):
            row(db, "reports", question="q", report=name, role="question", status="read", bytes=1000)
            row(db, "labels", question="q", report=name, label="dim", value=str(384 * (i + 1)), origin="name")
            row(db, "attributes", question="q", report=name, name="fingerprint", value="abc")
            row(db, "facts", fact=i + 1, report=name, metric="gpu.busy_ns", dims="", unit="ns", value=1000.5 + i, n=1)
            row(db, "issues", question="q", report=name, name="bad_cells", severity="warning", count=3, text="Three.")
        row(db, "facts", fact=3, report="a.sqlite", metric="gpu.busy_ns", dims="question=q", unit="ns", value=3, n=1)
        row(db, "findings", finding=1, question="q", analyzer="x", role="answer", title="T", text="Text.",
            labels='{"dim": "384"}', **effect)
        row(db, "claims", question="q", claim="c", text="Claimed.", source="s", verdict="refuted", reason="Because.")
        row(db, "strata", stratum=1, question="q", claim="c", verdict="refuted", reason="So.", labels="{}", **effect)
        row(db, "evidence", finding=1, report="a.sqlite", metric="gpu.busy_ns", dims="", value=1000.5)
        for kind, item in (("missing", "dim=768;px=224"), ("duplicate", "c.sqlite"), ("lacking", "b.sqlite")):
            row(db, "completeness", question="q", kind=kind, item=item)
        row(db, "skipped", question="q", report="b.sqlite", analyzer="x", reason="No kernels.", lacks="kernels")
        row(db, "files", name="report.md")

    database(folder, "results.sqlite", 512, [schema, rows])


RUNS = {
    "program.json": [{"name": "r", "elapsed_s": 0.5, "throughput": 40.5, "batches": 20, "config": {"depth": 6}}],
    "runner.json": {"experiments": [{"run_id": "r", "duration": 12.5, "success": True, "exit_code": 0},
                                    {"run_id": "s", "success": "no", "exit_code": "x", "error": "Traceback\nno memory"}]},
}


def sheets(folder):
    made = {
        "plain.csv": b"a,b\n1,2\n3,\n",
        "quoted.csv": b'\xef\xbb\xbfa,"b ""c"""\r\n"1,5","x\r\ny"\r\n',
        "ragged.csv": b"a,b\n1\n1,2,3\n\n",
        "list.json": b'[{"a": 1, "b": {"c": [1, 2.5]}}, {"a": null, "d": "x"}]',
        "object.json": b'{"runs": [{"name": "r", "config": {"depth": 12}, "elapsed_s": 1e-3}]}',
        "deep.json": b"[" * 200 + b"]" * 200,
    }
    for name, data in made.items():
        write(folder, name, data)


def fields(*of):
    """A message of protocol buffers: (field, number | text | bytes) in order."""
    out = b""
    for field, value in of:
        if isinstance(value, int):
            out += varint(field << 3) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            out += varint(field << 3 | 2) + varint(len(value)) + value
    return out


STATS = ("correlation_id", "kernel_details", "memcpy_details", "hlo_op", "hlo_module", "program_id", "cuda_graph_node_id",
         "step_num", "tf_op", "command_buffer_1", "jit_f", "jit(f)/jvp(a)/mul", "Hlo Proto", "allocation_bytes", "process_id",
         "regs:16 static_shared:0 dynamic_shared:0 grid:3,2,1 block:256,1,1 occ_pct:25",
         "kind_src:device kind_dst:pinned size:4 dest:0 async:1", "loop_fusion", "custom-call.2", "cudnn.1", "fmha.1", "copy.1")


def plane(name, lines, own=(), metadata=()):
    """Lines are (id, name, events), an event (name, offset, duration, {statistic: number | name of a statistic})."""
    def stat(key, value):
        number = STATS.index(key) + 1
        return fields((1, number), (7, STATS.index(value) + 1) if isinstance(value, str) else (4, value))

    names, out = [], [(2, name)]
    for number, title, events in lines:
        line = [(1, number), (2, title), (3, 1000)]
        for event, offset, duration, stats in events:
            if event not in names:
                names.append(event)
            line.append((4, fields((1, names.index(event) + 1), (2, offset), (3, duration),
                                   *((4, stat(k, v)) for k, v in stats.items()))))
        out.append((3, fields(*line)))
    out += [(4, fields((1, i + 1), (2, fields((1, i + 1), (2, n))))) for i, n in enumerate(names)] + list(metadata)
    out += [(5, fields((1, i + 1), (2, fields((1, i + 1), (2, n))))) for i, n in enumerate(STATS)]
    return fields(*out, *((6, fields((1, STATS.index(k) + 1), (4, v))) for k, v in own))


def array(kind, *dims):
    return fields((2, kind), (3, b"".join(varint(d) for d in dims)))


def jax_program():
    """A copy, a fusion that slices and reduces, a product and a convolution of libraries, attention, an update in place."""
    f32, bf16, dims = array(11, 8, 16), array(16, 1, 16, 9, 9), lambda *of: b"".join(varint(i) for i in of)
    product = b'{"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"]},"operand_precision":["HIGHEST"]}}'
    heads = (b'{"bmm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["1"],"lhs_batch_dimensions":["0"],'
             b'"rhs_batch_dimensions":["0"]},"mask_type":"CAUSAL"}')
    instructions = (
        ("copy.1", "copy", "", f32, (10,), []),
        ("loop_fusion", "fusion", "jit(f)/jvp(a)/mul", f32, (10, 11), [(38, dims(5)), (11, "kLoop")]),
        ("custom-call.2", "custom-call", "jit(f)/jvp(a)/dot", fields((2, 13), (4, f32), (4, array(2, 99))), (10, 11),
         [(28, "__cublas$lt$matmul"), (43, product)]),
        ("loop_fusion.1", "fusion", "jit(f)/add", f32, (1,), [(38, dims(5))]),
        ("cudnn.1", "custom-call", "", fields((2, 13), (4, bf16)), (10, 11),
         [(28, "__cudnn$convBackwardInput"), (16, fields((3, 1), (6, dims(2, 3)), (8, 1), (10, 1)))]),
        ("fmha.1", "custom-call", "", f32, (10, 11, 10), [(28, "__cudnn$fmhaSoftmax"), (43, heads)]))
    made = [(2, fields((1, n), (2, o), (3, shape), (7, fields((2, p))), (35, i), (36, dims(*of)), *more))
            for i, (n, o, p, shape, of, more) in enumerate(instructions)]
    made += [(2, fields((1, f"p{i}"), (2, "parameter"), (3, f32), (9, i), (35, 10 + i))) for i in range(2)]
    inside = (("p", "parameter", f32, (), [(9, 0)]), ("q", "parameter", f32, (), [(9, 1)]), ("b", "bitcast", f32, (20,), []),
              ("s", "slice", array(11, 2, 16), (22,), []), ("d", "dot", f32, (21, 23), [(30, fields((1, dims(1)), (2, dims(0)))), (51, fields((1, 2)))]),
              ("e", "exponential", f32, (24,), []), ("r", "reduce", array(11, 8), (25, 25), [(38, dims(6))]),
              ("w", "reduce-window", f32, (25, 25), [(38, dims(6)), (15, fields((1, fields((1, 3)))))]),
              ("u", "dynamic-update-slice", f32, (20, 23), []), ("t", "tuple", fields((2, 13), (4, f32)), (26, 28), []))
    fused = [(2, fields((1, n), (2, o), (3, shape), (35, 20 + i), (36, dims(*of)), *more)) for i, (n, o, shape, of, more) in enumerate(inside)]
    adds = [(2, fields((1, "add.9"), (2, "add"), (3, array(11)), (35, 40), (36, dims(40, 40))))]
    order = fields((1, dims(*range(len(instructions)))))
    return fields((1, fields((1, "jit_f"), (3, fields((1, "fused"), *fused, (5, 5), (6, 29))), (3, fields((1, "adds"), *adds, (5, 6), (6, 40))),
                             (3, fields((1, "main"), *made, (5, 4), (6, 5))), (6, 4), (7, fields((1, fields((1, 4), (2, order))))))))


def jax_profiles(folder):
    """Two devices, a graph and its program, threads, steps, a TPU."""
    graph = {"correlation_id": 7, "hlo_op": "command_buffer_1", "hlo_module": "jit_f", "program_id": 12, "tf_op": "jit(f)/jvp(a)/mul",
             "kernel_details": STATS[15], "cuda_graph_node_id": 3}
    kernels = [(n, 5000 * i, 4000, graph) for i, n in enumerate(("memcpy128", "loop_fusion_3", "Memset 0", "gemm", "loop_fusion_3"))]
    named = [(n, 40000 + 5000 * i, 4000, {"correlation_id": 20 + i, "hlo_op": n, "program_id": 12}) for i, n in enumerate(STATS[17:])]
    copies = [("MemcpyD2H", 900, 100, {"correlation_id": 8, "memcpy_details": STATS[16]})]
    host = [("train", 0, 90000, {"step_num": 3}), ("$a.py:7 f", 10, 500, {}), ("cuGraphLaunch (CudaGraph:1)", 20, 100, {"correlation_id": 7}),
            ("MemcpyD2H", 200, 100, {"correlation_id": 8}), ("MemoryAllocation", 400, 0, {"allocation_bytes": 256}), ("instant", 500, 0, {})]
    program = (4, fields((1, 12), (2, fields((1, 12), (2, "jit_f(12)"), (5, fields((1, STATS.index("Hlo Proto") + 1), (6, jax_program())))))))
    planes = (plane("/host:metadata", [], metadata=[program]), plane("/device:GPU:0", [(14, "Stream #14(Kernel)", kernels + named)]),
              plane("/device:GPU:1", [(17, "Stream #17(MemcpyD2H)", copies), (1, "XLA Ops", kernels[:2])]),
              plane("/device:TPU:0", [(1, "XLA Ops", kernels[:2])]),
              plane("/host:CPU", [(6787, "Host Threads/6787", [("BUFFER_FLUSH", 0, 9, {})]), ((1 << 64) - 5, "python3", host)], [("process_id", 6787)]))
    write(folder, "whole.xplane.pb", fields(*((1, p) for p in planes), (4, "node1")))
    write(folder, "device.xplane.pb", fields((1, planes[1])))
    write(folder, "twice.xplane.pb", fields(*((1, p) for p in planes[:2] * 2)))


def memory_snapshots(folder):
    """A history that begins late, with every action, in each protocol."""
    frames = [{"name": "f", "filename": "a.py", "line": 7}]
    actions = ("segment_alloc", "alloc", "free_requested", "free_completed", "alloc", "segment_map", "segment_unmap",
               "segment_free", "oom", "snapshot")
    trace = [{"action": a, "device_free" if a == "oom" else "addr": 4096 * (i % 3), "size": 3 << 19, "stream": 0,
              "time_us": 1700000000000000 + i, "frames": frames if i % 2 else [], "compile_context": "N/A"}
             for i, a in enumerate(actions)]
    block = {"address": 0, "size": 512, "requested_size": 7, "state": "active_allocated", "frames": frames}
    segment = {"device": 0, "address": 0, "total_size": 2 << 20, "stream": 0, "segment_type": "small",
               "segment_pool_id": (0, 0), "is_expandable": False, "frames": [], "blocks": [block, dict(block, address=8192)]}
    marks = [{"stage": stage, "name": "Optimizer.step#SGD.step", "device": 0, "time_us": 1700000000000003 + i}
             for i, stage in enumerate(("START", "END", "END", "START"))]
    settings = {"max_split_size": -1, "expandable_segments": False, "roundup_power2_divisions": {"1": 4}}
    whole = {"segments": [segment], "device_traces": [trace, [], trace[:4]], "allocator_settings": settings,
             "external_annotations": marks}
    for protocol in (2, 3, 4, 5):
        write(folder, f"{protocol}.pickle", pickle.dumps(whole, protocol))
    write(folder, "calls.pickle", pickle.dumps({"segments": [pathlib.PurePosixPath("a")], "device_traces": []}))


def hang_dumps(folder):
    """A collective that is open, a send, and a batch; as a pickle, and as JSON."""
    calls = (("nccl:all_reduce", 1, 0), ("nccl:send 0->1", 1, 1), ("nccl:coalesced", 1, 1), ("nccl:all_gather", 2, 1))
    entries = [{"record_id": i, "pg_id": 0, "process_group": ("0", "default_pg"), "profiling_name": name,
                "collective_seq_id": number, "p2p_seq_id": p2p, "op_id": i, "input_sizes": [[8, 4]], "input_dtypes": ["Float"],
                "output_sizes": [[8, 4]], "output_dtypes": ["Float"], "time_created_ns": 1700000000000000000 + i,
                "state": "completed" if i < 3 else "scheduled", "is_p2p": " 0" in name,
                "frames": [{"name": "f", "filename": "a.py", "line": 7}]} for i, (name, number, p2p) in enumerate(calls)]
    whole = {"version": "2.10", "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}},
             "pg_status": {"0": {"last_enqueued_collective": 2, "last_started_collective": 1, "last_completed_collective": 1}},
             "entries": entries}
    write(folder, "nccl_trace_rank_0", pickle.dumps(whole, 2))
    write(folder, "nccl_trace_rank_0.json", json.dumps(whole).encode())


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def message(*fields):
    """Fields of a message of Protocol Buffers: (number, int), (number, float) or (number, bytes)."""
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        elif isinstance(value, float):
            out += varint(number << 3 | 1) + struct.pack("<d", value)
        else:
            out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


def ncu_reports(folder):
    def sized(data):
        return struct.pack("<I", len(data)) + data

    def block(names, sources, results):
        payload = b"".join(map(sized, [*sources, *results]))
        table = message(*((1, name) for name in names))
        return sized(message((1, len(sources)), (2, len(results)), (4, table), (5, len(payload)))) + payload

    size = message((1, 4), (2, 2), (3, 1))
    names = [b"gpu__time_duration.sum", b"dram__bytes_read.sum", b"launch__device_id"]
    metrics = [(13, message((1, i), (2, value))) for i, value in enumerate([message((3, 21.5)), message((5, 7)), message((4, 0))])]
    item = message((1, message((1, b"See the @section:S:Label@ and @url:a:b@."), (2, 4))), (10, message((1, 2), (2, 12.5))))
    rule = message((1, b"Rule"), (3, message((1, item))), (4, b"Section"))
    ranges = message((2, message((1, 7), (2, message((3, message((1, b"step"))))))))
    result = message((1, 42), (5, b"_Z1k"), (6, b"k"), (7, b"k(int)"), (10, size), (11, size), *metrics, (19, rule),
                     (21, ranges), (22, 1), (23, 7))
    head = b"NVR\0" + sized(message((1, 7)))
    write(folder, "one.ncu-rep", head + block(names, [], [result]))
    write(folder, "blocks.ncu-rep", head + block(names, [b"code"], [result]) + block([], [b"more"], [result, result]))
    write(folder, "old.ncu-rep", b"NVR\0" + sized(message((1, 6))) + block(names, [], [result]))


def operands(folder):
    """An operator, its Input Dims, Input type, Input Strides and Concrete Inputs, a line each."""
    bf16, most = "c10::BFloat16", 2**63 - 1
    made = {
        "mm": ("aten::mm", [[64, 128], [128, 32]], [bf16, bf16], [[128, 1], [1, 128]], ["", ""]),
        "matmul": ("aten::matmul", [[8, 1, 64, 32], [4, 32, 16]], ["float", "float"], [[0, 2048, 32, 1], [512, 16, 1]], []),
        "scaled_mm": ("aten::_scaled_mm", [[64, 64], [64, 64], [], []], ["c10::Float8_e4m3fn"] * 2 + ["float"] * 2, [], ["", "", "", "", "", "", "15"]),
        "attention": ("aten::_scaled_dot_product_flash_attention", [[2, 8, 64, 32], [2, 2, 96, 32], [2, 2, 96, 32], [], []],
                      [bf16] * 3 + ["Scalar", "Scalar"], [], ["", "", "", "0.", "True"]),
        "conv2d": ("aten::conv2d", [[1, 3, 32, 32], [8, 3, 3, 3], [8], [], [], [], []], ["c10::Half"] * 3 + ["ScalarList"] * 3 + ["Scalar"],
                   [], ["", "", "", "[1, 1]", "[1]", "[1, 1]", "1"]),
        "pool": ("aten::max_pool2d_with_indices", [[1, 3, 32, 32], [], [], [], [], []], ["float"] + ["ScalarList"] * 4 + ["Scalar"],
                 [], ["", "[2, 2]", "[]", "[0]", "[1, 1]", "False"]),
        "lists": ("aten::_foreach_add_", [[[16, 16], [4]], [[16, 16], [4]], []], ["TensorList", "TensorList", "Scalar"], [[[16, 1], [1]]] * 2 + [[]], []),
        "backward": ("aten::convolution_backward", [[1, 8, 32, 32], [1, 3, 32, 32], [8, 3, 3, 3]] + [[]] * 8, ["float"] * 3 + ["ScalarList"] * 8,
                     [], ["", "", "", "[8]", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "[True, True, False]"]),
        "huge": ("aten::add", [[most] * 40, [0, most, most]], ["float", "float"], [[most] * 40, [0, 0, 0]], [str(-most)] * 2),
        "huge-pool": ("aten::max_pool2d_with_indices", [[most] * 4] + [[]] * 5, ["float"] + ["ScalarList"] * 5, [],
                      ["", f"[{-most}, {most}]", f"[{most}]", f"[{most}]", f"[{-most}]", "False"]),
        "nested": ("my::own", [[[[1]]]], ["float"], [], ["[" * 200]),
    }
    for name, parts in made.items():
        write(folder, name, "\n".join([parts[0], *(json.dumps(part) if part else "" for part in parts[1:])]).encode())


def names(folder):
    made = [
        b"gpu{gpu}_numa{numa}_vit{patch}x{depth}x{dim}\nsmall,large\ngpu0_numa1_vit16x12x768_compiled.sqlite",
        b"{a}{b}_{c}\nx,xy,xyz\nxyxyz12.5_7",
        b"**/run_*_{i}.sqlite\n\na/b/run_x_12.sqlite",
        b"{a}_{a}\n\n1_1",
        b"*a*a*a*a*a*\n\n" + b"a" * 200,
    ]
    for i, data in enumerate(made):
        write(folder, f"name-{i}.txt", data)


def mcp_lines(folder):
    def line(method, id=1, **params):
        return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    for revision in ("2024-11-05", "2025-03-26", "2025-06-18"):
        begin = line("initialize", protocolVersion=revision, capabilities={}, clientInfo={"name": "fuzz", "version": "1"})
        rest = [line("ping"), line("tools/list"), line("tools/call", name="echo", arguments={"text": "a", "n": 3}),
                line("resources/list", cursor="0"), line("resources/read", uri="file:///etc/passwd"),
                line("resources/read", uri="file:///%2e%2e/x"), '{"jsonrpc":"2.0","method":"notifications/initialized"}',
                "[" + line("ping", 1) + "," + line("ping", "b") + "]", "[" * 70, '{"a":"\\ud800"}']
        write(folder, f"session-{revision}.jsonl", "\n".join([begin, *rest]).encode())


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: make_corpus.py OUT CONFIGS")
    out, configs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    layouts(out / "database")
    database(out / "report", "hostile.sqlite", 512, [EXPORT, hostile_times])
    database(out / "report", "made.db", 512, [ROCPD, rocpd_rows])
    made_traces(out / "trace")
    sheets(out / "sheet")
    ncu_reports(out / "ncu_rep")
    memory_snapshots(out / "memory")
    hang_dumps(out / "hang")
    jax_profiles(out / "xplane")
    operands(out / "operands")
    names(out / "name")
    mcp_lines(out / "mcp")
    results(out / "results")
    for name, runs in RUNS.items():
        write(out / "runner", name, json.dumps(runs, indent=1).encode())
    for file in sorted(configs.glob("*.toml")):
        write(out / "config", file.name, file.read_bytes())
    for file in sorted((configs / "data").glob("*.toml")):
        write(out / "options", file.name, file.read_bytes())
    if examples := os.environ.get("ASSAY_EXAMPLES"):
        for folder in sorted(p for p in pathlib.Path(examples).iterdir() if p.is_dir()):
            for file in sorted(folder.glob("*.sqlite"))[:1]:
                database(out / "report", f"{folder.name}.sqlite", 1024, [cut(file)])
            for file in sorted(folder.glob("*.json.gz")):
                cut_trace(out / "trace", file)
            for file in [*sorted(folder.glob("*.csv")), *sorted(folder.glob("results.json"))]:
                write(out / "sheet", f"{folder.name}-{file.name}", file.read_bytes())
            for file in sorted(folder.glob("results.json")):
                write(out / "runner", f"{folder.name}.json", file.read_bytes()[:8192])
    gzip_inputs(out / "gzip", sorted((out / "trace").glob("*.json")))
    for file in sorted(path for path in (out / "report").iterdir() if path.is_file()):
        shutil.copy(file, out / "database" / f"report-{file.name}")
    count = sum(1 for file in out.rglob("*") if file.is_file())
    print(f"{count} inputs in {out}")


if __name__ == "__main__":
    main()
