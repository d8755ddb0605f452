"""Opens report.html of the example study in headless Chromium: usage: report_html_test.py ASSAY CONFIG OUTPUT_FOLDER.

Exit code 77: skipped, with the reason. Screenshots and a PDF stay in OUTPUT_FOLDER."""
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from browser import Browser, find_chromium

ASSAY, CONFIG, OUT = sys.argv[1:4]
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def skip(reason):
    print("SKIPPED: " + reason)
    sys.exit(77)


def make_report(folder, *arguments):
    subprocess.run([ASSAY, "run", CONFIG, "--quiet", "-o", folder, *arguments], check=True)
    return os.path.join(folder, "report.html")


class ReportInBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = os.path.join(OUT, "results")
        cls.file = make_report(cls.folder, "--reports", EXAMPLES)
        cls.results = sqlite3.connect(os.path.join(cls.folder, "results.sqlite"))
        cls.browser = Browser(CHROMIUM)
        cls.seconds = cls.browser.open("file://" + cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        size = os.path.getsize(cls.file)
        print(f"report.html: {size / 1e6:.2f} MB, load event after {cls.seconds:.2f} s")

    def page(self, expression):
        return self.browser.run(expression)

    def count(self, selector):
        return self.page(f"document.querySelectorAll({json.dumps(selector)}).length")

    def test_no_error_and_no_request_but_the_file(self):
        self.assertEqual(self.browser.errors, [])
        self.assertEqual(self.browser.console, [])
        fetched = {url for url in self.browser.requests if not url.startswith(("file://" + self.file, "data:", "about:"))}
        self.assertEqual(fetched, set())

    def test_every_question_answer_and_claim_is_there(self):
        for question, title in self.results.execute("SELECT question, title FROM questions"):
            self.assertIn(title, self.page("document.body.textContent"), question)
        answers = self.results.execute("SELECT title FROM findings WHERE role = 'answer'").fetchall()
        self.assertGreater(len(answers), 0)
        # Read back from the titles that stand in the place of the ids of metrics.
        shown = self.page("Array.from(document.querySelectorAll('.answer .said')).map(p => { const q = p.cloneNode(true);"
                          " q.querySelectorAll('abbr:not(.term)').forEach(a => { a.textContent = a.title.split(':')[0]; });"
                          " return q.textContent.replaceAll('\u00d7\u00a0', '\u00d7 ').replaceAll(' \u2192 ', ' -> '); })")
        self.assertGreater(self.page("document.querySelectorAll('.answer .said abbr').length"), 0)
        self.assertEqual(sorted(shown), sorted(title for (title,) in answers))
        claims = self.results.execute("SELECT verdict FROM claims").fetchall()
        chips = self.page("Array.from(document.querySelectorAll('section.question table.claims td:first-child .chip'))"
                          ".map(c => c.className.replace('chip ', ''))")
        self.assertGreater(len(claims), 0)
        self.assertEqual(sorted(chips), sorted(verdict for (verdict,) in claims))

    def test_plots_have_the_marks_of_their_files_with_tooltips(self):
        plots = self.page("Array.from(document.querySelectorAll('figure.plot')).map(f => f.id)")
        self.assertGreaterEqual(len(plots), 7)
        files = {name.removesuffix(".svg"): os.path.join(self.folder, "plots", name) for name in os.listdir(os.path.join(self.folder, "plots"))}
        for plot in plots:
            with open(files[plot.removeprefix("plot-")], encoding="utf-8") as file:
                marks = len(re.findall(r"<(?:circle|path|rect)[^>]*><title>", file.read()))
            shown = self.count(f"#{plot} .canvas svg :is(circle, path, rect) > title")
            self.assertGreater(shown, 0, plot)
            self.assertEqual(shown, marks, plot)

    def test_axes_of_numbers_say_their_unit(self):
        plots = self.page("Array.from(document.querySelectorAll('figure.plot svg:has(.grid)')).map(s => ['.axis', '.tick'].map("
                          "c => Array.from(s.querySelectorAll('text' + c)).map(t => t.textContent)))")
        self.assertGreaterEqual(len(plots), 7)
        for axes, ticks in plots:
            self.assertGreaterEqual(len(axes), 2)
            named = any(re.search(r"\(.+\)$", axis) or axis in UNITLESS for axis in axes)
            self.assertTrue(named or any(tick.endswith(" %") for tick in ticks), axes)

    def test_first_screen_answers_in_ten_seconds(self):
        """Title, what was asked, what came out, how sure, one figure and all verdicts within 1400 x 900; few words in all."""
        self.browser.look(1400)
        lowest = self.page("Math.max(...Array.from(document.querySelectorAll('#answers h1, #answers dd, #answers .chip, "
                           "#answers figure')).map(e => e.getBoundingClientRect().bottom + scrollY))")
        self.assertLessEqual(lowest, 900)
        for part in ("h1", "dt", "dd", "figure svg", ".chip"):
            self.assertGreater(self.count("#answers " + part), 0, part)
        with Browser(CHROMIUM) as browser:
            browser.open("file://" + self.file)
            words = browser.run("document.body.innerText.split(/\\s+/).filter(Boolean).length")
        self.assertLessEqual(words, 1800)
        self.browser.look(1280)

    def test_sorting(self):
        """By the keyboard, along the first column of numbers of a table of an analyzer."""
        self.page("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.page("window.sorted = document.querySelector('table.data[id^=table-]:has(tbody tr:nth-child(5) td.num)')")
        self.page("window.column = Array.from(sorted.tHead.rows[0].cells).findIndex(th => th.classList.contains('num'))")
        cells = "Array.from(sorted.tBodies[0].rows).map(r => r.cells[column].textContent)"
        # With those rows that are added when somebody asks for them: sorting is over all.
        before = self.page(cells + ".concat((sorted.dataset.rest ? JSON.parse(document.getElementById("
                                   "sorted.dataset.rest).textContent) : []).map(row => row[column]))")
        self.page("sorted.tHead.rows[0].cells[column].querySelector('button').focus()")
        self.browser.press("Enter", text="\r")
        direction = "sorted.tHead.rows[0].cells[column].getAttribute('aria-sort')"
        self.assertEqual(self.page(direction), "ascending")
        up = self.page(cells)
        self.assertCountEqual(up, before)
        numbers = [float(text) for text in up if text]
        self.assertGreater(len(set(numbers)), 1)
        self.assertEqual(numbers, sorted(numbers))
        self.browser.press("Enter", text="\r")
        self.assertEqual(self.page(direction), "descending")
        self.assertEqual([float(text) for text in self.page(cells) if text], numbers[::-1])

    def test_filtering(self):
        result = self.page("""(() => {
          const input = document.querySelector('.question .tools input[type=search]');
          let box = input.closest('.tools').nextElementSibling;
          const rows = Array.from(box.querySelector('table').tBodies[0].rows);
          const word = rows[rows.length - 1].cells[0].textContent.trim().toLowerCase();
          input.value = word;
          input.dispatchEvent(new Event('input'));
          const all = Array.from(box.querySelector('table').tBodies[0].rows);
          const out = [word, all.filter(r => !r.hidden).map(r => r.textContent.toLowerCase()), all.length];
          input.value = '';
          input.dispatchEvent(new Event('input'));
          return out.concat([all.filter(r => r.hidden).length]);
        })()""")
        word, shown, everything, hidden_after = result
        self.assertGreater(len(shown), 0)
        self.assertLess(len(shown), everything)
        for text in shown:
            for part in word.split():
                self.assertIn(part, text)
        self.assertEqual(hidden_after, 0)

    def test_findings_lead_to_their_facts(self):
        rows = self.results.execute("SELECT count(*) FROM facts").fetchone()[0]
        self.page("location.hash = '#fact-7'")
        self.page("assayReport.withFacts(() => true)")
        self.page("new Promise(r => setTimeout(r, 200))")
        found = self.page("Array.from(document.querySelector('#facts-table tr.found').cells).map(c => c.textContent)")
        report = "" if found[1] == "(the study)" else found[1]
        known = self.results.execute("SELECT value FROM facts WHERE report = ? AND metric = ? AND dims = ?",
                                     (report, found[2], found[3].replace("; ", ";"))).fetchone()
        self.assertAlmostEqual(float(found[4]) / known[0], 1, 6)
        held = int(self.page("document.getElementById('facts-count').textContent").split(" of ")[1].split()[0])
        self.assertLess(held, rows, "the page has the facts that something links to, the files have all")
        opened = self.page("""(() => {
          const link = document.querySelector('.answer a[data-facts], li a[data-facts]');
          link.click();
          const box = link.parentNode.nextElementSibling || link.closest('li').nextElementSibling;
          return [link.textContent, document.querySelectorAll('.evidence tbody tr').length];
        })()""")
        self.assertEqual(int(opened[0].split()[0]), opened[1])

    def test_screen_readers_find_their_way(self):
        self.assertEqual(self.page("document.documentElement.lang"), "en")
        for landmark in ("main", "nav[aria-label]", "section[aria-labelledby]"):
            self.assertGreater(self.count(landmark), 0, landmark)
        self.assertEqual(self.count("table:not(:has(caption))"), 0)
        self.assertEqual(self.count(".canvas svg:not(:has(> desc))"), 0)
        self.assertEqual(self.count("h1"), 1)
        unnamed = self.page("Array.from(document.querySelectorAll('input, button, a[href]')).filter("
                            "e => !(e.textContent.trim() || e.getAttribute('aria-label'))).length")
        self.assertEqual(unnamed, 0)
        doubled = self.page("(() => { const ids = Array.from(document.querySelectorAll('[id]')).map(e => e.id);"
                            "return ids.filter((id, i) => ids.indexOf(id) !== i); })()")
        self.assertEqual(doubled, [])

    def test_nothing_is_wider_than_the_window(self):
        for width in (1400, 390):
            self.browser.look(width)
            self.page("new Promise(r => setTimeout(r, 500))")
            self.assertLessEqual(self.page("document.documentElement.scrollWidth"), width)
        self.browser.look(1280)

    def test_z_screenshots(self):
        with Browser(CHROMIUM) as browser:
            for width, dark in ((1400, False), (1400, True), (390, False), (390, True)):
                browser.look(width, dark=dark)
                browser.open("file://" + self.file)
                name = os.path.join(OUT, f"report_{width}_{'dark' if dark else 'light'}.png")
                browser.screenshot(name)
                self.assertGreater(os.path.getsize(name), 20000)
            browser.print_to_pdf(os.path.join(OUT, "report.pdf"))

    def test_reads_without_javascript(self):
        with Browser(CHROMIUM, javascript=False) as browser:
            browser.open("file://" + self.file)
            root = browser.call("DOM.getDocument", depth=0)["root"]["nodeId"]
            for selector in (".answer .said", "table.claims tbody tr", ".canvas svg", "table.data tbody tr"):
                found = browser.call("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"]
                self.assertGreater(len(found), 0, selector)
            browser.screenshot(os.path.join(OUT, "report_without_javascript.png"))


class Accessibility(unittest.TestCase):
    """axe-core over the whole page, all that is folded opened. ASSAY_AXE names axe.min.js (`npm pack axe-core`)."""

    def test_axe_finds_nothing(self):
        script = os.environ.get("ASSAY_AXE", "")
        if not os.path.isfile(script):
            self.skipTest("SKIPPED: ASSAY_AXE names no axe.min.js; `npm pack axe-core` brings it")
        with open(script, encoding="utf-8") as source:
            axe = source.read()
        file = os.path.join(OUT, "axe")
        file = make_report(file, "--reports", EXAMPLES)
        for width, dark, unfolded in ((1400, False, True), (1400, True, True), (390, False, True), (390, True, True),
                                      (390, False, False)):
            with self.subTest(width=width, dark=dark, unfolded=unfolded), Browser(CHROMIUM) as browser:
                browser.look(width, dark=dark)
                browser.open("file://" + file)
                if unfolded:
                    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
                browser.call("Runtime.evaluate", expression=axe)
                found = browser.run("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => "
                                    "[v.id, v.help, v.nodes.map(n => n.target.join(' '))]))")
                self.assertEqual(found, [])


class HostileNames(unittest.TestCase):
    def test_names_of_reports_are_text(self):
        with tempfile.TemporaryDirectory() as folder:
            source, other = [os.path.join(at, name) for at, _, names in sorted(os.walk(EXAMPLES)) for name in sorted(names)
                             if name.endswith(".sqlite")][:2]
            # Where no name at all fits, nothing is read.
            os.symlink(os.path.abspath(other), os.path.join(folder, "gpu0_numa0_vit16x6x384.sqlite"))
            names = [HOSTILE.replace("/", "%2f"), "<script>alert(1)<", "'\"&amp;&lt;", "ünï\u202e", b"\xff\xfe<b>"]
            for name in names:
                path = os.path.join(os.fsencode(folder), os.fsencode(name) + b".sqlite")
                os.symlink(os.fsencode(os.path.abspath(source)), path)
            out = os.path.join(OUT, "hostile")
            file = make_report(out, "--reports", folder)
            with Browser(CHROMIUM) as browser:
                browser.open("file://" + file)
                self.assertEqual(browser.errors, [])
                self.assertEqual(browser.run("document.querySelectorAll('script:not([type])').length"), 1)
                self.assertEqual(browser.run("document.querySelectorAll('img, main b').length"), 0)
                self.assertIn("alert(1)", browser.run("document.body.textContent"))
                # What would run if escaping failed does not: the policy names the one script.
                browser.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran=1\">')")
                browser.run("new Promise(r => setTimeout(r, 100))")
                self.assertEqual(browser.run("window.ran === undefined"), True)


UNITLESS = {"px"}

if __name__ == "__main__":
    CHROMIUM = find_chromium()
    if CHROMIUM is None:
        skip("no chromium; the package 'chromium' brings it")
    EXAMPLES = os.environ.get("ASSAY_EXAMPLES", "")
    if not os.path.isdir(EXAMPLES):
        skip("ASSAY_EXAMPLES does not name the folder of the example reports")
    os.makedirs(OUT, exist_ok=True)
    OUT = os.path.abspath(OUT)
    unittest.main(argv=sys.argv[:1], verbosity=2)
