"""`assay query` and [[metric]] as people meet them: ask.py ASSAY SOURCE. Every statement of docs/query.md and of the cookbook of
docs/outputs.md runs. Only reports of the repository are needed; ASSAY_EXAMPLES adds real ones."""
import csv
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from same_metrics import SAME

assay, source = sys.argv[1], pathlib.Path(sys.argv[2])
reports = source / "sdk/template/golden/reports"
one = str(reports / "batch1.pt.trace.json")


def call(*arguments, text=None):
    return subprocess.run([assay, *map(str, arguments)], input=text, capture_output=True, text=True)


def rows(place, sql, *options):
    done = call("query", place, sql, "--format", "json", *options)
    assert done.returncode == 0, (sql, done.stderr)
    return json.loads(done.stdout)


def refused(place, sql, code, *words):
    done = call("query", place, sql)
    assert done.returncode == code, (sql, done.returncode, done.stderr)
    for word in words:
        assert word in done.stderr, (sql, word, done.stderr)
    return done.stderr


def statements(document, under=""):
    """Those of a document, or of what stands under one of its headings."""
    text = (source / document).read_text(encoding="utf-8")
    text = text[text.index(under):] if under else text
    blocks = re.findall(r"^```sql\n(.*?)^```$", text, re.M | re.S)
    return [statement for block in blocks for statement in block.split(";\n") if statement.strip()]


def counted_by_hand(file):
    events = [e for e in json.loads(pathlib.Path(file).read_text())["traceEvents"] if e.get("cat") == "kernel"]
    return len(events), sum(round(e["dur"] * 1000) for e in events)


def test_reports():
    number, time = counted_by_hand(one)
    assert number > 0
    assert rows(one, "SELECT count(*) AS n, sum(duration) AS ns FROM kernels") == [{"n": number, "ns": time}]
    both = rows(reports, "SELECT report, count(*) AS n FROM kernels GROUP BY 1 ORDER BY 1")
    assert [r["report"] for r in both] == ["batch1.pt.trace.json", "batch8.pt.trace.json"], both
    assert rows(reports, "SELECT count(*) AS n FROM kernels k JOIN calls c ON k.call = c.id WHERE k.report <> c.report") == [{"n": 0}]
    assert "report" not in rows(one, "SELECT * FROM kernels LIMIT 1")[0]
    assert rows(one, "SELECT value FROM labels WHERE name = 'profiler'") != []
    done = call("query", one, "SELECT 'a,\"b' AS x, NULL AS y, 1.5 AS z", "--format", "csv")
    assert list(csv.reader(io.StringIO(done.stdout))) == [["x", "y", "z"], ['a,"b', "", "1.5"]], done.stdout
    # Tables that a format declares are there where a profile has rows of them; this one has none.
    for sql in (s for s in statements("docs/query.md") if not re.search(r"\b(gpu_metrics|graph_nodes|stacks)\b", s)):
        rows(one, sql)
    assert len(statements("docs/query.md")) >= 5


def test_clocks():
    """Times of two reports are those of two clocks."""
    warned = "compares times of 2 profiles"
    for sql, mixes in (("SELECT union_ns(start, end) FROM kernels", True),
                       ("SELECT max(end) - min(start) FROM kernels", True),
                       ("SELECT count(*) FROM kernels k JOIN ranges r ON k.start >= r.start AND k.end <= r.end", True),
                       ("SELECT sum(duration) FROM interval_union('SELECT start, end FROM kernels')", True),
                       ("SELECT report, union_ns(start, end) FROM kernels GROUP BY report", False),
                       ("SELECT sum(duration) FROM interval_union('SELECT start, end, report FROM kernels')", False),
                       ("SELECT count(*) FROM kernels k JOIN ranges r ON k.start >= r.start AND k.report = r.report", False),
                       ("SELECT sum(duration), sum(end - start) FROM kernels", False),
                       ("SELECT count(*) FROM kernels", False)):
        assert (warned in call("query", reports, sql).stderr) == mixes, sql
        assert warned not in call("query", one, sql).stderr, sql


def test_refusals():
    told = refused(one, "SELECT start,\n nme FROM kernels", 2, "no such column: nme. Did you mean 'name'? (line 2, column 2)")
    assert told.splitlines()[-1].index("^") == 3, told
    refused(one, "SELECT * FROM syncs", 2, "this profile has no synchronization table")
    refused(one, "ATTACH 'x.sqlite' AS x", 2, "ATTACH and DETACH are not allowed")
    refused(one, "SELECT 1; SELECT 2", 2, "second statement")
    refused("nowhere.sqlite", "SELECT 1", 2, "'nowhere.sqlite' does not exist")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    done = call("query", one, endless, "--timeout", "1")
    assert done.returncode == 3 and "longer than its limit of 1 s" in done.stderr, done.stderr
    greedy = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT median(i) FROM n"
    done = call("query", one, greedy, "--memory", "64")
    assert done.returncode == 3 and "more memory than its limit" in done.stderr, done.stderr


def test_prompt():
    done = call("query", one, text=".tables\nSELECT count(*) AS n\n FROM kernels;\n.schema kernels\nSELECT 7 AS last")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "kernels" in lines and "syncs" not in lines and str(counted_by_hand(one)[0]) in lines[-5:] + lines, lines
    columns = [line.split()[0] for line in lines if line.startswith("  ") and "INTEGER" in line]
    assert {"start", "end", "duration", "grid_x"} <= set(columns) and lines[-1].strip() == "7", lines
    done = call("query", one, text="SELECT wrong;\nSELECT 1;\n.quit\nSELECT 2;\n")
    assert done.returncode == 2 and "2" not in done.stdout, done.stdout
    assert "union_ns" in call("query", one, text=".help\n").stdout


def typed(state, keys):
    """What a terminal shows of the prompt when these keys are pressed, one after another's echo; it ends with '.quit'."""
    import pty
    import select
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(assay, [assay, "query", one], {**os.environ, "TERM": "vt100", "XDG_STATE_HOME": state, "HOME": state})
    shown = b""

    def until(marks):
        nonlocal shown
        seen = len(shown)
        while shown[seen:].count(b"assay> ") < marks:
            if not select.select([terminal], [], [], 120)[0]:
                raise AssertionError(shown)
            shown += os.read(terminal, 65536)

    until(1)
    for key in keys:
        os.write(terminal, key.encode())
        until(1)
    os.write(terminal, b".quit\n")
    try:
        while chunk := os.read(terminal, 65536):
            shown += chunk
    except OSError:  # the terminal is gone with the program
        pass
    os.waitpid(pid, 0)
    return shown.decode(errors="replace")


def test_terminal():
    """Completion of tables and columns, and a history that lasts."""
    libraries = subprocess.run(["ldd", assay], capture_output=True, text=True)
    if "libedit" not in libraries.stdout:
        print("SKIPPED in part: this build has no line editing, so completion and history were not tried")
        return
    number = counted_by_hand(one)[0]
    with tempfile.TemporaryDirectory() as state:
        shown = typed(state, [f"SELECT 7000 + count(short_na\t) AS n FROM kernels WHERE durat\t > 0;\n"])
        assert str(7000 + number) in shown, shown
        shown = typed(state, ["SELECT 6000 + count(*) AS n FROM proper\t;\n"])
        assert re.search(r"^\s*60\d\d\s*$", shown, re.M), shown
        again = typed(state, ["\x1b[A\x1b[A\n"])  # two back: the statement of the first session
        assert str(7000 + number) in again, again


def metric(name, sql, unit="ns", more=""):
    return f'[[metric]]\nid = "{name}"\nunit = "{unit}"\ndefinition = "A test."\nsql = """{sql}"""\n{more}\n'


def run(folder, toml, places, *options):
    question = pathlib.Path(folder) / "q.toml"
    question.write_text('[question]\nid = "q"\n' + toml, encoding="utf-8")
    return call("run", question, "--reports", places, "-o", pathlib.Path(folder) / "out", *options)


def facts(folder):
    with open(pathlib.Path(folder) / "out/facts.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_metrics_equal_run_summary(places, least):
    toml = "[analyzers.run_summary]\n" + "".join(metric("sql." + name, sql) for name, sql in SAME.items())
    with tempfile.TemporaryDirectory() as folder:
        done = run(folder, toml, places)
        assert done.returncode == 0, done.stderr
        values = {(f["report"], f["metric"], f["dims"]): f["value"] for f in facts(folder)}
        compared = set()
        for (report, name, dims), value in values.items():
            if name in SAME:
                own = values.get((report, "sql." + name, dims))
                assert own == value, (report, name, dims, value, own)
                compared.add(name)
        extra = [key for key in values if key[1].startswith("sql.") and (key[0], key[1][4:], key[2]) not in values]
        assert not extra, extra
        assert len(compared) >= least, sorted(compared)
        again = run(folder, toml, places)
        assert {(f["report"], f["metric"], f["dims"]): f["value"] for f in facts(folder)} == values, again.stderr


def test_metric_mistakes():
    with tempfile.TemporaryDirectory() as folder:
        for sql, words in [
            ("SELEC 1", 'near "SELEC"'),
            ("SELECT nme FROM kernels", "no such column: nme"),
            ("SELECT 1; SELECT 2", "second statement"),
            ("SELECT 1 AS a, 2 AS b", "is named 'value'"),
            ("SELECT count(*) AS value, count(*) FROM kernels", "would be a dim"),
            ("SELECT kernel_class(name) AS class, count(*) AS value FROM kernels GROUP BY 1", "from = \"data/kernel_classes.toml\""),
            ("SELECT count(*) FROM labels", "not available while a profile is measured"),
            ("DELETE FROM kernels", "may not be modified"),
        ]:
            done = run(folder, metric("a.b", sql), reports)
            assert done.returncode == 2 and words in done.stderr and "q.toml:3:1: [[metric]] a.b: " in done.stderr, (sql, done.stderr)
        done = run(folder, "[analyzers.run_summary]\n" + metric("kernel.count", "SELECT 1"), reports)
        assert done.returncode == 2 and "also made by the analyzer 'run_summary'" in done.stderr, done.stderr
        done = run(folder, metric("a.b", "SELECT 1") + metric("a.b", "SELECT 2"), reports)
        assert done.returncode == 2 and "id of an earlier one" in done.stderr, done.stderr
        for sql, words in [
            ("SELECT 'seven'", "metric 'a.b': its value is a text"),
            ("SELECT 9e999", "metric 'a.b': its value is infinite"),
            ("SELECT 1 AS k, 2 AS value UNION ALL SELECT 1, 3", "metric 'a.b': its statement gives two rows for k=1"),
            ("SELECT NULL AS k, 2 AS value", "metric 'a.b': its dim 'k' is NULL"),
        ]:
            done = run(folder, metric("a.b", sql), reports)
            skips = rows(pathlib.Path(folder) / "out", "SELECT reason, failed FROM skipped WHERE analyzer = 'sql'")
            assert skips and all(words in s["reason"] and s["failed"] == 1 for s in skips), (sql, skips, done.stderr)
        for sql, words in [
            ("SELECT NULL", "its value is NULL"),
            ("SELECT duration FROM kernels WHERE 0", "its statement gave no row"),
            ("SELECT count(*) FROM syncs", "this profile has no synchronization table"),
        ]:
            done = run(folder, metric("a.b", sql) + metric("a.c", "SELECT 5"), reports)
            assert done.returncode == 0, done.stderr
            skips = rows(pathlib.Path(folder) / "out", "SELECT reason, failed FROM skipped WHERE analyzer = 'sql'")
            assert skips and all(words in s["reason"] and s["failed"] == 0 for s in skips), (sql, skips)
            assert {f["metric"] for f in facts(folder)} == {"a.c"}, facts(folder)
        done = run(folder, '[analyzers.sql]\nfrom = "data/kernel_classes.toml"\n' +
                   metric("a.b", "SELECT kernel_class(name) AS class, count(*) AS value FROM kernels GROUP BY 1"), reports)
        assert done.returncode == 0 and all(f["dims"].startswith("class=") for f in facts(folder)), done.stderr


def test_metric_limits():
    """A statement that never ends, or never has enough, costs the analyzer `sql` its report, and Ctrl-C is heard."""
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        for sql, words, options in (
                (numbers + "SELECT count(*) AS value FROM n", "metric 'a.b': the statement took longer than its limit of 1 s",
                 ["--sql-timeout", "1"]),
                (numbers + "SELECT median(i) AS value FROM n", "metric 'a.b': the statement needs more memory than its limit of 64 MiB",
                 ["--sql-memory", "64"]),
                (numbers + "SELECT i AS row, 1 AS value FROM n", "metric 'a.b': the statement needs more memory than its limit of 64 MiB",
                 ["--sql-memory", "64"]),
                ("SELECT length(zeroblob(1000000000)) AS value", "metric 'a.b': a value of the statement is longer than 16 MiB", []),
                # SQLite says that this is too long when its last row has been added, and there is none.
                (numbers + "SELECT length(group_concat(i)) AS value FROM n",
                 "metric 'a.b': the statement took longer than its limit of 1 s", ["--sql-timeout", "1"])):
            done = run(folder, "[analyzers.run_summary]\n" + metric("a.b", sql), reports, *options)
            skips = rows(folder / "out", "SELECT analyzer, reason FROM skipped")
            assert any(s["analyzer"] == "sql" and words in s["reason"] for s in skips), (sql, skips, done.stderr)
            assert any(f["metric"] == "kernel.count" for f in facts(folder)), sql
        (folder / "q.toml").write_text('[question]\nid = "q"\n' + metric("a.b", numbers + "SELECT count(*) AS value FROM n"))
        running = subprocess.Popen([assay, "run", folder / "q.toml", "--reports", reports, "-o", folder / "never", "--no-cache"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        handled = lambda: int(next(line for line in open(f"/proc/{running.pid}/status") if line.startswith("SigCgt")).split()[1], 16)
        while not handled() >> (signal.SIGINT - 1) & 1:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        told = running.communicate(timeout=60)[1]
        assert running.returncode == 130, (running.returncode, told)
        assert not (folder / "never" / "results.sqlite").exists()


def test_metric_in_claim_pair_and_plot():
    """A metric of a statement is good for all that one of an analyzer is."""
    long = "SELECT sum(duration) FROM kernels WHERE membership = 'inside' AND duration >= 5000"
    toml = ('[labels]\npatterns = ["batch{batch}"]\nbatch = { type = "int", changes = ["kernels"] }\n' +
            metric("own.long_ns", long, more='title = "time in long kernels"\npolarity = "lower"') +
            '[analyzers.label_effect]\nlabel = "batch"\nbase = "1"\nmetrics = ["own.long_ns"]\n[analyzers.claim_verdicts]\n'
            '[[claim]]\nid = "longer"\ntext = "Longer."\nmetric = "own.long_ns"\ncompare = "ratio"\nlabel = "batch"\n'
            'base = "1"\ntreated = ["8"]\nbetween = [1, inf]\n'
            '[[claim]]\nid = "level"\ntext = "It takes 9 to 16 us."\nmetric = "own.long_ns"\nbetween = [9000, 16000]\nexact = true\n')
    with tempfile.TemporaryDirectory() as folder:
        done = run(folder, toml, reports)
        assert done.returncode == 0, done.stderr
        out = pathlib.Path(folder) / "out"
        times = [e["dur"] * 1000 for f in sorted(reports.glob("*.json")) for e in json.loads(f.read_text())["traceEvents"]
                 if e.get("cat") == "kernel" and e["dur"] >= 5]
        by_report = rows(out, "SELECT report, value FROM facts WHERE metric = 'own.long_ns' ORDER BY report")
        assert sum(r["value"] for r in by_report) == sum(times), (by_report, times)
        ratio = by_report[1]["value"] / by_report[0]["value"]
        claims = {c["id"]: c for c in json.loads((out / "findings.json").read_text())["questions"][0]["claims"]}
        assert claims["level"]["verdict"] == "supported", claims["level"]
        assert claims["longer"]["strata"][0]["effect"]["value"] == ratio, (claims["longer"], ratio)
        assert "time in long kernels" in done.stdout, done.stdout
        pair = rows(out, "SELECT value FROM facts WHERE metric = 'label_effect.ratio'")
        assert [p["value"] for p in pair] == [ratio], (pair, ratio)
        plots = list((out / "plots").glob("*.svg"))
        assert len(plots) == 1 and "Time in long kernels" in plots[0].read_text(), plots


def test_parquet_is_no_format():
    """docs/query.md says why; the command says which there are."""
    done = call("query", one, "SELECT 1", "--format", "parquet")
    assert done.returncode == 2 and "json" in done.stderr, done.stderr


def test_results():
    with tempfile.TemporaryDirectory() as folder:
        done = run(folder, "[analyzers.run_summary]\n" + metric("own.kernels", "SELECT count(*) FROM kernels", "1"), reports)
        assert done.returncode == 0, done.stderr
        out = pathlib.Path(folder) / "out"
        cookbook = statements("docs/outputs.md", "## Ten questions in SQL")
        assert len(cookbook) == 10, len(cookbook)
        given = [bool(rows(out, sql)) for sql in cookbook]
        # This run has no claims, so nothing was refuted, and no iterations.
        assert given[2:5] == [True] * 3 and given[7:9] == [True] * 2, given
        own = rows(out, "SELECT report, value FROM facts WHERE metric = 'own.kernels' ORDER BY 1")
        assert [r["value"] for r in own] == [counted_by_hand(reports / r["report"])[0] for r in own], own
        assert rows(out / "results.sqlite", "SELECT analyzer FROM metrics WHERE metric = 'own.kernels'") == [{"analyzer": "sql"}]
        refused(out, "DELETE FROM facts", 2, "only reads")
        refused(out, "SELECT * FROM fact", 2, "Did you mean 'facts'?")
        assert call("query", out, one, "SELECT 1").returncode == 2


test_reports()
test_refusals()
test_prompt()
test_terminal()
test_clocks()
test_metric_mistakes()
test_metric_limits()
test_metric_in_claim_pair_and_plot()
test_parquet_is_no_format()
test_results()
test_metrics_equal_run_summary(reports, 9)
examples = os.environ.get("ASSAY_EXAMPLES")
if examples:
    test_metrics_equal_run_summary(pathlib.Path(examples) / "rq5_pipeline_design", 11)
else:
    print("SKIPPED in part: ASSAY_EXAMPLES is not set: metrics were not compared on the bundled reports")
