#!/usr/bin/env python3
"""option_samples.py ASSAY SOURCE [--write]: the samples of options at the end of each plugins/ANALYZER/README.md are those of the program, every
option with its default, and `assay plan` takes each of them as it stands. --write makes them anew."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

SECTION = re.compile(r"\n## Options\n.*\Z", re.S)


def value_of(kind, default):
    """As TOML has it."""
    if kind == "true/false" or kind in ("integer", "number"):
        return default
    if kind.startswith("list"):
        return json.dumps([one for one in default.split(", ") if one], ensure_ascii=False)
    return json.dumps(default, ensure_ascii=False)


def sample(assay, analyzer):
    """Every option with its default; what has none is a comment. Empty: there are no options."""
    answer = json.loads(subprocess.run([assay, "describe", analyzer, "--json"], check=True, capture_output=True).stdout)["result"]
    options = [row for row in answer if row["what"] == "option" and row["analyzer"] == analyzer]
    if not options:
        return ""
    lines = [f"[analyzers.{analyzer}]"]
    for option in options:
        allowed = f" {option['allowed']}." if option["allowed"] else ""
        lines.append(f"# {option['meaning']}{allowed}")
        lines.append(f"{'' if option['default'] else '# '}{option['name']} = {value_of(option['type'], option['default'])}")
    return "\n".join(lines) + "\n"


def main():
    assay, source = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    wrong, written = [], 0
    with tempfile.TemporaryDirectory() as name:
        question = pathlib.Path(name) / "question.toml"
        for page in sorted(source.glob("plugins/*/README.md")):
            analyzer, text = page.parent.name, page.read_text(encoding="utf-8")
            options = sample(assay, analyzer)
            section = f"\n## Options\n\nAll with their defaults; what has none is a comment.\n\n```toml\n{options}```\n" if options else ""
            if "--write" in sys.argv:
                page.write_text(SECTION.sub("", text.rstrip("\n") + "\n") + section, encoding="utf-8")
                continue
            found = SECTION.search(text)
            if (found[0] if found else "") != section:
                wrong.append(f"{page.relative_to(source)}: its sample of options is not the program's; run {pathlib.Path(__file__).name} --write")
            if not options:
                continue
            tables = tomllib.loads(options)["analyzers"]
            labels = {label for value in tables[analyzer].values() for label in (value if isinstance(value, list) else [value]) if isinstance(label, str) and re.fullmatch(r"[a-z_]+", label)}
            with_labels = '[question]\nid = "sample"\n[labels]\npatterns = []\n' + "".join(f"{label} = {{}}\n" for label in sorted(labels)) + options
            for _ in range(5):  # what it reads is enabled as the messages say
                question.write_text(with_labels)
                said = subprocess.run([assay, "plan", question], capture_output=True, text=True, check=False).stderr
                if not (lacks := re.search(r"enable (\[analyzers\.\w+\]), which does", said)):
                    break
                with_labels += lacks[1] + "\n"
            # An option that has no default and is needed is asked for with an example.
            if re.search(r"question\.toml:\d+:\d+: ", said) and "give e.g." not in said:
                wrong.append(f"{analyzer}: {said.strip()[:300]}")
            written += 1
    print("\n".join(wrong) or f"samples of {written} analyzers are those of the program, and plan takes them")
    sys.exit(1 if wrong else 0)


main()
