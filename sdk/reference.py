#!/usr/bin/env python3
"""Writes sdk/reference.md from the comments of the SDK's headers: reference.py [--check]. With --check it writes nothing and
fails if the page is stale."""
import itertools
import pathlib
import re
import sys

SDK = pathlib.Path(__file__).resolve().parent
TEXTS = {f"{folder}/{header.name}": header.read_text(encoding="utf-8")
         for folder in ("assay", "assay/algo") for header in sorted((SDK / "include" / folder).glob("*.hpp"))}
MODEL = TEXTS["assay/report.hpp"]
BEHIND = r"(?: *///< (.*(?:\n +///< .*)*))?"  # a comment behind a declaration


def plain(comment):
    return re.sub(r"\s+", " ", re.sub(r"^ *//(?:/<?)?", "", comment or "", flags=re.M)).strip()


def declarations(text):
    """(depth, declaration, meaning) of whatever has a comment of its own, except `detail` and private members."""
    text = re.sub(r"^namespace detail \{\n.*?^\}  // namespace detail\n", "", text, flags=re.M | re.S)
    text = re.sub(r"^ private:\n(?:.*\n)*?(?=\};)|^#define (?:.*\\\n)*.*\n|^#.*\n", "", text, flags=re.M)
    above = r"^((?: *///(?!<).*\n)+)((?:.*[^;{}]\n)*?.*[;{}].*)$"
    for comment, declared, indent, member, behind in re.findall(above + r"|^( *)(\S.*?)[;,]? +///< (.*(?:\n +///<.*)*)", text, flags=re.M):
        if comment:
            indent = re.match(" *", comment).group()
            declared = re.sub(r"^ *(?:template <.*>|requires .*)\n|///<.*$", "", declared, flags=re.M)
            member = re.split(r" \{|;(?: |$)|\{\}| : |,$", " ".join(declared.split()), maxsplit=1)[0]
        member = re.sub(r"\[\[\w+\]\] |inline constexpr |^(?:virtual|explicit) | noexcept| =(?: 0| default| nullptr)?$|, \}$", "", member)
        yield len(indent) // 2, member, plain(comment or behind)


def columns_of(table):
    body = re.search(r"struct %s \{(.*?)\n\};" % table, MODEL, flags=re.S).group(1)
    for above, kind, names, behind in re.findall(r"(?:^ +/// (.*)\n)?^ +Column<([\w:]+)>\s+([\w,\s]+);" + BEHIND, body, flags=re.M):
        for name in re.split(r",\s*", names):
            yield name, re.sub(r"^std::|_t$", "", kind), plain(behind or above)


def rows_of(table, pointers, comment):
    """(column, (type, meaning, ids that ask for it)) of a table."""
    ids = {name: (int(of), int(column)) for name, of, column in re.findall(r"(\w+) = make\((\d+), (\d+)\)", MODEL)}
    listed = re.search(r"TABLE\(%s, (\w+)\)" % table, MODEL)
    lines = re.search(r"#define %s\((.*?)\n(?:#define|//)" % listed.group(1), MODEL, flags=re.S).group(1) if listed else ""
    ask = {member: name for name, member in re.findall(r"\w+\(col::(\w+),[^()]+, (\w+), \w+\)", lines)}
    for name, of, members in re.findall(r"(\w+) = make\(.*///< (\w+): (\w+(?:, \w+)*)$", MODEL, flags=re.M):
        ask |= dict.fromkeys(members.split(", "), name) if of in pointers else {}
    common = {name: meaning for name, _, meaning in columns_of("KernelTable")} if "as in KernelTable" in comment else {}
    for name, kind, meaning in columns_of(table):
        if not meaning and name not in common:
            sys.exit(f"sdk/include/assay/report.hpp: {table}::{name} has no comment; say what it holds, with its unit")
        tables = [ids[pointer][0] for pointer in pointers if pointer in ids] or [ids[ask[name]][0] if name in ask else 0]
        of_name = ids[ask[name]][1] if name in ask else 0
        own = [id for id, at in ids.items() if at[0] in tables and at[1] == of_name]
        yield name, (kind, meaning or common[name], ", ".join(f"`col::{id}`" for id in own) or "always there")


def report_model():
    for table in dict.fromkeys(re.findall(r"const (\w+Table)\* \w+ = nullptr", MODEL)):
        pointers = dict(re.findall(r"const %s\* (\w+) = nullptr;%s" % (table, BEHIND), MODEL))
        comment = plain(re.search(r"((?:^/// .*\n)+)struct %s \{" % table, MODEL, flags=re.M).group(1))
        yield "\n### " + ", ".join(f"`{name}`" for name in pointers) + f" (`{table}`)\n\n" + comment
        yield "".join(f" `{name}`: {plain(meaning)}." for name, meaning in pointers.items() if meaning)
        yield "\n\n| column | type | meaning | ask with |\n|---|---|---|---|\n"
        for (kind, meaning, own), rows in itertools.groupby(rows_of(table, pointers, comment), key=lambda row: row[1]):
            yield f"| {', '.join(f'`{name}`' for name, _ in rows)} | {kind} | {meaning} | {own} |\n"


def page():
    version = [".".join(re.findall(rf"k{of}M(?:ajor|inor) = (\d+)", "".join(TEXTS.values()))) for of in ("Abi", "Format")]
    yield "# Reference of the SDK\n\nMade by `sdk/reference.py` from the comments of the headers. The guide is [README.md](README.md).\n"
    yield f"Version of the boundary: {version[0]} for analyzers, {version[1]} for formats.\n\n## The headers\n\n| header | content |\n|---|---|\n"
    heads = {name: re.match(r"((?://.*\n)+)", text).group(1) for name, text in TEXTS.items()}
    for name, head in heads.items():
        yield f"| [`{name}`](#{re.sub('[^a-z_]', '', name)}) | {re.split(r'[.] |[.]?$', plain(head.split(chr(10) + '//' + chr(10))[0]), maxsplit=1)[0]} |\n"
    yield "\n## The report model\n\n```text\n" + re.sub(r"^// ?", "", heads["assay/report.hpp"], flags=re.M) + "```\n"
    yield from report_model()
    yield "\n## Declarations\n"
    for name, text in TEXTS.items():
        own = re.sub(r"(?:^///.*\n)+struct \w+Table \{.*?\n\};", "", text, flags=re.M | re.S) if text is MODEL else text
        yield f"\n### `{name}`\n\n" + "".join(f"{'  ' * depth}- `{member}`: {meaning}\n" for depth, member, meaning in declarations(own))


written = "".join(page())
if "--check" in sys.argv:
    sys.exit(None if (SDK / "reference.md").read_text(encoding="utf-8") == written else "sdk/reference.md is stale: run sdk/reference.py")
(SDK / "reference.md").write_text(written, encoding="utf-8")
