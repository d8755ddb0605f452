#!/usr/bin/env python3
"""packages.py DIST [TESTS]: what `./dev dist` made, each way of installing tried from nothing to a first answer, which must be the same.

The wheel goes into a fresh environment of each Python that is here, without an index. Prints how long each took. Where an environment
cannot be made, that test is skipped with a note.
"""
import hashlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
DIST = Path(sys.argv[1] if len(sys.argv) > 1 else SOURCE / "dist").resolve()
TARBALL, WHEEL = (max(DIST.glob(p), key=lambda path: path.stat().st_mtime, default=None) for p in ("*.tar.xz", "*.whl"))
TOOK, ANSWERS = {}, {}


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more).stdout


def has_pip(python):
    """Whether it brings pip into an environment by itself; Debian's does with python3-venv alone."""
    return subprocess.run([python, "-c", "import ensurepip"], capture_output=True).returncode == 0


def outer_pip():
    """A pip outside of an environment that installs into one (--python, since 22.3); empty: none."""
    for words in (["pip"], ["pip3"], ["/usr/bin/pip3"]):
        try:
            found = re.match(r"pip (\d+)\.(\d+)", run(*words, "--version"))
        except (OSError, subprocess.CalledProcessError):
            continue
        if found and (int(found[1]), int(found[2])) >= (22, 3):
            return words
    return []


def make_environment(python, folder):
    """An empty environment, and the words that run pip for it."""
    if has_pip(python):
        run(python, "-m", "venv", folder)
        return [folder / "bin/pip"]
    run(python, "-m", "venv", "--without-pip", folder)
    return outer_pip() + ["--python", folder / "bin/python"]


def pythons():
    """Every Python here that can have an environment, by version, the oldest first; none older than Ubuntu 22.04's, whose pip knows the
    wheel's tag."""
    found = {}
    for folder in os.environ["PATH"].split(":") + [str(p / "bin") for p in Path.home().glob(".pyenv/versions/*")]:
        for path in Path(folder).glob("python3*"):
            if re.fullmatch(r"python3(\.\d+)?", path.name):
                done = subprocess.run([path, "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True)
                if done.returncode == 0 and (has_pip(path) or outer_pip()):
                    found.setdefault(tuple(map(int, done.stdout.split("."))), path)
    return [found[version] for version in sorted(found) if version >= (3, 10)]


def example():
    """The smallest of the bundled profiles."""
    archive = SOURCE / "examples/vit_h200_excerpt.tar.xz"
    names = run("tar", "-tJf", archive).split()
    return archive, min((n for n in names if n.endswith(".sqlite")), key=len)


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.kept.name)
        archive, name = example()
        run("tar", "-C", cls.folder, "-xJf", archive, name)
        cls.profile = cls.folder / name
        os.environ["XDG_CACHE_HOME"] = str(cls.folder / "cache")

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()
        for way, seconds in TOOK.items():
            print("%-24s %5.1f s from nothing to a first answer" % (way, seconds))

    def first_answer(self, way, begin, program):
        """`look` on a profile: the same text by every way."""
        page = run(program, "look", self.profile, cwd=self.folder)
        TOOK[way] = time.monotonic() - begin
        ANSWERS[way] = page
        self.assertEqual(page, next(iter(ANSWERS.values())), way)
        self.assertIn(self.version(), run(program, "--version"))

    @staticmethod
    def version():
        return re.fullmatch(r"assay-(.*)-linux-.*\.tar\.xz", TARBALL.name)[1]

    def test_one_version_in_all_names(self):
        version = self.version()
        self.assertEqual(WHEEL.name.split("-")[1], version.replace("-", ""))

    def test_tarball(self):
        begin = time.monotonic()
        run("tar", "-C", self.folder, "-xJf", TARBALL)
        self.first_answer("tarball", begin, self.folder / TARBALL.name[:-7] / "bin/assay")
        for file in (TARBALL, WHEEL):
            self.assertIn(hashlib.sha256(file.read_bytes()).hexdigest(), Path(str(file) + ".sha256").read_text())

    def test_wheel_in_fresh_environments(self):
        found = pythons()
        if not found:
            self.skipTest("no Python here can make an environment (python3-venv): the wheel is not tried")
        for python in {found[0], found[-1]}:
            way = "wheel, " + run(python, "--version").strip()
            environment = self.folder / way.replace(" ", "-")
            begin = time.monotonic()
            pip = make_environment(python, environment)
            run(*pip, "install", "--quiet", "--no-index", "--disable-pip-version-check", WHEEL)
            self.first_answer(way, begin, environment / "bin/assay")
            plugins = run(environment / "bin/assay", "plugins", env={"PATH": "/usr/bin"})
            self.assertIn(str(environment / "libexec/assay/plugins"), plugins)
            script = "import assay, sys; print(assay.program()); print(len(str(assay.look(sys.argv[1])))); print(assay.query(sys.argv[1], 'SELECT count(*) AS n FROM kernels'))"
            said = run(environment / "bin/python", "-c", script, self.profile).splitlines()
            self.assertEqual(said[0], str(environment / "bin/assay"))
            self.assertGreater(int(said[1]), 500)
            self.assertRegex(said[2], r"\[\{'n': \d+\}\]")
            self.numbers_from(environment / "bin/python")
            run(*pip, "uninstall", "--yes", "--quiet", "gpu-assay")
            self.assertFalse((environment / "bin/assay").exists())
            left = [p for place in ("share/assay", "share/cmake", "share/doc/assay", "lib/assay", "libexec/assay", "include/assay") for p in (environment / place).rglob("*") if p.is_file()]
            self.assertEqual(left, [], "nothing stays behind but empty folders")

    def numbers_from(self, python):
        """What the module answers in numbers, held against SQLite."""
        script = "import assay, json, sys; p = sys.argv[1]; print(json.dumps([assay.stats(p, 'cuda_gpu_kern_sum'), assay.look(p).tables['top_kernels'], assay.budget(p), assay.whatif(p), assay.files(p), assay.init(p, out=sys.argv[2])]))"
        stats, kernels, budget, gains, files, labels = json.loads(run(python, "-W", "ignore", "-c", script, self.profile, self.folder / (python.parts[-3] + ".toml")))
        with sqlite3.connect(self.profile) as database:
            count, total = database.execute("SELECT count(*), sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()
        self.assertEqual(sum(row["Total Time (ns)"] for row in stats), total)
        self.assertEqual(files[0]["rows.kernels"], count)
        self.assertTrue(all(0 < row["Total Time"] <= total for row in kernels))
        self.assertGreater(sum(row["wall_ns"] for row in budget), 0)
        self.assertTrue(all(row["before_ns"] - row["after_ns"] == row["gain_ns"] for row in gains))
        self.assertIsInstance(labels, list)

    def test_wheel_outside_an_environment(self):
        found = pythons()
        if not found:
            self.skipTest("no Python with pip")
        to = self.folder / "a folder"
        if not has_pip(found[-1]):
            self.skipTest("no Python with a pip of its own")
        run(found[-1], "-m", "venv", self.folder / "tool")
        run(self.folder / "tool/bin/pip", "install", "--quiet", "--no-index", "--target", to, WHEEL)
        script = "import assay; print(assay.program()); print(assay.version())"
        said = run(self.folder / "tool/bin/python", "-c", script, env={"PYTHONPATH": str(to), "PATH": "/usr/bin"}).splitlines()
        self.assertEqual(said[0], str(to / "bin/assay"))
        self.assertIn("run_summary", run(to / "bin/assay", "plugins"))
        self.assertIn("kernels", run(to / "bin/assay", "look", self.profile))
        self.assertEqual([p.name for p in to.rglob("assay_sdkConfig.cmake")], ["assay_sdkConfig.cmake"])
        self.assertFalse([n for n in zipfile.ZipFile(WHEEL).namelist() if ".data/data/lib/" in n], "which pip would drop")

    def test_wheel_is_what_its_record_says_and_the_same_again(self):
        with zipfile.ZipFile(WHEEL) as wheel:
            names = wheel.namelist()
            record = next(n for n in names if n.endswith("/RECORD"))
            lines = wheel.read(record).decode().splitlines()
            self.assertEqual(sorted(line.rsplit(",", 2)[0].strip('"') for line in lines), sorted(names))
            for line in lines:
                name, digest, size = line.rsplit(",", 2)
                if digest:
                    import base64
                    content = wheel.read(name.strip('"'))
                    self.assertEqual(digest, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode())
                    self.assertEqual(int(size), len(content))
            told = wheel.read(next(n for n in names if n.endswith("/METADATA"))).decode()
            self.assertRegex(told, r"(?m)^Name: gpu-assay$")
            self.assertEqual(re.findall(r"\]\((?!https?:)", told), [], "links that lead nowhere on the page of an index")
            self.assertIn("<!-- mcp-name: %s -->" % json.loads((SOURCE / "server.json").read_text())["name"], told)
            self.assertIn("assay/py.typed", names)
            times = {i.date_time for i in wheel.infolist()}
            self.assertEqual(len(times), 1)
            program = next(i for i in wheel.infolist() if i.filename.endswith("scripts/assay"))
            self.assertTrue(program.external_attr >> 16 & 0o111)
        with tempfile.TemporaryDirectory() as again:
            run("tar", "-C", again, "-xJf", TARBALL)
            epoch = run("stat", "-c", "%Y", Path(again) / TARBALL.name[:-7] / "bin/assay").strip()
            os.utime(Path(again) / TARBALL.name[:-7] / "bin/assay")  # times of files do not count
            made = run(SOURCE / "packaging/wheel.py", Path(again) / TARBALL.name[:-7], self.version(), again, env=os.environ | {"SOURCE_DATE_EPOCH": epoch}).strip()
            self.assertEqual(Path(made).read_bytes(), WHEEL.read_bytes())

    def test_both_run_with_glibc_2_28(self):
        with tempfile.TemporaryDirectory() as folder:
            run("tar", "-C", folder, "-xJf", TARBALL)
            files = [f for f in Path(folder).rglob("*") if f.is_file() and f.read_bytes()[:4] == b"\x7fELF"]
            self.assertGreater(len(files), 30)
            text = run("readelf", "--version-info", "--wide", *files)
        newest = max(tuple(map(int, v.split("."))) for v in re.findall(r"Name: GLIBC_([0-9.]+)", text))
        self.assertLessEqual(newest, (2, 28))
        self.assertIn("-manylinux_2_28_", WHEEL.name)

    def test_every_library_has_its_licence(self):
        with tempfile.TemporaryDirectory() as folder:
            run("tar", "-C", folder, "-xJf", TARBALL)
            root = Path(folder) / TARBALL.name[:-7]
            licences = {p.name: p for p in (root / "share/doc/assay/libraries").iterdir()}
            for licence in licences.values():
                self.assertRegex(licence.read_text(errors="replace"), r"(?i)licen[cs]e|copyright")
            for part in ("libsqlite3", "libedit", "libbsd", "libncurses", "zlib", "libdeflate", "libxxhash", "libcsv", "libspdlog", "libfmt", "libsimdjson", "libstdc++"):
                self.assertTrue(any(name.startswith(part) for name in licences), part)
            # What the program and its plugins ask for stands beside them, or is the C library's or the compiler's.
            files = [root / "bin/assay", *root.glob("lib/assay/plugins/*.so"), *root.glob("libexec/assay/*.so*")]
            needed = set(re.findall(r"\(NEEDED\)\s+Shared library: \[(.*?)\]", run("readelf", "-d", *files)))
            foreign = {n for n in needed if not re.match(r"(ld-linux|lib(c|m|gcc_s|stdc\+\+|dl|rt|pthread)\.so)", n)}
            self.assertEqual(foreign, {"libsimdjson.so.14"})
            self.assertTrue((root / "libexec/assay/libsimdjson.so.14").exists())


if __name__ == "__main__":
    if TARBALL is None or WHEEL is None:
        print("SKIPPED: there is no tarball or no wheel in %s; ./dev dist makes them" % DIST)
        sys.exit(77)
    if sys.argv[2:] and not pythons():
        print("SKIPPED: no Python here can make an environment (apt install python3-venv, or python3-pip)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
