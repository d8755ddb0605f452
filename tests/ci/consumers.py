#!/usr/bin/env python3
"""consumers.py ASSAY PROBES: what CI services make of what assay tells them, by stand-ins of their parsers and schemas.

GitHub: the rules by which its runner reads workflow commands, stopping included. JUnit: the elements and attributes of JUnit 10.
packaging/ci: its scripts run with stand-ins of gh and curl. What is expected comes from the question and from findings.json, never from assay's own annotations. Exit 77: nothing to test with.
"""
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
ASSAY, PROBES = (Path(word).resolve() for word in sys.argv[1:3])
VERDICTS = ["supported", "refuted", "inconclusive", "untestable"]
HOSTILE = ("::error file=x::fooled", "a, b: 100 % %0A ::stop-commands::x", "##[add-mask]secret", "<b>&\\\"quoted\\\"]]></b> @team #1",
           "bell \\u0007 and \\uFFFE", "two\\nlines\\n::warning::second")
SERVICES = ("GITHUB_", "GITLAB_", "CI_")


def make_reports(folder):
    cases = SOURCE / "tests/golden/cases/gate/reports"
    schema = next(SOURCE.glob("tests/golden/**/nsys_schema.sql")).read_text()
    folder.mkdir()
    for sql in cases.glob("*.sql"):
        with sqlite3.connect(folder / (sql.stem + ".sqlite")) as database:
            database.executescript(schema)
            database.executescript(sql.read_text())


def question(claims, name="judged"):
    text = f'[question]\nid = "{name}"\ntext = "{HOSTILE[0]}"\n[analyzers.probe]\n'
    for name, said, verdict in claims:
        text += f'[[claim]]\nid = "{name}"\ntext = "{said}"\nsource = "a guide"\nverdict = "{verdict}"\n'
    return text


class Runner:
    """GitHub's: ActionCommand and the stopping of commands as its sources have them."""
    KNOWN = {"error", "warning", "notice", "stop-commands", "add-mask", "debug", "group", "endgroup", "echo"}

    def __init__(self):
        self.commands, self.stopped = [], None

    @staticmethod
    def unescape(text, also):
        for token, code in [("\r", "%0D"), ("\n", "%0A")] + also + [("%", "%25")]:
            text = text.replace(code, token)
        return text

    def parse(self, line):
        text = line.lstrip()
        if text.startswith("::") and (end := text.find("::", 2)) >= 0:
            name, _, rest = text[2:end].partition(" ")
            if name in self.KNOWN or name == self.stopped:
                pairs = [part.split("=", 1) for part in rest.strip().split(",") if part]
                also = [(":", "%3A"), (",", "%2C")]
                return name, {p[0]: self.unescape(p[1], also) for p in pairs if len(p) == 2 and p[1]}, self.unescape(text[end + 2:], [])
        at = line.find("##[")
        if at >= 0 and (end := line.find("]", at)) >= 0 and line[at + 3:end].split(" ")[0] in self.KNOWN:
            return line[at + 3:end].split(" ")[0], {}, line[end + 1:]
        return None

    def read(self, text):
        for line in text.splitlines():
            command = self.parse(line)
            if command is None:
                continue
            if self.stopped is not None:
                if command[0] == self.stopped:
                    self.stopped = None
            elif command[0] == "stop-commands":
                self.stopped = command[2]
            else:
                self.commands.append(command)
        return self.commands


class Consumers(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = Path(self.kept.name)
        make_reports(self.folder / "reports")

    def tearDown(self):
        self.kept.cleanup()

    def assay(self, *words, env=None, exit_code=0):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(SERVICES)}
        clean |= {"XDG_CACHE_HOME": str(self.folder / "cache"), "ASSAY_PLUGIN_PATH": str(PROBES)}
        done = subprocess.run([ASSAY, *map(str, words)], cwd=self.folder, env=clean | (env or {}), capture_output=True, text=True)
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        return done

    def run_question(self, claims, *words, name="question.toml", **more):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(question(claims))
        return self.assay("run", path, "--reports", "reports", "-o", "out", "--no-cache", *words, **more)

    def lines_of_claims(self, name="question.toml"):
        return [i for i, line in enumerate((self.folder / name).read_text().splitlines(), 1) if line == "[[claim]]"]

    def claims(self):
        found = json.loads((self.folder / "out/findings.json").read_text())
        return found["questions"][0]["claims"]

    # GitHub

    def hostile_claims(self):
        return [(f"c{i}", text, VERDICTS[i % 4]) for i, text in enumerate(HOSTILE * 2)]

    def test_github_gets_each_claim_at_its_line_and_no_word_of_others(self):
        name = "odd, name: 1%/question.toml"
        env = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(self.folder), "GITHUB_STEP_SUMMARY": str(self.folder / "step.md")}
        done = self.run_question(self.hostile_claims(), "--gate", name=name, env=env, exit_code=1)
        commands = Runner().read(done.stdout)
        lines = self.lines_of_claims(name)
        level = {"refuted": "error", "inconclusive": "notice", "untestable": "notice"}
        expected = {(level[c["verdict"]], name, str(line), f"{c['verdict']}: judged: {c['id']}")
                    for c, line in zip(self.claims(), lines) if c["verdict"] != "supported"}
        self.assertEqual(len(expected), 9)
        self.assertEqual({(n, p.get("file"), p.get("line"), p["title"]) for n, p, _ in commands}, expected)
        self.assertEqual(len(commands), len(expected), "one of each")
        for _, properties, message in commands:
            self.assertEqual(set(properties), {"file", "line", "col", "title"})
        told = {p["title"].split(": ")[-1]: message for _, p, message in commands}
        self.assertIn("100 % %0A ::stop-commands::x", told["c1"])
        self.assertEqual(Runner().read(done.stderr), [])
        summary = (self.folder / "step.md").read_text()
        self.assertIn("Gate failed", summary)
        self.assertNotIn("<b>", summary.replace("\\<b>", ""))
        self.assertIsNone(re.search(r"@team", summary), "nobody is called")

    def test_the_stand_in_is_fooled_by_what_is_not_inert(self):
        self.assertEqual(Runner().read("  ::error file=x::fooled\n")[0][2], "fooled")
        self.assertEqual(Runner().read("text ##[add-mask]secret")[0][0], "add-mask")
        self.assertEqual(Runner().read("::stop-commands::t\n::error::x\n::t::\n::notice::y"), [("notice", {}, "y")])

    def test_github_shows_ten_of_a_level(self):
        done = self.run_question([(f"c{i}", "x", "refuted") for i in range(25)], "--annotations", "github")
        commands = Runner().read(done.stdout)
        self.assertEqual([c[0] for c in commands], ["warning"] * 10, "without --gate nothing failed")
        self.assertIn("16 more claims", commands[-1][2])

    def test_the_step_summary_keeps_within_its_limit(self):
        step, most = self.folder / "step.md", 1024 * 1024
        for before, whole in ((0, True), (most - 100, False), (most - 3, False)):
            step.write_bytes(b"x" * before)
            self.run_question([("c", "x", "supported")], "--annotations", "github", env={"GITHUB_STEP_SUMMARY": str(step)})
            self.assertLessEqual(step.stat().st_size, most)
            self.assertEqual("1 supported" in step.read_text(), whole, before)
        self.assertEqual(step.stat().st_size, most - 3, "nothing fits")
        step.write_bytes(b"x" * (most - 500))
        done = self.run_question([("c", "x", "supported")], env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(self.folder)})
        self.assertIn("is a folder and not a file", done.stderr)

    def test_nothing_is_told_where_nobody_asks(self):
        for words, env in (((), {}), (("--annotations", "none"), {"GITHUB_ACTIONS": "true"})):
            done = self.run_question([("c", "x", "refuted")], *words, env=env)
            self.assertNotIn("::stop-commands::", done.stdout)
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"reports", "question.toml", "out", "cache"})

    # JUnit

    ALLOWED = {"testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
               "testsuite": ({"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package",
                              "file", "log", "url"}, {"testsuite", "properties", "testcase", "system-out", "system-err"}),
               "testcase": ({"name", "time", "classname", "group"}, {"skipped", "error", "failure", "system-out", "system-err"}),
               "failure": ({"type", "message"}, set()), "skipped": ({"type", "message"}, set())}

    def check_junit(self, element):
        attributes, children = self.ALLOWED[element.tag]
        self.assertLessEqual(set(element.attrib), attributes)
        for child in element:
            self.assertIn(child.tag, children)
            self.check_junit(child)

    def test_junit_has_a_case_a_claim(self):
        self.run_question(self.hostile_claims(), "--annotations", "junit=gate.xml")
        root = ElementTree.parse(self.folder / "gate.xml").getroot()
        self.assertEqual(root.tag, "testsuites")
        self.check_junit(root)
        kind = {"supported": None, "refuted": "failure", "inconclusive": "skipped", "untestable": "skipped"}
        cases = [(case.get("classname"), case.get("name"), case[0].tag if len(case) else None) for case in root.iter("testcase")]
        self.assertEqual(cases, [("judged", c["id"], kind[c["verdict"]]) for c in self.claims()])
        for element in (root, root[0]):
            self.assertEqual(int(element.get("tests")), len(cases))
            self.assertEqual(int(element.get("failures")), sum(case[2] == "failure" for case in cases))
        self.assertEqual(int(root[0].get("skipped")), sum(case[2] == "skipped" for case in cases))
        self.assertIn(HOSTILE[3].replace("\\", ""), root[0][3][0].text)

    def test_a_report_that_was_asked_for_and_cannot_be_written_is_an_error(self):
        done = self.run_question([("c", "x", "supported")], "--annotations", "junit=absent/gate.xml", exit_code=3)
        self.assertIn("absent/gate.xml", done.stderr)
        self.run_question([("c", "x", "supported")], "--annotations", "jnit", exit_code=2)
        self.run_question([("c", "x", "supported")], "--annotations", "junit=", exit_code=2)

    def test_gitlab_gets_what_is_asked_for_with_places_in_its_repository(self):
        env = {"GITLAB_CI": "true", "CI_PROJECT_DIR": str(self.folder)}
        self.run_question([("a", "x", "refuted")], name="questions/q.toml", env=env)
        self.assertEqual([p.name for p in self.folder.glob("*.xml")], [], "nothing by itself")
        self.run_question([("a", "x", "refuted")], "--annotations", "junit", name="questions/q.toml", env=env)
        self.assertIn(f"(questions/q.toml:{self.lines_of_claims('questions/q.toml')[0]})", (self.folder / "assay-junit.xml").read_text())
        done = self.run_question([("a", "x", "refuted")], "--annotations", "gitlab", exit_code=2)
        self.assertIn("junit", done.stderr)

    def test_run_gates_on_refuted_claims(self):
        self.run_question([("a", "x", "supported"), ("b", "x", "inconclusive")], "--gate")
        self.assertIn("1 claim refuted (judged: a)", self.run_question([("a", "x", "refuted")], "--gate", exit_code=1).stderr)
        self.run_question([("a", "x", "inconclusive")], "--gate", exit_code=4)

    # action.yml and packaging/ci

    def yaml(self, name):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is missing: action.yml and packaging/ci are not tested")
        return yaml.safe_load((SOURCE / name).read_text())

    def stand_ins(self):
        """gh and curl that note what they are asked, and give the release; jq is the real one."""
        bin_folder, release = self.folder / "bin", self.folder / "release"
        bin_folder.mkdir(), release.mkdir()
        tree = self.folder / "assay-1.0.0-linux-x86_64/bin"
        tree.mkdir(parents=True)
        (tree / "assay").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {self.folder}/words\nexec {ASSAY} "$@"\n')
        (tree / "assay").chmod(0o755)
        name = f"assay-1.0.0-linux-{os.uname().machine}.tar.xz"
        subprocess.run(["tar", "-C", self.folder, "-cJf", release / name, tree.parent.name], check=True)
        with open(release / (name + ".sha256"), "w") as to:
            subprocess.run(["sha256sum", name], cwd=release, stdout=to, check=True)
        note = f'printf "%s\\n" "$*" >> {self.folder}/asked\n'
        (bin_folder / "gh").write_text(f"""#!/bin/bash
{note}
if [ "$1 $2" = "release download" ]; then while [ $# -gt 0 ]; do [ "$1" = --dir ] && cp {release}/* "$2"; shift; done; exit 0; fi
case $* in *--jq*) cat {self.folder}/mine 2> /dev/null ;; *body=@*) body=$*; body=${{body##*body=@}}; cp "${{body%% *}}" {self.folder}/body ;; esac
""")
        (bin_folder / "curl").write_text(f"""#!/bin/bash
{note}
for word; do case $word in body@*) cp "${{word#body@}}" {self.folder}/body ;; esac; done
case $* in
  *packages/generic*) while [ $# -gt 0 ]; do [ "$1" = --output ] && cp {release}/"$2" "$2"; shift; done ;;
  *per_page=*) echo '[{{"id": 6, "body": "other"}}, {{"id": 7, "body": "<!-- assay --> old"}}]' ;;
esac
""")
        for name in ("gh", "curl"):
            (bin_folder / name).chmod(0o755)
        return {"PATH": f"{bin_folder}:{os.environ['PATH']}", "ASSAY_PLUGIN_PATH": str(PROBES), "XDG_CACHE_HOME": str(self.folder / "cache")}

    def evaluated(self, text, values):
        def value(match):
            for word in match.group(1).split("||"):
                if values.get(word.strip()):
                    return values[word.strip()]
            return ""
        return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", value, text)

    def run_action(self, claims, **inputs):
        action = self.yaml("action.yml")
        for step in action["runs"]["steps"]:
            self.assertTrue("uses" in step or "shell" in step, "each step of a composite action names its shell")
            self.assertNotIn("${{", step.get("run", ""), "inputs are no text of a script")
        (self.folder / "question.toml").write_text(question(claims))
        values = {f"inputs.{k}": str(v.get("default", "")) for k, v in action["inputs"].items()}
        values |= {f"inputs.{k}": v for k, v in inputs.items()}
        values |= {"inputs.questions": "question.toml\n", "inputs.reports": "reports", "github.action_repository": "o/r", "github.action_ref": "v1.0.0",
                   "github.event.pull_request.number": "5"}
        (self.folder / "temp").mkdir(exist_ok=True)
        base = self.stand_ins() | {"RUNNER_TEMP": str(self.folder / "temp"), "GITHUB_PATH": str(self.folder / "path"), "GITHUB_OUTPUT": str(self.folder / "outputs"),
                                   "GITHUB_REPOSITORY": "o/r", "GITHUB_WORKSPACE": str(self.folder)}
        code = None
        for step in action["runs"]["steps"]:
            if "run" not in step:
                continue
            if (self.folder / "outputs").exists():
                values["steps.run.outputs.exit"] = (self.folder / "outputs").read_text().strip().split("=")[1]
            env = {k: self.evaluated(str(v), values) for k, v in step.get("env", {}).items()}
            done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=self.folder, env=base | env,
                                  capture_output=True, text=True)
            code = done.returncode
            if step["name"] != "Pass or fail":
                self.assertEqual(code, 0, step["name"] + done.stdout + done.stderr)
        return code

    def test_the_action_fetches_runs_comments_and_fails_as_the_gate_does(self):
        self.assertEqual(self.run_action([("a", HOSTILE[3], "refuted")]), 1)
        asked = (self.folder / "asked").read_text()
        self.assertIn("release download v1.0.0 --repo o/r", asked)
        self.assertIn("--method POST repos/o/r/issues/5/comments", asked)
        body = (self.folder / "body").read_text()
        self.assertTrue(body.startswith("<!-- assay -->\n"))
        self.assertIn("1 refuted", body)
        self.assertNotIn("@team", body)
        words = (self.folder / "words").read_text().splitlines()
        self.assertEqual(words[:4], ["run", "question.toml", "--reports", "reports"])

    def test_the_action_replaces_its_comment(self):
        (self.folder / "mine").write_text("31\n32\n")
        self.assertEqual(self.run_action([("a", "x", "refuted")], gate="false"), 0)
        self.assertIn("--method PATCH repos/o/r/issues/comments/31", (self.folder / "asked").read_text())

    def test_the_gitlab_snippet_runs(self):
        job = self.yaml("packaging/ci/gitlab.yml")[".assay"]
        self.assertEqual(set(job["artifacts"]["reports"]), {"junit"})
        (self.folder / "question.toml").write_text(question([("a", "/close", "refuted")]))
        env = self.stand_ins() | {"CI_API_V4_URL": "api", "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "9", "CI_JOB_TOKEN": "t", "ASSAY_COMMENT_TOKEN": "c",
                                  "ASSAY_PROJECT": "3", "ASSAY_VERSION": "1.0.0", "ASSAY_OUT": "assay-out", "ASSAY_RUN": "question.toml --reports reports --gate"}
        codes = []
        for part in ("before_script", "script", "after_script"):
            done = subprocess.run(["bash", "-c", "\n".join(job[part])], cwd=self.folder, env=env, capture_output=True, text=True)
            codes.append(done.returncode)
        self.assertEqual(codes, [0, 1, 0], done.stderr)
        for kind in job["artifacts"]["reports"].values():
            self.assertTrue((self.folder / kind).exists(), kind)
        self.assertIn("--request PUT", (self.folder / "asked").read_text())
        self.assertIn("api/projects/3/merge_requests/9/notes/7", (self.folder / "asked").read_text())
        body = (self.folder / "body").read_text()
        self.assertIn("/close", body)
        self.assertIsNone(re.search(r"^\s*/", body, re.M), "no command to GitLab")


if __name__ == "__main__":
    if not ASSAY.exists() or not PROBES.is_dir():
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
