#!/usr/bin/env python3
"""Follows the links between the pages of the project, anchors included, looks for pages that other files name, and counts the lines of
docs/ and of the guide: links.py SOURCE."""
import pathlib
import re
import sys

MOST_LINES, GUIDE_LINES = 2340, 300  # of docs/*.md together, of sdk/README.md
FOLDERS = ("algo", "bench", "cli", "cmake", "configs", "core", "formats", "packaging", "plugins", "query", "sdk", "tests", "tools")
SOURCES = (".cpp", ".hpp", ".py", ".sh", ".toml", ".json", ".txt", ".cmake")
IN_RELEASES = {"columns", "metrics"}  # pages that packaging/dist.sh makes
source = pathlib.Path(sys.argv[1]).resolve()


def anchors(page):
    """As GitHub makes them from headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    made = {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.M)}
    return made | set(re.findall(r'<a id="([^"]+)"', text))


pages = [source / "README.md", source / "CONTRIBUTING.md", *source.glob("docs/*.md"), *source.glob("plugins/*/*.md"), *source.glob("sdk/*.md"),
         *(source / folder / "README.md" for folder in ("configs", "tests", "bench", "examples"))]
broken, followed = [], 0
for page in pages:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"https?:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        followed += 1
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(f"{page.relative_to(source)}: {link} leads nowhere")
for file in (file for folder in FOLDERS for file in (source / folder).rglob("*.*") if file.suffix in SOURCES and "compat" not in file.parts):
    for page in re.findall(r"\b(?:docs|sdk)/([a-z_]+)\.md\b|// .*\(([a-z_]+)\.md[,)]", file.read_text(encoding="utf-8", errors="replace")):
        name = "".join(page)
        followed += 1
        if name not in IN_RELEASES and not any((source / folder / f"{name}.md").exists() for folder in ("docs", "sdk", file.parent)):
            broken.append(f"{file.relative_to(source)}: there is no page {name}.md")
index = (source / "docs/README.md").read_text(encoding="utf-8")
broken += [f"docs/README.md does not name {page.name}" for page in source.glob("docs/*.md") if page.name != "README.md" and page.name not in index]
lines = sum(len(page.read_text(encoding="utf-8").splitlines()) for page in source.glob("docs/*.md"))
if lines > MOST_LINES:
    broken.append(f"docs/*.md has {lines} lines, at most {MOST_LINES} are wanted: shorten or merge pages")
if (guide := len((source / "sdk/README.md").read_text(encoding="utf-8").splitlines())) > GUIDE_LINES:
    broken.append(f"sdk/README.md has {guide} lines, at most {GUIDE_LINES} are wanted: move recipes or what headers say out of it")
print("\n".join(broken) or f"{followed} links of {len(pages)} pages, {lines} lines of docs")
sys.exit(1 if broken or followed < 200 else 0)
