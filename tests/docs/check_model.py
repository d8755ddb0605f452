"""Holds the report model of the guide against report.hpp: check_model.py REPORT_HPP GUIDE. Every table, column, type and column id
of the header stands in the guide, and nothing else does."""
import re
import sys

header = open(sys.argv[1], encoding="utf-8").read()
guide = open(sys.argv[2], encoding="utf-8").read()
model = guide[guide.index("\n## The report model"):]
problems = []


def columns_of(body):
    columns = {}
    for kind, names in re.findall(r"Column<([\w:]+)>\s+([\w,\s]+);", body):
        for name in names.split(","):
            columns[name.strip()] = re.sub(r"^std::|_t$", "", kind)
    return columns


structs = {name: columns_of(body) for name, body in re.findall(r"struct (\w+Table) \{(.*?)\n\};", header, re.S)}
report = re.search(r"struct Report \{(.*?)\n\};", header, re.S).group(1)
tables = dict((name, kind) for kind, name in re.findall(r"const (\w+Table)\* (\w+) =", report))

sections = {}
for heading, text in re.findall(r"\n#### ([^\n]*)\n(.*?)(?=\n#### |\Z)", model, re.S):
    named = re.match(r"((?:`\w+`(?: and )?)+) \(`(\w+)`\), ", heading)
    if not named or "null" not in heading:
        problems.append(f"heading '{heading}': expected `table` (`Struct`), its order; what null means")
        continue
    rows = {}
    for cells in re.findall(r"^\| (`[^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", text, re.M):
        if not all(cell.strip() for cell in cells):
            problems.append(f"{named.group(2)}: an empty cell in the row of {cells[0]}")
        for name in re.findall(r"`(\w+)`", cells[0]):
            rows[name] = cells[1].strip()
    for table in re.findall(r"`(\w+)`", named.group(1)):
        sections[table] = (named.group(2), rows)

if len(structs) < 15 or sum(map(len, structs.values())) < 100:
    problems.append("report.hpp was not understood")
for table, struct in tables.items():
    if table not in sections:
        problems.append(f"Report::{table} ({struct}) has no section in the guide")
        continue
    named, rows = sections[table]
    if named != struct:
        problems.append(f"Report::{table} is a {struct} and not a {named}")
    for name, kind in structs[struct].items():
        if rows.get(name) != kind:
            problems.append(f"{struct}::{name} is {kind}; the guide says {rows.get(name, 'nothing of it')}")
    for name in rows.keys() - structs[struct].keys():
        problems.append(f"the guide has {struct}::{name}, which report.hpp has not")
for table in sections.keys() - tables.keys():
    problems.append(f"the guide has a table '{table}', which Report has not")

ids = set(re.findall(r"(\w+) = make\(", header))
told = set(re.findall(r"`col::(\w+)`", model))
problems += [f"col::{name} is not in the guide" for name in sorted(ids - told)]
problems += [f"the guide has col::{name}, which report.hpp has not" for name in sorted(told - ids)]

print("\n".join(problems) or f"{len(sections)} tables, {sum(len(rows) for _, rows in sections.values())} columns, {len(told)} ids")
sys.exit(bool(problems))
