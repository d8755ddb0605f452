"""Minimal exports of Nsight Systems with planted times, a few KB each.

One template database is made by sqlite3 and kept as bytes. Its timestamps are large integers that occur once in the file, so an
export is the template with some 8-byte integers overwritten (about 30 us; SQLite takes milliseconds to write one).

Metrics that a planted export gives exactly: `iteration.gpu_busy_ns` (busy_ns) and `gpu.busy_ratio` (busy_ns / window_ns).
"""
import os
import sqlite3
import tempfile
import time

ORIGIN = 1 << 50  # of the trace's clock: every time is an 8-byte integer in the file
STEP = 1 << 30  # ns between the template's times
EPOCH = 1_750_000_000_000_000_000  # ns, when the first session starts unless the caller says otherwise
WHEN = "2000-01-01T00:00:00"  # of the template's session, as text
MARGIN = 1000  # ns from the start of the window to the iteration, the launch and the kernel

SCHEMA = """
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'), ('EXPORT_PRODUCT_VERSION', '2025.3.2.0'),
  ('EXPORT_SCHEMA_VERSION', '3.20.3');
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER NOT NULL, utcTime TEXT, localTime TEXT);
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (11, 'gemm(float*)'), (12, 'gemm');
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, correlationId INTEGER,
  nameId INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, returnValue INTEGER NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, text TEXT, eventType INTEGER NOT NULL, rangeId INTEGER,
  globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, correlationId INTEGER,
  demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, streamId INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, globalPid INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL,
  gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,
  staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL);
"""
TIMES = ["window_start", "window_end", "iter_start", "iter_end", "launch_start", "launch_end", "kernel_start", "kernel_end",
         "session"]


class Template:
    """An export of one iteration with one kernel."""

    def __init__(self):
        times = {name: ORIGIN + (i + 1) * STEP for i, name in enumerate(TIMES)}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "template.sqlite")
            database = sqlite3.connect(path)
            database.execute("PRAGMA page_size = 512")
            database.executescript(SCHEMA)
            t = times
            database.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?, ?, NULL)", (t["session"], WHEN))
            rows = [(t["window_start"], t["window_end"], "window"), (t["iter_start"], t["iter_end"], "iter_0")]
            database.executemany("INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, 59, NULL, 167772161, NULL, NULL, 0)", rows)
            database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 1, 1, 0, 167772161, 0)",
                             (t["launch_start"], t["launch_end"]))
            database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
                             "(?, ?, 1, 11, 12, 7, 0, 1, 167772160, 32, 4, 1, 1, 128, 1, 1, 0, 0)",
                             (t["kernel_start"], t["kernel_end"]))
            database.commit()
            database.execute("VACUUM")
            database.close()
            with open(path, "rb") as file:
                self.data = file.read()
        self.place = {}
        for name, time in times.items():
            mark = time.to_bytes(8, "big")
            assert self.data.count(mark) == 1, name
            self.place[name] = self.data.index(mark)
        assert self.data.count(WHEN.encode()) == 1
        self.when = self.data.index(WHEN.encode())

    def write(self, path, busy_ns, window_ns=None, session_ns=EPOCH):
        """Writes an export whose iteration keeps the device busy for `busy_ns`. Without `window_ns` the window is a little longer
        than that. `session_ns`: when the recording started, since the epoch."""
        kernel = ORIGIN + 3 * MARGIN
        end = kernel + round(busy_ns)
        window_end = ORIGIN + round(window_ns) if window_ns is not None else end + MARGIN
        assert end <= window_end, "the kernel must end within the window"
        times = {"window_start": ORIGIN, "window_end": window_end, "iter_start": ORIGIN + MARGIN, "iter_end": ORIGIN + 5 * MARGIN // 2,
                 "launch_start": ORIGIN + 2 * MARGIN, "launch_end": ORIGIN + 2 * MARGIN + 100, "kernel_start": kernel,
                 "kernel_end": end, "session": session_ns}
        data = bytearray(self.data)
        for name, place in self.place.items():
            data[place:place + 8] = times[name].to_bytes(8, "big")
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(session_ns // 1_000_000_000)).encode()
        data[self.when:self.when + len(when)] = when
        with open(path, "wb") as file:
            file.write(data)
