#!/usr/bin/env python3
"""site.py ASSAY EXAMPLES RECORDED OUT: the pages of the source tree as a site, by mkdocs, with a gallery of twelve pages that ASSAY makes of the
bundled profiles. It is searched in the browser; no page loads anything from elsewhere. Every link of every page is followed: a dead one, or
a resource of another host, is an error. Links to files that are no pages lead to copies of them, those to folders to a list of their files."""
import concurrent.futures
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

SOURCE = pathlib.Path(__file__).resolve().parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "sdk/*.md", "configs/README.md", "examples/README.md", "examples/*/README.md", "plugins/*/*.md",
         "tests/README.md", "tests/agents/README.md", "bench/README.md", "skills/assay/SKILL.md")
VIT, RQ3 = "rq1_model_architecture_impact/gpu0_numa0_vit16x12x768.sqlite", "rq3_compilation_optimization/gpu0_numa0_vit16x6x384_"
BLOCKS = "rq3_compilation_optimization/nsys_reports/block_*/gpu0_numa0_vit16x6x384_"
# Name, what it shows, files (below EXAMPLES, or with a colon below RECORDED) by the names that the command has, command.
GALLERY = [
    ("training", "A training step that the GPU limits", {"training_step.sqlite": "transformer/small_training_step_ctx512.sqlite"}, "look training_step.sqlite"),
    ("launch_bound", "Inference that waits for launches", {"vit.sqlite": VIT}, "look vit.sqlite"),
    ("graphs", "The same kind of model in CUDA graphs", {"graphs.sqlite": RQ3 + "compiled_reduce-overhead.sqlite"}, "look graphs.sqlite"),
    ("torch", "A trace of the PyTorch profiler", {"vit.pt.trace.json.gz": "torch/vit_eval_fp16.pt.trace.json.gz"}, "look vit.pt.trace.json.gz"),
    ("sweep", "39 models, one row each, to sort and filter", {"sweep": "rq1_model_architecture_impact"}, "look sweep"),
    ("ranges", "Attention with ranges of its own", {"attention.sqlite": "attention/*.sqlite"}, "look attention.sqlite"),
    ("compare", "Two profiles: eager against CUDA graphs", {"eager.sqlite": RQ3 + "uncompiled.sqlite", "graphs.sqlite": RQ3 + "compiled_reduce-overhead.sqlite"},
     "compare eager.sqlite graphs.sqlite"),
    ("repeats", "Repeat runs: five against five, recorded in random blocks", {"eager": ":" + BLOCKS + "uncompiled.sqlite", "compiled": ":" + BLOCKS + "compiled.sqlite"},
     "compare eager compiled"),
    ("best", "Which of many configurations is best", {"tried": "rq5_pipeline_design"}, "compare tried --best"),
    ("whatif", "What removing a cost would gain", {"vit.sqlite": VIT}, "whatif vit.sqlite"),
    ("budget", "What a step consists of, to the nanosecond", {"training_step.sqlite": "transformer/small_training_step_ctx512.sqlite"}, "budget training_step.sqlite"),
    ("study", "Eight questions and 42 claims, judged", {}, "run configs/study.toml --reports examples"),
]
CONFIG = """site_name: assay
docs_dir: pages
site_dir: site
theme: {name: mkdocs, highlightjs: false}
use_directory_urls: false
plugins: [search]
markdown_extensions: [tables, fenced_code, toc, attr_list, md_in_html]
nav:
  - Home: README.md
  - Gallery: gallery/index.md
  - All pages: docs/README.md
"""


def rendered(assay, examples, recorded, out, entry):
    """Makes a page of the gallery; returns its finding."""
    name, _, files, command = entry
    page = out / f"{name}.html"
    with tempfile.TemporaryDirectory() as work:
        for link, pattern in files.items():
            found = sorted((recorded if pattern.startswith(":") else examples).glob(pattern.lstrip(":")))
            if len(found) == 1:
                (pathlib.Path(work) / link).symlink_to(found[0])
                continue
            (pathlib.Path(work) / link).mkdir()
            for number, file in enumerate(found, 1):
                (pathlib.Path(work) / link / f"run{number}.sqlite").symlink_to(file)
        words = command.replace("configs/", f"{SOURCE}/configs/").replace("--reports examples", f"--reports {examples}").split()
        done = subprocess.run([assay, *words, "-o", page], cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"site.py: 'assay {command}' ended with {done.returncode}: {done.stderr}")
    if browser := shutil.which("chromium"):
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,800", "--force-device-scale-factor=0.5",
                        "--virtual-time-budget=8000", f"--screenshot={page.with_suffix('.png')}", page.as_uri()], stderr=subprocess.DEVNULL, check=True)
    return re.sub(r"<[^>]*>", "", re.search(r"<h1[^>]*>(.*?)</h1>", page.read_text(encoding="utf-8"), re.S)[1]).strip()


def gallery(assay, examples, recorded, out):
    out.mkdir(parents=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        findings = list(pool.map(lambda entry: rendered(assay, examples, recorded, out, entry), GALLERY))
    text = "# Gallery\n\nTwelve pages as they come out of the program, made of the profiles in [examples/](../examples/README.md). Each is one file that loads nothing.\n"
    for (name, shows, _, command), finding in zip(GALLERY, findings):
        picture = f"[![{shows}]({name}.png)]({name}.html)\n\n" if (out / f"{name}.png").exists() else ""
        text += f"\n## {shows}\n\n{picture}[{finding}]({name}.html)\n\n    assay {command} -o {name}.html\n"
    (out / "index.md").write_text(text, encoding="utf-8")


def linked(page):
    """Files of the source tree that a page links to, each with the link."""
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        file = link.partition("#")[0]
        if file and not re.match(r"[a-z]+:", link):
            yield link, (page.parent / file).resolve()


def stage(pages):
    """Copies the pages and what they link to."""
    chosen = [page for pattern in PAGES for page in sorted(SOURCE.glob(pattern))]
    for page in chosen:
        text, to = page.read_text(encoding="utf-8"), pages / page.relative_to(SOURCE)
        for link, target in linked(page):
            there = pages / target.relative_to(SOURCE)
            if target.is_dir():
                index = target / "README.md"
                if index in chosen:
                    text = text.replace(f"]({link})", f"]({link.rstrip('/')}/README.md)")
                    continue
                names = sorted(file.relative_to(target) for file in target.rglob("*") if file.is_file())
                there.mkdir(parents=True, exist_ok=True)
                (there / "index.md").write_text(f"# {target.relative_to(SOURCE)}\n\n" + "".join(f"- `{name}`\n" for name in names), encoding="utf-8")
                text = text.replace(f"]({link})", f"]({link.rstrip('/')}/index.md)")
            elif target not in chosen:
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(target, there)
        to.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"^```(\w+) \w+$", r"```\1", text, flags=re.M)  # what tests read there is no fence to mkdocs
        to.write_text(text, encoding="utf-8")


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.resources, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag != "a":
            self.resources += [given[key] for key in ("src", "href", "data", "poster") if given.get(key) and given.get("rel") not in ("canonical",)]


def wrong_links(site):
    """Sentences about dead links and resources of others; how many links were followed."""
    pages = {file: Links(file.read_text(encoding="utf-8")) for file in site.rglob("*.html")}
    wrong, followed = [], 0
    for file, page in pages.items():
        for link in page.links + page.resources:
            parts = urllib.parse.urlsplit(link)
            where = f"{file.relative_to(site)}: {link}"
            if parts.scheme in ("http", "https") or parts.netloc:
                if link in page.resources:
                    wrong.append(f"{where} is loaded from elsewhere")
                continue
            if parts.scheme or parts.fragment.startswith("fact-"):  # rows that the script of a page makes when they are asked for
                continue
            followed += 1
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            if not target.exists() or (parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors):
                wrong.append(f"{where} leads nowhere")
    for style in site.rglob("*.css"):
        wrong += [f"{style.relative_to(site)}: {url} is loaded from elsewhere" for url in re.findall(r"url\([\"']?((?:https?:)?//[^)\"']+)", style.read_text(encoding="utf-8"))]
    return wrong, followed


def main():
    assay, examples, recorded, out = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".site-") as name:
        work = pathlib.Path(name)
        stage(work / "pages")
        gallery(assay, examples, recorded, work / "pages/gallery")
        (work / "mkdocs.yml").write_text(CONFIG, encoding="utf-8")
        subprocess.run(["mkdocs", "build", "--quiet", "--config-file", work / "mkdocs.yml"], check=True)
        (work / "site/404.html").unlink()  # its links begin at the root of a host
        wrong, followed = wrong_links(work / "site")
        if wrong:
            sys.exit("\n".join(wrong))
        shutil.rmtree(out, ignore_errors=True)
        (work / "site").rename(out)
    print(f"{out}: {len(list(out.rglob('*.html')))} pages, {followed} links followed")


main()
