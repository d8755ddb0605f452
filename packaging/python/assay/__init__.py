"""assay from Python: every function runs the program `assay` and hands back what it wrote.

    import assay
    result = assay.run("rq.toml", reports="profiles")      # a Result; shows verdicts and figures in a notebook
    result.claims, result.facts                            # tables
    assay.query("profile.sqlite", "SELECT short_name, count(*) FROM kernels GROUP BY 1")
    assay.compare("profiles/base", "profiles/flash").findings
    assay.whatif("profile.sqlite", launch_cost=0.3)        # times in ns, with an interval
    assay.describe("gpu.busy_ratio")                       # as the document of `assay describe --json` has it

A table is a data frame of pandas, or of polars, whichever is installed, else a list of dicts; `assay.frames` ("pandas", "polars" or
"lists") chooses. Options are those of the command line, with underscores: run(..., gate=True, trust_mtime=True, plugin_path=["a", "b"]).
"""
from __future__ import annotations

import json as _json
import os as _os
import shutil as _shutil
import subprocess as _subprocess
import sysconfig as _sysconfig
import warnings as _warnings
from pathlib import Path as _Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from ._results import Folder as _Folder, Page, Result
from ._tables import Table, table as _table

__all__ = ["AssayError", "Page", "Place", "Places", "Result", "Table", "bench", "budget", "check", "compare", "describe", "doctor", "files",
           "frames", "history", "init", "look", "merge", "plan", "plugins", "program", "query", "result", "run", "show", "stats", "version",
           "whatif"]

Place = Union[str, "_os.PathLike[str]"]  #: a file or a folder
Places = Union[Place, Iterable[Place]]

frames: Optional[str] = None  #: "pandas", "polars" or "lists"; None: the first of these that there is


class AssayError(RuntimeError):
    """What assay says went wrong; `exit_code` as docs/commands.md has it."""

    def __init__(self, sentence: str, exit_code: int) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def program() -> str:
    """The path of the program: $ASSAY, else the one that was installed with this module, else the one on the path."""
    named = _os.environ.get("ASSAY")
    if named:
        return named
    here = _Path(__file__).resolve()
    places = [_Path(_sysconfig.get_path("scripts")) / "assay"]
    # Installed into a folder of its own (--target, --user, --prefix) the program stands in a bin above this module.
    places += [above / "bin" / "assay" for above in list(here.parents)[1:6]]
    for place in places:
        if place.is_file() and _os.access(place, _os.X_OK):
            return str(place)
    found = _shutil.which("assay")
    if found is None:
        raise AssayError("the program 'assay' is not found; install the wheel, or name it in the variable ASSAY", 2)
    return found


def _words(options: Dict[str, Any]) -> List[str]:
    words: List[str] = []
    for name, value in options.items():
        option = "--" + name.strip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            words.append("%s=%s" % (option, one))
    return words


def _places(places: Places) -> List[str]:
    """Paths as arguments: one that begins with a dash is no option."""
    if isinstance(places, (str, _os.PathLike)):
        places = [places]
    texts = [_os.fspath(place) for place in places]
    return ["./" + text if text.startswith("-") else text for text in texts]


def _call(words: List[str], answers: Sequence[int] = (0,)) -> _subprocess.CompletedProcess[str]:
    done = _subprocess.run([program()] + words, stdin=_subprocess.DEVNULL, stdout=_subprocess.PIPE, stderr=_subprocess.PIPE,
                           encoding="utf-8", errors="replace")
    if done.returncode not in answers:
        sentence = done.stderr.strip() or "assay ended with exit code %d" % done.returncode
        raise AssayError(sentence[7:] if sentence.startswith("assay: ") else sentence, done.returncode)
    return done


def _answer(words: List[str], answers: Sequence[int] = (0,)) -> Any:
    return _json.loads(_call(words + ["--json"], answers).stdout)["result"]


def version() -> str:
    """As `assay --version` prints it."""
    return _call(["--version"]).stdout.strip()


def run(questions: Places, reports: Places = (), out: Optional[Place] = None, **options: Any) -> Result:
    """Answers questions from folders of profiles. Without `out` the result lies in a folder that lives as long as it does.

    With gate=True a failed or undecided gate is no exception: `exit_code` of the result is 1 or 4.
    """
    kept = _Folder(out)
    folder = kept.path
    words = ["run"] + _places(questions)
    for place in _places(reports):
        words += ["--reports", place]
    done = _call(words + ["-o", _places(folder)[0], "--quiet", "--annotations", "none"] + _words(options), (0, 1, 4))
    return Result(folder, done.returncode, done.stderr.strip(), kept)


def result(folder: Place) -> Result:
    """A result that `assay run` or `assay compare` wrote."""
    return Result(folder)


def look(*profiles: Place, **options: Any) -> Page:
    """What ran, where the time goes and what to try: of one profile, or of all of a folder."""
    return Page(_answer(["look"] + _places(profiles) + _words(options)))


def budget(*profiles: Place, **options: Any) -> Table:
    """What a mean iteration consists of: rows whose wall_ns sum to its time."""
    return _table(_answer(["budget"] + _places(profiles) + _words(options))["rows"], frames)


def whatif(*profiles: Place, **options: Any) -> Table:
    """What a change would gain (scale="kernel:*gemm*=0.5", remove="sync", launch_cost=0.3, ...), or without one the ten that gain most. Times are in ns."""
    return _table(_answer(["whatif"] + _places(profiles) + _words(options)), frames)


def stats(profile: Places, report: Union[str, Sequence[str]], **options: Any) -> Any:
    """A table of `nsys stats` by its name there, or with several names or profiles a dict of them. What assay remarks about the numbers is a warning."""
    names = report if isinstance(report, str) else ",".join(report)
    done = _call(["stats"] + _places(profile) + ["--report=" + names, "--json"] + _words(options))
    for remark in done.stderr.splitlines():
        _warnings.warn(remark, stacklevel=2)
    tables = {one["table"]: _table(one["rows"], frames) for one in _json.loads(done.stdout)["result"]}
    return next(iter(tables.values())) if len(tables) == 1 and isinstance(report, str) else tables


def init(*places: Place, out: Place, **options: Any) -> Table:
    """Writes a question about a folder of profiles to the file `out`. Returns the labels that it found, one row each."""
    return _table(_answer(["init"] + _places(places) + ["-o", _places(out)[0]] + _words(options)).get("labels", []), frames)


def files(*places: Place, **options: Any) -> Table:
    """What each file is: one row each, rows of its tables, labels and environment as columns "rows.kernels", "label.batch". None: not recorded."""
    rows = []
    for one in _answer(["list"] + _places(places) + _words(options)):
        row = {name: value for name, value in one.items() if name not in ("rows", "labels", "environment")}
        for group, prefix in (("rows", "rows."), ("labels", "label."), ("environment", "environment.")):
            row.update((prefix + name, value) for name, value in (one[group] or {}).items())
        rows.append(row)
    names = dict.fromkeys(name for row in rows for name in row)
    return _table([{name: row.get(name) for name in names} for row in rows], frames, list(names))


def query(place: Places, sql: str, **options: Any) -> Table:
    """Rows of a statement over profiles, folders of them, or a result."""
    done = _call(["query"] + _places(place) + [sql, "--format=json"] + _words(options))
    return _table(_json.loads(done.stdout), frames)


def compare(before: Places, after: Places = (), out: Optional[Place] = None, **options: Any) -> Result:
    """What changed between two sides: profiles, folders of repeat runs, or results; of one folder what its names distinguish."""
    kept = _Folder(out)
    folder = kept.path
    sides = [_places(before), _places(after)]
    words = ["compare"] + [side[0] for side in sides if side]
    for name, more in (("--before", sides[0][1:]), ("--after", sides[1][1:])):
        for place in more:
            words += [name, place]
    done = _call(words + ["-o", _places(folder)[0], "--annotations", "none"] + _words(options), (0, 1, 4))
    return Result(folder, done.returncode, done.stderr.strip(), kept)


def describe(name: str, **options: Any) -> Any:
    """A metric, analyzer, format or verdict in words, as the document has it."""
    return _answer(["describe", name] + _words(options))


def plan(*questions: Place, **options: Any) -> Any:
    """What a question would run and skip; with power=RESULT what its open claims still need. Nothing is run."""
    return _answer(["plan"] + _places(questions) + _words(options))


def show(folder: Place, **options: Any) -> Any:
    """A result as its findings.json has it."""
    return _answer(["show"] + _places(folder) + _words(options))


def history(*results: Place, **options: Any) -> Any:
    """Changes of metrics over results in their order, as the document has them; with gate=True a failed gate is no exception."""
    return _answer(["history"] + _places(results) + _words(options), (0, 1, 4))


def merge(*parts: Place, out: Place, **options: Any) -> Result:
    """Joins the parts of `assay run --shard K/N` into the result `out`."""
    _answer(["merge"] + _places(parts) + ["-o", _places(out)[0]] + _words(options))
    return Result(out)


def check(*names: str, **options: Any) -> Any:
    """Stress-tests analyzers and formats. A case that failed is no exception: the document has it."""
    return _answer(["check", *names] + _words(options), (0, 3))


def bench(*names: str, **options: Any) -> Any:
    """Time and memory of the stages of analyzers and formats, as the document has them."""
    return _answer(["bench", *names] + _words(options))


def plugins(**options: Any) -> Table:
    """Analyzers and formats that were found or refused, a row each."""
    return _table(_answer(["plugins"] + _words(options)), frames)


def doctor(*places: Place, **options: Any) -> Any:
    """What this machine lacks, and how to get it."""
    return _answer(["doctor"] + _places(places) + _words(options))
