#!/usr/bin/env python3
"""relink.py BUILD PREFIX: links anew what `cmake --install` put from BUILD into PREFIX, so that it runs with every glibc from OLDEST on.

No older compiler and no older system is needed: the objects are those of BUILD, and the linker sees stubs of the C library without newer
versions of anything (stubs.py). PREFIX then has bin/assay, which loads libexec/assay/assay.so (launcher.c), the plugins, and in
libexec/assay what a system may lack. Fails where anything asks for more, and says what does. Prints the files of others that went in,
one a line.
"""
import fcntl
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

OLDEST = "2.28"
HERE = Path(__file__).resolve().parent
# What is on every Linux with glibc.
OF_THE_SYSTEM = re.compile(r"ld-linux.*|lib(c|m|pthread|dl|rt|gcc_s|stdc\+\+)\.so\..*")
# What is compiled here for want of an archive, and which archives need others.
COMPILED = {"libspdlog", "libfmt"}
WITH = {"libedit": ["libbsd", "libmd", "libtinfo"]}
FOR_A_LIBRARY = ["--redefine-sym=%s=assay_%s" % (name, name) for name in ("stdin", "stdout", "stderr")]
FOR_A_LIBRARY += ["--wildcard", "--strip-symbol=*@LIBBSD_*"]  # of versions that libbsd.so alone declares
LINK = ["-Wl,--gc-sections", "-Wl,-O1", "-Wl,-z,defs", "-Wl,-s"]


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True).stdout


def is_newer(made, source):
    return made.exists() and made.stat().st_mtime > source.stat().st_mtime


class Parts:
    """What everything is linked with, in a folder of BUILD: made once."""

    def __init__(self, build, compiler):
        self.folder, self.compiler, self.used = build / "portable", compiler, set()
        self.stubs = self.folder / "stubs"
        self.folder.mkdir(exist_ok=True)
        self.lock = open(self.folder / "lock", "w", encoding="utf-8")
        fcntl.flock(self.lock, fcntl.LOCK_EX)  # until this process ends
        run(sys.executable, HERE / "stubs.py", OLDEST, self.stubs, self.compiled("fallbacks.c"))
        self.logging, self.streams = self.compiled("logging.cpp"), self.compiled("streams.c")
        self.libstdcxx = self.folder / "libstdc++.so.6"
        self.link_libstdcxx()

    def compiled(self, source):
        """An archive of a source beside this file."""
        made, whole = self.folder / (source + ".a"), self.folder / (source + ".o")
        if not is_newer(made, HERE / source):
            made.unlink(missing_ok=True)
            language = ["-x", "c", "-std=gnu11"] if source.endswith(".c") else ["-std=c++20"]
            run(self.compiler, *language, "-O2", "-fPIC", "-ffunction-sections", "-fdata-sections", "-c", HERE / source, "-o", whole)
            run("ar", "rcsD", made, whole)
        return made

    def link_libstdcxx(self):
        """The compiler's own, from the objects that Debian keeps for this, and the one object that only the archive for programs has."""
        def of_compiler(name):
            return Path(run(self.compiler, "-print-file-name=" + name).strip())
        objects, versions = of_compiler("libstdc++_pic.a"), of_compiler("libstdc++_pic.map")
        if not objects.is_absolute():
            sys.exit("relink.py: the package libstdc++-%s-pic is needed" % run(self.compiler, "-dumpversion").strip().split(".")[0])
        self.used.add(str(objects))
        run("ar", "x", "--output", self.folder, of_compiler("libstdc++.a"), "compatibility.o")
        run("gcc", "-shared", "-nodefaultlibs", "-L", self.stubs, "-Wl,-soname,libstdc++.so.6", "-Wl,--version-script", versions, *LINK,
            "-o", self.libstdcxx, "-Wl,--whole-archive", objects, "-Wl,--no-whole-archive", self.folder / "compatibility.o",
            "-lm", "-lgcc_s", "-lgcc", "-lc")
        link = self.stubs / "libstdc++.so"
        link.unlink(missing_ok=True)
        link.symlink_to(self.libstdcxx)

    def archives(self, library):
        """What is linked in the place of a shared library of others: archives fit for a library of ours, or itself where it has none."""
        stem = library.name.split(".so")[0]
        if stem in COMPILED:
            self.used.add(str(library))
            return [self.logging]
        words = []
        for name in [stem] + WITH.get(stem, []):
            archive, made = library.with_name(name + ".a"), self.folder / (name + ".a")
            if not archive.exists():
                return [library]
            if not is_newer(made, archive):
                run("objcopy", *FOR_A_LIBRARY, archive, made)
            self.used.add(str(archive))
            words.append(made)
        return words


def link_words(build, target):
    """The words of the command by which BUILD links a target, without what it makes."""
    words = shlex.split(run("ninja", "-C", build, "-t", "commands", "-s", target))
    words = words[words.index("&&") + 1:]
    words = words[:words.index("&&")]
    at = words.index("-o")
    return [word for word in words[:at] + words[at + 2:] if word not in ("-fuse-ld=mold", "-Wl,--undefined-version")]


def link(build, words, to, *more):
    """Relative words are of BUILD."""
    to.parent.mkdir(parents=True, exist_ok=True)
    to.unlink(missing_ok=True)
    subprocess.run([str(word) for word in [*words, *more, *LINK, "-o", to]], check=True, cwd=build)


def link_program(build, parts, prefix):
    folder, words, beside = prefix / "libexec/assay", [], []
    for word in link_words(build, "bin/assay"):
        if not re.fullmatch(r"/.*/lib[^/]*\.so(\.[0-9.]+)?", word):
            words.append(word)
            continue
        taken = parts.archives(Path(word))
        beside += [library for library in taken if ".so" in library.name]
        words += taken
    exported = parts.folder / "program.map"
    exported.write_text("{ global: main; exit; quick_exit; _exit; _Exit; local: *; };\n")
    link(build, words, folder / "assay.so", parts.streams, "-shared", "-L", parts.stubs, "-Wl,--version-script", exported,
         "-Wl,-soname,assay.so", "-Wl,-Bsymbolic", "-Wl,-rpath,$ORIGIN", "-Wl,--disable-new-dtags")
    for library in beside:
        run("cp", "--dereference", library, folder / re.search(r"\(SONAME\).*\[(.*)\]", run("readelf", "-d", library))[1])
        parts.used.add(str(library))
    (folder / "older_systems").mkdir(exist_ok=True)
    run("cp", parts.libstdcxx, folder / "older_systems")
    link(build, ["gcc", "-std=gnu11", "-Os", HERE / "launcher.c"], prefix / "bin/assay", "-L", parts.stubs, "-Wl,--no-as-needed",
         "-lpthread", "-ldl")


def newest(file, kind):
    """The newest version of a kind that a file has to do with; (0,): none."""
    versions = re.findall(r"\b%s_([0-9.]+)\b" % kind, run("objdump", "-T", file))
    return max((tuple(map(int, version.split("."))) for version in versions), default=(0,))


def problems(prefix):
    """What keeps files below PREFIX from running with OLDEST, a sentence each."""
    files = [path for path in prefix.rglob("*") if path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF"]
    beside = {path.name for path in files}
    program = newest(prefix / "libexec/assay/assay.so", "GLIBCXX")
    for path in files:
        name, glibc = path.relative_to(prefix), ".".join(map(str, newest(path, "GLIBC")))
        if newest(path, "GLIBC") > tuple(map(int, OLDEST.split("."))):
            yield "%s asks for GLIBC_%s" % (name, glibc)
        # The system's libstdc++ is taken where it has what the program asks for.
        if newest(path, "GLIBCXX") > program and path.name != "libstdc++.so.6":
            yield "%s asks for a newer GLIBCXX than assay.so" % name
        for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", path)):
            if not OF_THE_SYSTEM.fullmatch(needed) and needed not in beside:
                yield "%s needs %s, which a system may lack" % (name, needed)


def main():
    build, prefix = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    os.environ["LC_ALL"] = "C"
    parts = Parts(build, re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1])
    link_program(build, parts, prefix)
    for plugin in sorted((prefix / "lib/assay/plugins").glob("*.so")):
        link(build, link_words(build, "lib/assay/plugins/" + plugin.name), plugin, "-L", parts.stubs)
    found = sorted(problems(prefix))
    if found:
        sys.exit("relink.py: this does not run with glibc %s:\n  %s" % (OLDEST, "\n  ".join(found)))
    print("\n".join(sorted(parts.used)))


if __name__ == "__main__":
    main()
