#!/usr/bin/env python3
"""ask.py ASSAY SOURCE [TABLE.md]: forty questions about the shared data, asked through the server of the Model Context Protocol and by the
commands of SKILL.md. Which command is asked is looked up in SKILL.md's table by the words of the question and nothing else. What is right
is printed by the script that stands with each question; beside it stand calls and bytes of both ways, each question on its own:
without assay an agent sees how a file is built (`.schema`, or its first 4,000 bytes) and then writes the script. ASSAY_DATA names the
data; exit 77 without them."""
import collections
import gzip
import json
import math
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "program/mcp"))
from client import Client, inside  # noqa: E402

DATA = pathlib.Path(os.environ.get("ASSAY_DATA", ""))
FIRST = 4000  # bytes of a file that is no database, for a look at how it is built
STOP = set("a an and any anything are as at be before by can did do does during each everything for four from get give has have how i in into is it "
           "its many me more much my no not now of on one or our out own so somebody than that the then there these this those through "
           "to two up was were what when where which who whose will with would you your".split())


def words(text):
    """Stems of the words that say something."""
    found = re.findall(r"[a-z]{2,}", text.lower())
    return [re.sub(r"(?:ing|ed|es|s|e|er|ers)$", "", word) if len(word) > 4 else word for word in found if word not in STOP]


class Skill:
    """The table of SKILL.md: a row is a question, a command, and what to read of the answer."""

    def __init__(self, text):
        table = text.split("## Which command")[1].split("\n## ")[0]
        self.rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines() if "`assay " in line]
        self.words = [set(words(" ".join(row))) for row in self.rows]
        self.asked = [set(words(row[0])) for row in self.rows]
        known = collections.Counter(word for row in self.words for word in row)
        self.weight = {word: math.log(1 + len(self.rows) / number) for word, number in known.items()}

    def row_for(self, question):
        """The row that shares most of the question's words, each as much as few rows have it; those of its question count twice; of rows that
        share as much the first."""
        asked = set(words(question))
        def score(row):
            return (sum(self.weight[word] for word in asked & self.words[row]) + sum(self.weight[word] for word in asked & self.asked[row]), -row)
        return self.rows[max(range(len(self.rows)), key=score)]

    def unknown(self, question):
        """The share of its words that stand nowhere in the table."""
        asked = set(words(question))
        return sum(word not in self.weight for word in asked) / len(asked)


def cells(value):
    """Texts of a document as a person reads them, a row a line."""
    if isinstance(value, dict):
        return "\n".join(map(cells, value.values()))
    if isinstance(value, list):
        return ("\n" if any(isinstance(one, (dict, list)) for one in value) else "  ").join(map(cells, value))
    return str(value)


def said(question, text):
    """The answer's number or word: of a document by `value`, of text by `find`; with `column`, of the first cell of that column."""
    result = json.loads(text)["result"] if text.lstrip().startswith("{") else None
    if "value" in question:
        return eval(question["value"], {"result": result})  # an expression of this folder
    if "column" in question:
        part = next(part for part in result["parts"] if question["column"] in part["columns"])
        text = part["rows"][0][part["columns"].index(question["column"])]
    elif result is not None:
        text = cells(result)
    return re.search(question["find"], " ".join(text.split()))[1]


def agrees(question, answer, right):
    if "near" in question:
        return abs(float(answer) - float(right)) <= question["near"] * abs(float(right))
    try:
        return float(answer) == float(right)
    except ValueError:
        return str(answer) == right


def lay_out(question, root):
    for file in question.get("files", []) + question.get("beside", []):
        (root / pathlib.Path(file).name).write_bytes((DATA / file).read_bytes())
    for name, files in question.get("folders", {}).items():
        (root / name).mkdir()
        for file in DATA.glob(files):
            (root / name / file.name).write_bytes(file.read_bytes())


def seen_of(file):
    """Bytes of what shows how a file is built."""
    if file.suffix in (".sqlite", ".db"):
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            return sum(len(sql) + 2 for sql, in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    with (gzip.open if file.suffix == ".gz" else open)(file, "rb") as content:
        return len(content.read(FIRST))


def by_script(question, root):
    """What the script prints, and the bytes that it took: of the look at a file of each kind, and of the script and its answer."""
    done = subprocess.run([sys.executable, "-c", question["script"]], cwd=root, capture_output=True, text=True, check=True)
    kinds = {file.suffix: file for file in sorted(root.rglob("*")) if file.is_file() and (file.suffix or ".pickle") and file.suffix != ".ncu-rep"}
    return done.stdout.strip(), sum(map(seen_of, kinds.values())), len(question["script"]) + len(done.stdout)


def by_server(client, question, tool):
    answer = client.call(tool, question["arguments"])
    return inside(answer["result"]["content"][0]["text"]) if "result" in answer else json.dumps(answer)


def by_command(assay, question, command, root):
    """The command of the row, with the options and places of the question."""
    options, places = [], []
    for name, value in question["arguments"].items():
        for one in value if isinstance(value, list) else [value]:
            if name in ("path", "before", "after", "name", "sql"):
                places.append(one)
            else:
                options.append(f"--{name.replace('_', '-')}={one}")
    if command == "compare" and len(places) == 1:
        options.append("--best")
    document = ["--json"] if "value" in question or "column" in question or "json" in question else []
    done = subprocess.run([assay, command, *places, *options, *document], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout or done.stderr


def ask(question, assay, skill):
    """Commands, answers, whether they are right, calls and bytes of one question."""
    row = skill.row_for(question["text"])
    command = re.match(r"`assay (\w+)", row[1])[1]
    tool = (re.search(r"MCP: `(\w+)`", row[1]) or [None, command])[1]
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve()
        lay_out(question, root)
        right, *script_bytes = by_script(question, root)
        client = Client(assay, "--root", root)
        texts = [by_server(client, question, tool), by_command(assay, {**question, **question.get("by_command", {})}, command, root)]
        assert client.close() == 0
    answers = []
    for text, how in zip(texts, (question, {**question, **question.get("by_command", {})})):
        try:
            answer = said(how, text)
            answers.append((str(answer), agrees(how, answer, right), len(text)))
        except (AttributeError, KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
            answers.append((f"no answer ({error!r}) in {text[:200]}", False, len(text)))
    return {"row": row, "tool": tool, "right": right, "answers": answers, "script": script_bytes}


def main():
    assay, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    if not (DATA / "step/nsys").is_dir() or not (DATA / "lines").is_dir():
        print("SKIPPED: ASSAY_DATA names no folder with the shared data")
        sys.exit(77)
    skill = Skill((source / "skills/assay/SKILL.md").read_text())
    lines, hits, sums, wrong = [], [0, 0], [0, 0, 0, 0], []
    for page in ("in_its_words.toml", "in_other_words.toml"):
        with open(pathlib.Path(__file__).with_name(page), "rb") as file:
            questions = tomllib.load(file)["question"]
        assert len(questions) == 20, (page, len(questions))
        for question in questions:
            done = ask(question, assay, skill)
            unknown = skill.unknown(question["text"])
            if page == "in_other_words.toml" and unknown < 0.5:
                wrong.append(f"{question['text']}: only {unknown:.0%} of its words are others than SKILL.md's")
            for way, (answer, hit, size) in enumerate(done["answers"]):
                hits[way] += hit
                sums[way] += size
                if not hit:
                    print(f"MISS by {'the server' if way == 0 else 'command'}: {question['text']} {done['tool']} said {answer}, right {done['right']}")
            sums[2:] = [sum(pair) for pair in zip(sums[2:], done["script"])]
            cell = [question["text"], f"`{done['tool']}`", done["right"], *(f"{answer}{'' if hit else ' (miss)'}" for answer, hit, _ in done["answers"]),
                    f"{unknown:.0%}", *(f"1, {size:,}" for _, _, size in done["answers"]), f"2, {sum(done['script']):,}"]
            lines.append("| " + " | ".join(cell).replace("\n", " ") + " |")
    summary = (f"{hits[0]} of {len(lines)} right through the server, {hits[1]} by commands; bytes {sums[0]:,} and {sums[1]:,}, "
               f"of scripts {sum(sums[2:]):,} ({sums[2]:,} of them to see how files are built); calls {len(lines)}, of scripts {2 * len(lines)}")
    if len(sys.argv) > 3:
        head = "| question | tool | right | server | command | other words | server: calls, bytes | command: calls, bytes | script: calls, bytes |\n|---|---|---|---|---|---|---|---|---|\n"
        pathlib.Path(sys.argv[3]).write_text(f"# Forty questions\n\nMade by ask.py. {summary}.\n\n{head}" + "\n".join(lines) + "\n")
    print("\n".join([*wrong, summary]))
    sys.exit(0 if not wrong and min(hits) >= 38 and 2 * max(sums[:2]) <= sum(sums[2:]) else 1)


main()
