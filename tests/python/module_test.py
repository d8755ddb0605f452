#!/usr/bin/env python3
"""module_test.py ASSAY PROBES: the Python module of packaging/python on the built program. Frames are tried with stand-ins of pandas and
polars, which take what the real ones take. Exit 77: nothing to test with."""
import builtins
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import types
import unittest
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
SOURCE = Path(__file__).resolve().parents[2]
ASSAY, PROBES = (str(Path(word).resolve()) for word in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "packaging/python"))
import assay  # noqa: E402

HOSTILE = "<img src=x onerror=alert(1)> & \\\"</td>\\\""


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.seen = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))


class Module(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = Path(self.kept.name)
        schema = (SOURCE / "tests/golden/nsys_schema.sql").read_text()
        (self.folder / "reports").mkdir()
        for sql in (SOURCE / "tests/golden/cases/three_reports/reports").rglob("*.sql"):
            with sqlite3.connect(self.folder / "reports" / (sql.stem + ".sqlite")) as database:
                database.executescript(schema)
                database.executescript(sql.read_text())
        self.profile = sorted((self.folder / "reports").iterdir())[0]
        self.question = self.folder / "question.toml"
        self.question.write_text('[question]\nid = "judged"\ntext = "x"\n[analyzers.probe]\n[[claim]]\nid = "a"\ntext = "' + HOSTILE +
                                 '"\nverdict = "refuted"\n[[claim]]\nid = "b"\ntext = "y"\nverdict = "supported"\n')
        clean = {"ASSAY": ASSAY, "ASSAY_PLUGIN_PATH": PROBES, "XDG_CACHE_HOME": str(self.folder / "cache")}
        self.patched = mock.patch.dict(os.environ, clean)
        self.patched.start()
        assay.frames = "lists"

    def tearDown(self):
        assay.frames = None
        self.patched.stop()
        self.kept.cleanup()

    def test_run_gives_claims_and_facts(self):
        result = assay.run(self.question, reports=self.folder / "reports", gate=True)
        self.assertEqual(result.exit_code, 1)
        self.assertIn("1 claim refuted", result.said)
        self.assertEqual([(c["question"], c["id"], c["verdict"]) for c in result.claims], [("judged", "a", "refuted"), ("judged", "b", "supported")])
        database = sqlite3.connect(result.folder / "results.sqlite")
        self.assertEqual(len(result.facts), database.execute("SELECT count(*) FROM facts_wide").fetchone()[0])
        self.assertEqual(result.query("SELECT count(*) AS n FROM claims"), [{"n": 2}])
        with self.assertRaises(sqlite3.OperationalError):
            result.query("DELETE FROM claims")
        folder = result.folder
        del result
        self.assertFalse(folder.exists(), "it lives as long as the object")

    def test_a_result_stays_where_it_was_asked_for(self):
        out = self.folder / "kept"
        self.assertEqual(assay.run([self.question], [self.folder / "reports"], out, no_cache=True).exit_code, 0)
        self.assertEqual(len(assay.result(out).claims), 2)

    def test_a_notebook_shows_words_of_others_as_text(self):
        shown = assay.run(self.question, self.folder / "reports")._repr_html_()
        tags = Tags(shown).seen
        self.assertIn("refuted", shown)
        self.assertTrue(all(t in {"h3", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "b", "p", "img"} for t, _ in tags))
        self.assertTrue(all(a["src"].startswith("data:image/svg+xml;base64,") and "onerror" not in a for t, a in tags if t == "img"))
        page = assay.Page({"title": "<b>&", "headline": "<i>", "parts": [
            {"title": "<u>", "columns": ["", "<s>"], "rows": [["<img>", "2"]], "sentences": ["<a>"]}]})
        self.assertEqual({t for t, _ in Tags(page._repr_html_()).seen} & {"i", "u", "s", "img", "a"}, set())

    def test_query_and_look(self):
        rows = assay.query(self.profile, "SELECT short_name, count(*) AS n FROM kernels GROUP BY 1 ORDER BY 1")
        with sqlite3.connect(self.profile) as database:
            counted = database.execute("SELECT value, count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON shortName = id GROUP BY 1 ORDER BY 1").fetchall()
        self.assertEqual([(r["short_name"], r["n"]) for r in rows], counted)
        page = assay.look(self.profile)
        self.assertIn(self.profile.name, str(page))
        kernels = page.tables["top_kernels"]
        self.assertEqual(sum(row["Instances"] for row in kernels), sum(n for _, n in counted))
        with sqlite3.connect(self.profile) as database:
            total = database.execute("SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()[0]
        self.assertEqual(sum(row["Total Time"] for row in kernels), total)
        self.assertEqual(page.units["top_kernels"]["Total Time"], "ns")
        self.assertTrue(all(row["name"] in str(page) and row["name"] in page._repr_html_() for row in page.texts["Top kernels"]))

    def test_numbers_are_numbers(self):
        rows = assay.budget(self.profile)
        self.assertTrue(all(isinstance(row["wall_ns"], int) for row in rows))
        with sqlite3.connect(self.profile) as database:
            total = database.execute("SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()[0]
        sums = assay.stats(self.profile, "cuda_gpu_kern_sum")
        self.assertEqual(sum(row["Total Time (ns)"] for row in sums), total)
        self.assertEqual(len(assay.stats(self.profile, ["cuda_gpu_kern_sum", "cuda_api_sum"])), 2)

    def test_list_and_init(self):
        files = assay.files(self.folder / "reports")
        self.assertEqual(len(files), len(list((self.folder / "reports").iterdir())))
        with sqlite3.connect(self.profile) as database:
            counted = database.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()[0]
        self.assertEqual(next(row["rows.kernels"] for row in files if row["file"] == self.profile.name), counted)
        made = self.folder / "made.toml"
        labels = assay.init(self.folder / "reports", out=made)
        self.assertTrue(made.is_file())
        self.assertTrue(all(row["label"] for row in labels))

    def test_documents_of_the_other_commands(self):
        self.assertIn("gpu.busy_ratio", json.dumps(assay.describe("gpu.busy_ratio")))
        self.assertIn("judged", json.dumps(assay.plan(self.question, reports=self.folder / "reports")))
        parts = [self.folder / name for name in ("one", "two")]
        for number, part in enumerate(parts, 1):
            subprocess.run([ASSAY, "run", self.question, "--reports", self.folder / "reports", "--shard", "%d/2" % number, "-o", part, "-q"], check=True)
        merged = assay.merge(*parts, out=self.folder / "merged")
        whole = assay.run(self.question, self.folder / "reports", self.folder / "whole")
        self.assertEqual(merged.facts, whole.facts)
        self.assertEqual(assay.show(whole.folder)["questions"], whole.findings_json["questions"])
        self.assertEqual(assay.history(whole.folder, merged.folder), [], "nothing changed")
        self.assertIn("probe", [row["id"] for row in assay.plugins()])
        self.assertTrue(assay.doctor())
        self.assertIn("probe", json.dumps(assay.check("probe")))
        self.assertIn("nsys", json.dumps(assay.bench("nsys", reports=self.folder / "reports")))

    def test_no_name_of_python_is_hidden(self):
        self.assertEqual(set(assay.__all__) & set(dir(builtins)), set())

    def test_types_hold_on_the_page(self):
        if not shutil.which("mypy"):
            self.skipTest("mypy is not here")
        page = (SOURCE / "docs/outputs.md").read_text().split("## The Python module")[1].split("\n## ")[0]
        snippet = self.folder / "page.py"
        snippet.write_text("\n".join(re.findall(r"```python\n(.*?)```", page, re.S)) + "reveal_type(assay.run('q').exit_code)\n")
        package = SOURCE / "packaging/python"
        self.assertTrue((package / "assay/py.typed").is_file())
        done = subprocess.run(["mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(self.folder / "mypy"), str(snippet), str(package / "assay")],
                              env=os.environ | {"MYPYPATH": str(package)}, capture_output=True, text=True)
        self.assertIn('"builtins.int"', done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_compare_of_profiles_and_of_results(self):
        before, after = sorted((self.folder / "reports").iterdir())[:2]
        said = assay.compare(before, after)
        self.assertIsInstance(said, assay.Result)
        self.assertEqual(len(said.claims), 0)
        self.assertIn(assay.compare(before, after, gate=True).claims[0]["verdict"], ("inconclusive", "supported"))
        with sqlite3.connect(said.folder / "results.sqlite") as database:
            found = dict(database.execute("SELECT metric, sum(value) FROM facts WHERE metric LIKE 'step_difference.%_ns' GROUP BY metric"))
        self.assertEqual(found["step_difference.step_ns"], found["step_difference.account_ns"])
        for name in ("one", "two"):
            assay.run(self.question, self.folder / "reports", self.folder / name)
        # Two results without a fact in common are an error that is said.
        try:
            self.assertIsInstance(assay.compare(self.folder / "one", self.folder / "two"), assay.Result)
        except assay.AssayError as error:
            self.assertIn(error.exit_code, (2, 3))

    def test_errors_are_what_assay_says(self):
        with self.assertRaises(assay.AssayError) as raised:
            assay.query(self.profile, "SELECT nonsense")
        self.assertEqual(raised.exception.exit_code, 2)
        self.assertIn("nonsense", str(raised.exception))
        with self.assertRaises(FileNotFoundError):
            assay.result(self.folder)
        with mock.patch.dict(os.environ, {"ASSAY": str(self.folder / "absent")}), self.assertRaises(OSError):
            assay.version()

    def test_options_are_those_of_the_command_line(self):
        from assay import _words
        self.assertEqual(_words({"gate": True, "strict": False, "plugin_path": ["a", "b"], "jobs": 2, "cache": None}), ["--gate", "--plugin-path=a", "--plugin-path=b", "--jobs=2"])
        from assay import _places
        self.assertEqual(_places(["-x", Path("y")]), ["./-x", "y"])

    def test_tables_are_frames_where_there_are_any(self):
        def frame(kind):
            class DataFrame(list):
                def __init__(self, rows, columns=None, schema=None, infer_schema_length=100):
                    super().__init__(rows)
                    self.kind, self.titles = kind, columns or schema
            module = types.ModuleType(kind)
            module.DataFrame = DataFrame
            return module
        sql = "SELECT 1 AS one WHERE 0"
        result = assay.run(self.question, self.folder / "reports")
        assay.frames = None
        with mock.patch.dict(sys.modules, {"pandas": None, "polars": None}):
            self.assertEqual(result.query(sql), [])
        with mock.patch.dict(sys.modules, {"pandas": None, "polars": frame("polars")}):
            self.assertEqual((result.query(sql).kind, result.query(sql).titles), ("polars", ["one"]))
        with mock.patch.dict(sys.modules, {"pandas": frame("pandas"), "polars": frame("polars")}):
            self.assertEqual((result.claims.kind, len(result.claims)), ("pandas", 2))
            assay.frames = "polars"
            self.assertEqual(result.claims.kind, "polars")
        assay.frames = "excel"
        with self.assertRaises(ValueError):
            result.query(sql)

    def test_the_documented_names_are_there(self):
        text = (SOURCE / "docs/outputs.md").read_text().split("## The Python module")[1].split("\n## ")[0]
        for name in set(re.findall(r"assay\.([a-z]\w+)", text)) - {"whl"}:
            self.assertTrue(hasattr(assay, name), name)


if __name__ == "__main__":
    if not os.path.exists(ASSAY) or not os.path.isdir(PROBES):
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
