#!/usr/bin/env python3
"""Pages as people see them: pages_test.py ASSAY [--pictures DIR]. Of each page at three widths, light and dark, with all folds
open: axe-core finds nothing (ASSAY_AXE names its file; without it that is not checked, which is said), no text is below 11 px,
nothing is cut or wider than the page, a plot takes half of its column, no answer is shortened. Pages whose profiles are not there
are left out."""
import base64
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser, find_chromium  # noqa: E402

WIDTHS = ((1400, False), (768, True), (360, False))
LEAST_PAGES = 3
LAYOUT = """(() => {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const found = new Set(), width = document.documentElement.clientWidth;
  const seen = (e) => { const box = e.getBoundingClientRect(); return box.width > 0 && box.height > 0; };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim(), of = texts.currentNode.parentElement, svg = of.closest('svg');
    if (!text || !seen(of) || of.closest('title,script,style,.tip')) continue;
    const scale = svg && svg.viewBox.baseVal ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    const size = parseFloat(getComputedStyle(of).fontSize) * scale;
    if (size < 11) found.add('text of ' + size.toFixed(1) + ' px: ' + text.slice(0, 40));
    if (text.includes('\\u2026') && of.closest('h1,.lede,.try')) found.add('shortened: ' + text.slice(0, 80));
  }
  if (document.documentElement.scrollWidth > width + 1) found.add('wider than the page by ' + (document.documentElement.scrollWidth - width));
  for (const svg of document.querySelectorAll('figure svg')) {
    const area = (svg.closest('.lane') || svg).getBoundingClientRect().width, column = svg.closest('figure').getBoundingClientRect().width;
    if (seen(svg) && area < column / 2) found.add('a plot of ' + Math.round(area) + ' in ' + Math.round(column));
  }
  for (const e of document.querySelectorAll('td,th,p,li,h1,h2,summary b,summary span,.lab')) {
    if (seen(e) && !e.closest('.scroll') && e.getBoundingClientRect().right > width + 1) found.add('cut: ' + e.textContent.slice(0, 50));
  }
  return [...found].slice(0, 10);
})()"""
AXE = """axe.run(document, {resultTypes: ['violations']}).then((all) => all.violations.map(
  (one) => 'axe ' + one.id + ': ' + one.nodes[0].html.slice(0, 120)))"""


def pages(data, examples):
    """Name, words of the command."""
    both = lambda name, a, b: (name, ["compare", a, b])
    yield "look", ["look", data / "step/nsys/step_base_block1.sqlite"]
    yield "look_torch", ["look", data / "step/torch/gpubound_base.pt.trace.json.gz"]
    yield "look_sweep", ["look", examples / "rq1_model_architecture_impact"]
    yield "look_server", ["look", data / "serve/graph_level"]
    yield "look_pipeline", ["look", *[data / f"parallel/pp_slow2_rank{r}.pt.trace.json.gz" for r in range(4)]]
    yield "look_experts", ["look", *[data / f"parallel/moe_hot_rank{r}.pt.trace.json.gz" for r in range(4)]]
    yield "look_memory", ["look", data / "memory/leak.pickle"]
    yield "look_attention", ["look", examples / "attention"]
    yield both("compare", data / "step/nsys/gpubound_base_block1.sqlite", data / "step/nsys/gpubound_flash_block1.sqlite")
    yield both("compare_null", data / "step/nsys/gpubound_nosync_block1.sqlite", data / "step/nsys/gpubound_nosync_block2.sqlite")
    yield both("compare_memory", data / "memory/base.pickle", data / "memory/leak.pickle")
    yield "best", ["compare", "--best", examples / "transformer"]


def problems_of(browser, url, axe):
    for width, dark in WIDTHS:
        browser.look(width, dark=dark)
        browser.open(url)
        found = browser.run(LAYOUT)
        if axe:
            browser.run(axe + ";1")
            found += browser.run(AXE)
        for problem in found + browser.errors:
            yield f"{width} px{', dark' if dark else ''}: {problem}"
        browser.errors.clear()


def picture(browser, url, file, width):
    browser.look(width)
    browser.open(url)
    size = browser.call("Page.getLayoutMetrics")["cssContentSize"]
    shown = browser.call("Page.captureScreenshot", format="webp", quality=55, captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": width, "height": min(size["height"], 1500), "scale": 1})
    file.write_bytes(base64.b64decode(shown["data"]))


def main():
    chromium, axe = find_chromium(), os.environ.get("ASSAY_AXE", "")
    if not chromium:
        print("skipped: there is no Chromium")
        return 77
    if not axe:
        print("note: ASSAY_AXE is not set, so axe-core is not asked")
    data, examples = (Path(os.environ.get(name, "/nowhere")) for name in ("ASSAY_DATA", "ASSAY_EXAMPLES"))
    pictures = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    made = failures = 0
    browser = Browser(chromium)
    with tempfile.TemporaryDirectory() as folder:
        for name, words in pages(data, examples):
            if not all(Path(word).exists() for word in words if isinstance(word, Path)):
                continue
            file = Path(folder) / f"{name}.html"
            subprocess.run([sys.argv[1], *map(str, words), "-o", file], check=True, stdout=subprocess.DEVNULL)
            made += 1
            for problem in problems_of(browser, file.as_uri(), Path(axe).read_text() if axe else ""):
                failures += 1
                print(f"{name}: {problem}")
            for width in (1400, 360) if pictures else ():
                picture(browser, file.as_uri(), pictures / f"{name}_{width}.webp", width)
    browser.close()
    print(f"{made} pages, {failures} problems")
    return 1 if failures or made < LEAST_PAGES else 0


sys.exit(main())
