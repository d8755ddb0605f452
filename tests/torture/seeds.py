"""The files that are mutated: small ones made here, and small cuts of real ones. The same call gives the same bytes."""

import dataclasses
import gzip
import importlib.util
import json
import pathlib
import sqlite3
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from real_data import real_data  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
_spec = importlib.util.spec_from_file_location("make_corpus", HERE.parent / "fuzz" / "make_corpus.py")
make_corpus = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make_corpus)

STRINGS = ("nameId", "demangledName", "shortName", "mangledName", "textId")
KEPT = {"META_DATA": 20, "EXPORT_META": 20, "TARGET_INFO": 8, "PROCESSES": 8, "DIAGNOSTIC": 4, "PROFILER_OVERHEAD": 8,
        "NVTX_PAYLOAD": 12, "NVTX_EVENTS": 70, "CUPTI_ACTIVITY_KIND_MEM": 24, "CUPTI_ACTIVITY_KIND_GRAPH": 12,
        "CUDA_GRAPH_EVENTS": 8, "CUPTI_ACTIVITY_KIND_SYNC": 16, "CUPTI_ACTIVITY_KIND_KERNEL": 90}  # rows of a cut
CALLS = 160
WHOLE = "whole-"  # begins the names of seeds that are no cuts


@dataclasses.dataclass(frozen=True)
class Seed:
    name: str
    data: bytes
    suffix: str  # how a file of it must be called


def named_folders(*names):
    return [folder for folder in map(real_data, names) if folder]


def rows_of(table):
    return next((n for prefix, n in KEPT.items() if table.startswith(prefix)), 0)


def spread(db, table, count):
    """Row ids of `count` rows spread over the first half of a table in the order of time."""
    columns = [row[1] for row in db.execute(f'PRAGMA big.table_info("{table}")')]
    order = "start" if "start" in columns else "rowid"
    ids = [row[0] for row in db.execute(f'SELECT rowid FROM big."{table}" ORDER BY {order}, rowid')]
    step = max(1, len(ids) // count)
    return ids[::step][:count]


def take(db, table, ids):
    marks = ",".join(str(i) for i in ids)
    db.execute(f'INSERT INTO main."{table}" SELECT * FROM big."{table}" WHERE rowid IN ({marks}) ORDER BY rowid')


def cut_export(source):
    """A function that copies some rows of every table that is read: kernels spread over the run with their launches,
    and the strings that they name. Iterations are renamed to step_{i}."""

    def copy(db):
        db.execute("ATTACH ? AS big", (f"file:{source}?immutable=1",))
        tables = db.execute("SELECT name, sql FROM big.sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
        correlated, used = set(), {0}
        for name, sql in tables:
            if name == "CUPTI_ACTIVITY_KIND_RUNTIME" or rows_of(name) > 0:
                db.execute(sql)
            if rows_of(name) == 0:
                continue
            take(db, name, spread(db, name, rows_of(name)))
            if any(row[1] == "correlationId" for row in db.execute(f'PRAGMA main.table_info("{name}")')):
                correlated |= {row[0] for row in db.execute(f'SELECT correlationId FROM main."{name}"')}
        if any(name == "CUPTI_ACTIVITY_KIND_RUNTIME" for name, _ in tables):
            found = [row[0] for row in db.execute("SELECT rowid, correlationId FROM big.CUPTI_ACTIVITY_KIND_RUNTIME "
                                                  "ORDER BY rowid") if row[1] in correlated]
            take(db, "CUPTI_ACTIVITY_KIND_RUNTIME", found[:CALLS])
        for (name,) in db.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'").fetchall():
            for column in (row[1] for row in db.execute(f'PRAGMA main.table_info("{name}")').fetchall()):
                if column in STRINGS:
                    used |= {row[0] for row in db.execute(f'SELECT "{column}" FROM main."{name}"')}
        db.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
        for number in sorted(n for n in used if n is not None):
            db.execute("INSERT INTO StringIds SELECT id, value FROM big.StringIds WHERE id = ?", (number,))
        renamed = "replace(replace({0}, 'test_compute_batch_', 'step_'), 'test_vit_forward_', 'step_')"
        db.execute(f"UPDATE StringIds SET value = {renamed.format('value')}")
        if any(name == "NVTX_EVENTS" for name, _ in tables):
            db.execute(f"UPDATE NVTX_EVENTS SET text = {renamed.format('text')} WHERE text IS NOT NULL")
        db.commit()
        db.execute("DETACH big")

    return copy


def made_rows(db):
    """Six iterations with a copy, four kernels on two streams and a wait each."""
    tid = 167772161
    for i in range(6):
        begin = 1_000_000 * (i + 1)
        db.execute("INSERT INTO StringIds VALUES (?,?)", (100 + i, f"step_{i}"))
        db.execute("INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId, domainId) VALUES (?,?,59,?,?,0)",
                   (begin, begin + 900_000, tid, 100 + i))
        for k in range(5):
            start, number = begin + 100_000 * k + 10_000, 10 * i + k + 1
            db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,0,?,?,1,0)",
                       (start, start + 8_000, tid, number))
            if k == 0:
                db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,0,13,?,?,4816896,1)",
                           (start + 9_000, start + 60_000, number, tid - 1))
            else:
                db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,0,1,?,?,?,2,2,?,2,1,128,1,1)",
                           (start + 9_000, start + 70_000 + 1_000 * k, 7 + k % 2, number, tid - 1, 16 * k))


def small_database(page_size, *statements):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "seed.sqlite"
        db = sqlite3.connect(f"file:{file}", uri=True)
        db.execute(f"PRAGMA page_size = {page_size}")
        for statement in statements:
            statement(db) if callable(statement) else db.executescript(statement)
        db.commit()
        db.close()
        return file.read_bytes()


def exports():
    """Exports of several versions of nsys, each with pages of another size."""
    sizes = (1024, 4096, 512, 2048)
    found = [Seed("made", small_database(512, make_corpus.EXPORT, made_rows), ".sqlite"),
             Seed("limits", small_database(512, make_corpus.EXPORT, make_corpus.hostile_times), ".sqlite")]
    sources = []
    for variable in ("examples", "h200"):
        for folder in named_folders(variable):
            sources += [f for below in sorted(folder.iterdir()) for f in sorted(below.glob("*.sqlite"))[:1]]
    for folder in named_folders("public"):
        sources += sorted((folder / "nsys").glob("*.sqlite"))
    for i, source in enumerate(sources):
        data = small_database(sizes[i % len(sizes)], cut_export(source))
        found.append(Seed(f"{i}-{source.stem}", data, ".sqlite"))
    return found


ROCPD_KEPT = {"kernel_dispatch": 60, "region": 400, "memory_copy": 12, "memory_allocate": 12}  # rows of a cut
ROCPD_LEFT_OUT = ("arg", "sample")


def cut_rocpd(source):
    """A function that copies a rocpd database with some rows of what happened, and agents without their caches."""

    def copy(db):
        db.execute("ATTACH ? AS big", (f"file:{source}?immutable=1",))
        for name, sql in db.execute("SELECT name, sql FROM big.sqlite_schema WHERE type = 'table' AND name LIKE 'rocpd%' "
                                    "ORDER BY name").fetchall():
            word = name.removeprefix("rocpd_").split("_0")[0]
            db.execute(sql)
            if word in ROCPD_LEFT_OUT:
                continue
            db.execute(f'INSERT INTO main."{name}" SELECT * FROM big."{name}" ORDER BY rowid LIMIT ?',
                       (ROCPD_KEPT.get(word, 400),))
            if word == "info_agent":
                short = "json_remove(extdata, '$.caches', '$.io_links', '$.capability')"
                db.execute(f'UPDATE main."{name}" SET extdata = {short}')
        db.commit()
        db.execute("DETACH big")
        db.execute("VACUUM")

    return copy


def rocpd():
    """Databases of rocprofv3, with pages of two sizes."""
    made = (make_corpus.ROCPD, make_corpus.rocpd_rows)
    found = [Seed(f"made-{size}", small_database(size, *made), "_results.db") for size in (512, 4096)]
    for folder in named_folders("rocpd"):
        found += [Seed(f.stem, small_database(1024, cut_rocpd(f)), "_results.db") for f in sorted(folder.glob("*.db"))[:2]]
    return found


def cut_trace(text):
    """Kernels spread over the trace with their launches, steps, and some of every other kind of event."""
    trace = json.loads(text)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    kind = [str(e.get("cat", e.get("ph"))).lower() for e in events]
    most = {"kernel": 60, "user_annotation": 30, "gpu_memcpy": 12, "memcpy": 12, "python_function": 30, "m": 12}
    chosen, correlated = [], set()
    for name in dict.fromkeys(kind):
        if name in ("cuda_runtime", "runtime"):
            continue
        places = [i for i, k in enumerate(kind) if k == name]
        count = most.get(name, 40)
        chosen += places[:: max(1, len(places) // count)][:count]
    for i in chosen:
        args = events[i].get("args") or {}
        correlated.add(args.get("correlation", -1) if isinstance(args, dict) else -1)
    for i, k in enumerate(kind):
        args = events[i].get("args") or {}
        if k in ("cuda_runtime", "runtime") and args.get("correlation", -2) in correlated:
            chosen.append(i)
    kept = [events[i] for i in sorted(chosen)]
    if not isinstance(trace, dict):
        return json.dumps(kept).encode()
    rest = {key: value for key, value in trace.items() if key not in ("traceEvents", "traceName")}
    return json.dumps({**rest, "traceEvents": kept, "traceName": "cut"}).encode()


def trace_texts():
    """Name and text of small traces."""
    with tempfile.TemporaryDirectory() as folder:
        make_corpus.made_traces(pathlib.Path(folder))
        texts = [("made", (pathlib.Path(folder) / "made.json").read_bytes()),
                 ("bare", (pathlib.Path(folder) / "bare.json").read_bytes())]
    sources = []
    for folder in named_folders("examples", "public"):
        sources += [f for f in sorted((folder / "torch").glob("*.json.gz")) if f.stat().st_size < 200_000]
    for file in sources:
        texts.append((file.name.removesuffix(".gz").removesuffix(".json"), cut_trace(gzip.decompress(file.read_bytes()))))
    return texts


def gzip_traces():
    """Traces as gzip of several levels and layouts, and whole ones, whose text takes more than one window."""
    found = []
    for i, (name, text) in enumerate(trace_texts()):
        level = (6, 9, 0, 1)[i % 4]
        packed = gzip.compress(text, level, mtime=0)
        if i % 5 == 3:
            half = len(text) // 2
            packed = gzip.compress(text[:half], level, mtime=0) + gzip.compress(text[half:], level, mtime=0)
        if i % 5 == 4:  # with the name of the file, as the program gzip writes it
            packed = packed[:3] + b"\x08" + packed[4:10] + b"trace.json\0" + packed[10:]
        found.append(Seed(name, packed, ".pt.trace.json.gz"))
    for folder in named_folders("examples", "h200"):
        for file in sorted((folder / "torch").glob("*.json.gz"))[:2]:
            found.append(Seed(f"{WHOLE}{len(found)}-{file.name.split('.')[0]}", file.read_bytes(), ".pt.trace.json.gz"))
    return found


def plain_traces():
    return [Seed(name, text, ".pt.trace.json") for name, text in trace_texts()]


def memory_snapshots():
    """Of each protocol, and what there is in the folder `memory` of ASSAY_DATA."""
    with tempfile.TemporaryDirectory() as folder:
        make_corpus.memory_snapshots(pathlib.Path(folder))
        found = [Seed(f.stem, f.read_bytes(), ".pickle") for f in sorted(pathlib.Path(folder).glob("[2-5].pickle"))]
    for folder in named_folders("memory"):
        found += [Seed(f.stem, f.read_bytes(), ".pickle") for f in sorted(folder.glob("**/*.pickle")) if f.stat().st_size < 200_000]
    return found


def jax_profiles():
    """Made ones, and what there is in the folder `jax` of ASSAY_DATA."""
    with tempfile.TemporaryDirectory() as folder:
        make_corpus.jax_profiles(pathlib.Path(folder))
        found = [Seed(f.name.split(".")[0], f.read_bytes(), ".xplane.pb") for f in sorted(pathlib.Path(folder).glob("*.pb"))]
    for folder in named_folders("jax"):
        found += [Seed(f.name.split(".")[0], f.read_bytes(), ".xplane.pb") for f in sorted(folder.glob("**/*.xplane.pb")) if f.stat().st_size < 300_000]
    return found


def counters():
    """CSVs of Nsight Compute: pages details and raw, with what the program printed before."""
    head = ('"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",'
            '"Device","CC","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type",'
            '"Rule Description"\n')
    rows = "".join(
        f'"{i}","4711","app","127.0.0.1","add_kernel(float *, int)<{i % 2}>","1","7","(256, 1, 1)","(64, 2, 1)","0",'
        f'"9.0","GPU Speed Of Light Throughput","{metric}","{unit}","{value}",\n'
        for i in range(4)
        for metric, unit, value in (("DRAM Throughput", "%", "61.2"), ("Compute (SM) Throughput", "%", "22.5"),
                                    ("Duration", "us", "1,234.5"), ("Memory Throughput", "%", "n/a")))
    raw = ('"ID","Kernel Name","Block Size","Grid Size","gpu__time_duration.sum",'
           '"sm__throughput.avg.pct_of_peak_sustained_elapsed"\n"","","","","ns","%"\n'
           + "".join(f'"{i}","k<{i}>(int)","(32, 1, 1)","(7, 1, 1)","4,{i}63,609.9","{30 + i}.5"\n' for i in range(5)))
    printed = "==PROF== Connected to process 4711 (app)\nhello, \"world\"\n"
    found = [Seed("details", (head + rows).encode(), ".csv"), Seed("raw", raw.encode(), ".csv"),
             Seed("printed", ("\ufeff" + (printed + head + rows).replace("\n", "\r\n")).encode(), ".csv")]
    for folder in named_folders("public"):
        found += [Seed(f.stem, f.read_bytes(), ".csv") for f in sorted((folder / "ncu").glob("*.csv"))]
    return found


SWEEP = b"""batch_size,model,tp,latency_ms,flops
1,baseline,307.92,3.2476,35.126
1,with_tr,254.12,3.9352,15.549
8,baseline,870.22,9.193,35.126
8,with_tr,1529.16,5.2316,15.549
"""


def sheets():
    found = [Seed("sweep", SWEEP, ".csv"),
             Seed("quoted", b'\xef\xbb\xbf"batch_size","model","tp","latency_ms"\r\n"1,5","base""line"," 2 ",""\r\n', ".csv"),
             Seed("rows", b'[{"batch_size": 1, "model": "baseline", "tp": 307.9, "latency_ms": 3.2, "x": {"y": [1, 2]}}]',
                  ".json")]
    for folder in named_folders("examples", "public"):
        for file in sorted([*folder.glob("token_reduction/*.csv"), *folder.glob("sweep/*.csv")]):
            found.append(Seed(f"{folder.name}-{file.stem}", file.read_bytes(), ".csv"))
    return found


RUNNERS = {
    "results": [{"name": "made", "elapsed_s": 0.5, "throughput": 40.5, "batches": 20, "batch": 1,
                 "config": {"name": "made", "depth": 6}},
                {"name": "other", "elapsed_s": 0.25, "throughput": 80, "batches": 20, "batch": 1}],
    "experiment_summary": {"experiments": [{"run_id": "made", "duration": 12.5, "success": True, "exit_code": 0},
                                           {"run_id": "x", "success": False, "exit_code": 137,
                                            "error": "Traceback\nout of memory"}]},
}


def runners():
    """What runners wrote: named after the report beside them, which is called made.sqlite or as the first entry."""
    found = [Seed(name, json.dumps(value, indent=1).encode(), ".json") for name, value in RUNNERS.items()]
    for folder in named_folders("examples"):
        for file in sorted(folder.glob("*/results.json")):
            found.append(Seed(f"results-{file.parent.name}", file.read_bytes(), ".json"))
    return found


def questions():
    return [Seed(file.stem, file.read_bytes(), ".toml")
            for file in sorted([*(ROOT / "configs").glob("*.toml"), *(ROOT / "configs" / "data").glob("*.toml"),
                                HERE / "question.toml"])]
