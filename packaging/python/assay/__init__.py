"""assay from Python: every function runs the program `assay` and hands back what it wrote.

    import assay
    result = assay.run("rq.toml", reports="profiles")      # a Result; shows verdicts and figures in a notebook
    result.claims, result.facts                            # tables
    assay.query("profile.sqlite", "SELECT short_name, count(*) FROM kernels GROUP BY 1")
    assay.compare("profiles/base", "profiles/flash").gate

A table is a data frame of pandas, or of polars, whichever is installed, else a list of dicts; `assay.frames` ("pandas", "polars" or
"lists") chooses. Options are those of the command line, with underscores: run(..., gate=True, trust_mtime=True, plugin_path=["a", "b"]).
"""
import os as _os
import shutil as _shutil
import subprocess as _subprocess
import sysconfig as _sysconfig
from pathlib import Path as _Path

from ._results import Comparison, Folder as _Folder, Page, Result
from ._tables import table as _table

__all__ = ["AssayError", "Comparison", "Page", "Result", "compare", "frames", "look", "open", "program", "query", "run", "version"]

frames = None  #: "pandas", "polars" or "lists"; None: the first of these that there is


class AssayError(RuntimeError):
    """What assay says went wrong; `exit_code` as docs/commands.md has it."""

    def __init__(self, sentence, exit_code):
        super().__init__(sentence)
        self.exit_code = exit_code


def program():
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


def _words(options):
    words = []
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


def _places(places):
    """Paths as arguments: one that begins with a dash is no option."""
    if isinstance(places, (str, _os.PathLike)):
        places = [places]
    texts = [_os.fspath(place) for place in places]
    return ["./" + text if text.startswith("-") else text for text in texts]


def _call(words, answers=(0,)):
    done = _subprocess.run([program()] + words, stdin=_subprocess.DEVNULL, stdout=_subprocess.PIPE, stderr=_subprocess.PIPE,
                           encoding="utf-8", errors="replace")
    if done.returncode not in answers:
        sentence = done.stderr.strip() or "assay ended with exit code %d" % done.returncode
        raise AssayError(sentence[7:] if sentence.startswith("assay: ") else sentence, done.returncode)
    return done


def version():
    """As `assay --version` prints it."""
    return _call(["--version"]).stdout.strip()


def run(questions, reports=(), out=None, **options):
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


def open(result):
    """A result that `assay run` wrote."""
    return Result(result)


def look(*profiles, **options):
    """What ran, where the time goes and what to try: of one profile, or of all of a folder."""
    import json
    return Page(json.loads(_call(["look"] + _places(profiles) + ["--json"] + _words(options)).stdout)["result"])


def query(place, sql, **options):
    """Rows of a statement over profiles, folders of them, or a result."""
    import json
    done = _call(["query"] + _places(place) + [sql, "--format=json"] + _words(options))
    return _table(json.loads(done.stdout), frames)


def compare(before, after, out=None, **options):
    """What changed between two sides: profiles, folders of repeat runs, or results (then a Result)."""
    kept = _Folder(out)
    folder = kept.path
    before, after = _places(before), _places(after)
    words = ["compare", before[0], after[0]]
    for name, more in (("--before", before[1:]), ("--after", after[1:])):
        for place in more:
            words += [name, place]
    done = _call(words + ["-o", _places(folder)[0], "--annotations", "none"] + _words(options), (0, 1, 4))
    kind = Result if (_Path(folder) / "results.sqlite").exists() else Comparison
    return kind(folder, done.returncode, done.stderr.strip(), kept)
