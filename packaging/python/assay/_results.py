"""What assay wrote, as tables and for a notebook. Words of profiles are text here and never markup."""
from __future__ import annotations

import base64
import html
import json
import os
import shutil
import sqlite3
import tempfile
import weakref
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

from ._tables import Table, table

_MOST_FIGURES = 12
_COLOURS = {"supported": "#00622b", "refuted": "#a40000", "inconclusive": "#7a5b00", "untestable": "#555"}


def _frames() -> Optional[str]:
    import assay
    return assay.frames


def _cell(text: object) -> str:
    return html.escape("" if text is None else str(text))


def _rows_as_html(titles: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join("<th>%s</th>" % _cell(title) for title in titles)
    body = "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % cell for cell in row) for row in rows)
    return "<table><thead><tr>%s</tr></thead><tbody>%s</tbody></table>" % (head, body)


def _verdict(word: str) -> str:
    return '<b style="color:%s">%s</b>' % (_COLOURS.get(word, "#555"), _cell(word))


class Page:
    """The page of `assay look`: a headline, and parts with a table or sentences each.

    `tables` has the numbers, each column in the unit that `units` names; `texts` what people read."""

    def __init__(self, page: Dict[str, Any]) -> None:
        self.title: str = page["title"]
        self.headline: str = page["headline"]
        self.parts: List[Dict[str, Any]] = page["parts"]

    def _numbered(self) -> Dict[str, Dict[str, Any]]:
        """Parts with numbers by the ids of their tables; a table that is shown twice is ID and ID_2."""
        found: Dict[str, Dict[str, Any]] = {}
        for part in self.parts:
            if part.get("values"):
                same = sum(other["table"] == part["table"] for other in found.values())
                found[part["table"] if not same else "%s_%d" % (part["table"], same + 1)] = part
        return found

    @property
    def tables(self) -> Dict[str, Table]:
        """A table of numbers for each id ("step", "idle", "classes", "top_kernels", ...), which does not change with the title."""
        return {name: table([dict(zip(part["names"], row)) for row in part["values"]], _frames(), part["names"])
                for name, part in self._numbered().items()}

    @property
    def units(self) -> Dict[str, Dict[str, str]]:
        """The unit of each column of each of `tables`: ns, ratio, bytes, 1 (a count); empty: text."""
        return {name: dict(zip(part["names"], part["units"])) for name, part in self._numbered().items()}

    @property
    def texts(self) -> Dict[str, Table]:
        """A table for each title, its cells as people read them. Columns without a name are called item (the first) or column_2 and so on."""
        return {part["title"]: table([dict(zip(_names(part), row)) for row in part["rows"]], _frames(), _names(part))
                for part in self.parts if part["rows"]}

    def __str__(self) -> str:
        lines = [self.title, self.headline]
        for part in self.parts:
            rows = [row for row in [part["columns"]] + part["rows"] if any(row)]
            widths = [max(map(len, column)) for column in zip(*rows)]
            lines += ["", part["title"]] + ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
            lines += ["  - " + sentence for sentence in part["sentences"]]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        shown = "<h3>%s</h3><p>%s</p>" % (_cell(self.title), _cell(self.headline))
        for part in self.parts:
            shown += "<p><b>%s</b></p>" % _cell(part["title"])
            if part["rows"]:
                shown += _rows_as_html(part["columns"], [[_cell(cell) for cell in row] for row in part["rows"]])
            if part["sentences"]:
                shown += "<ul>%s</ul>" % "".join("<li>%s</li>" % _cell(sentence) for sentence in part["sentences"])
        return shown


def _names(part: Dict[str, Any]) -> List[str]:
    return [name or ("item" if at == 0 else "column_%d" % (at + 1)) for at, name in enumerate(part["columns"])]


class Folder:
    """The user's, or one of our own that goes when nobody needs it any more."""

    def __init__(self, out: Optional[Union[str, os.PathLike[str]]]) -> None:
        self.path: Union[str, os.PathLike[str]] = out or ""
        if out is None:
            own = tempfile.mkdtemp(prefix="assay-")
            self.path = str(Path(own) / "out")
            weakref.finalize(self, shutil.rmtree, own, True)


class _Written:
    """A folder that assay wrote."""

    def __init__(self, folder: Union[str, os.PathLike[str]], exit_code: int = 0, said: str = "", kept: Optional[Folder] = None) -> None:
        self.folder = Path(folder)
        self.exit_code = exit_code  #: 1: a gate failed, 4: it decided nothing
        self.said = said  #: on standard error
        self._kept = kept  # lives as long as this does
        if not (self.folder / "findings.json").is_file():
            raise FileNotFoundError("'%s' is no result: it has no findings.json; name a folder that 'assay run -o' wrote" % folder)
        self.findings_json: Dict[str, Any] = json.loads((self.folder / "findings.json").read_text(encoding="utf-8"))

    def __repr__(self) -> str:
        return "<assay.%s %s>" % (type(self).__name__, self.folder)


class Result(_Written):
    """Of `assay run`: `claims`, `findings`, `facts` and `query` are tables, `findings_json` is all that was found."""

    def query(self, sql: str, parameters: Union[Sequence[Any], Dict[str, Any]] = ()) -> Table:
        """Rows of a statement over results.sqlite (docs/outputs.md has its tables), read-only."""
        database = sqlite3.connect("file:%s?mode=ro" % _uri(self.folder / "results.sqlite"), uri=True)
        try:
            cursor = database.execute(sql, parameters)
            names = [column[0] for column in cursor.description or ()]
            return table([dict(zip(names, row)) for row in cursor], _frames(), names)
        finally:
            database.close()

    @property
    def facts(self) -> Table:
        """One row a profile and question: its labels, and a column a metric."""
        return self.query("SELECT * FROM facts_wide")

    @property
    def facts_long(self) -> Table:
        """One row a fact, with the labels of its profile."""
        return self.query("SELECT * FROM facts_labelled")

    def _of_questions(self, what: str, keys: List[str]) -> List[Dict[str, Any]]:
        rows = []
        for question in self.findings_json["questions"]:
            for one in question.get(what, []):
                rows.append(dict([("question", question["question"])] + [(key, one.get(key)) for key in keys]))
        return rows

    @property
    def claims(self) -> Table:
        """One row a claim with its verdict."""
        keys = ["id", "verdict", "text", "reason", "source"]
        return table(self._of_questions("claims", keys), _frames(), ["question"] + keys)

    @property
    def findings(self) -> Table:
        keys = ["analyzer", "role", "title", "text"]
        return table(self._of_questions("findings", keys), _frames(), ["question"] + keys)

    @property
    def figures(self) -> List[Path]:
        """Paths of the plots, the samples behind them left out."""
        return sorted(path for path in (self.folder / "plots").glob("*.svg") if "-samples-" not in path.name)

    def _repr_html_(self) -> str:
        parts = []
        for question in self.findings_json["questions"]:
            parts.append("<h3>%s</h3>" % _cell(question.get("title") or question["question"]))
            answers = [f for f in question.get("findings", []) if f.get("role") == "answer"]
            if answers:
                parts.append("<ul>%s</ul>" % "".join("<li>%s</li>" % _cell(f.get("title")) for f in answers))
            claims = question.get("claims", [])
            if claims:
                parts.append(_rows_as_html(["verdict", "claim", "reason"],
                                           [(_verdict(c.get("verdict")), _cell(c.get("text") or c.get("id")), _cell(c.get("reason"))) for c in claims]))
        figures = self.figures
        for path in figures[:_MOST_FIGURES]:
            data = base64.b64encode(path.read_bytes()).decode("ascii")
            parts.append('<p><img alt="%s" style="max-width:100%%" src="data:image/svg+xml;base64,%s"></p>' % (_cell(path.stem), data))
        if len(figures) > _MOST_FIGURES:
            parts.append("<p>and %d more figures in %s</p>" % (len(figures) - _MOST_FIGURES, _cell(self.folder / "plots")))
        return "".join(parts)


def _uri(path: Path) -> str:
    from urllib.parse import quote
    return quote(str(path.resolve()))
