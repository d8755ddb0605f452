#!/usr/bin/env python3
"""stubs.py VERSION OUT FALLBACKS: writes stub libraries to link against in place of this machine's glibc, so that the program runs on glibc VERSION.

The stubs define each symbol of this machine's libc, libm and so on once, with its newest version that is not above VERSION. A program linked
with `-L OUT` therefore needs nothing newer, and the linker names symbols that VERSION lacks. Newer symbols that current headers use anyway are
in the archive FALLBACKS. The stubs contain no code and are never executed.
"""
import re
import subprocess
import sys
from pathlib import Path

# Former libraries of symbols that glibc has since moved into libc, by the start of the name. Others are left out.
MOVED = [("libdl.so.2", r"dl"), ("librt.so.1", r"(aio|lio|mq|shm|timer)_"), ("libutil.so.1", r"(openpty|forkpty|log(in|out|wtmp))"),
         ("libpthread.so.0", r"_*(pthread|sem|mtx|cnd|thrd|tss)_|call_once"), ("libc.so.6", r"__libc_start_main")]


def numbers(version):
    return tuple(int(part) for part in version.split("."))


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def path_of(library):
    return run("gcc", "-print-file-name=" + library).strip()


def symbols_of(library):
    """Symbols that the library exports to programs: {name: {version: (kind, size)}}."""
    text = run("readelf", "--wide", "--dyn-syms", path_of(library))
    found = {}
    for size, kind, name, version in re.findall(
            r"^ *\d+: [0-9a-f]+ +(\d+|0x[0-9a-f]+) (FUNC|IFUNC|OBJECT) +(?:GLOBAL|WEAK) +DEFAULT +\d+ ([\w.]+)@@?GLIBC_([0-9.]+)$", text, re.M):
        found.setdefault(name, {})[numbers(version)] = (kind, int(size, 0))
    return found


def assembly(symbols):
    lines = []
    for name, (_, kind, size) in sorted(symbols.items()):
        is_code = kind in ("FUNC", "IFUNC")
        lines.append(".%s\n.globl %s\n.type %s, %%%s\n.size %s, %d\n%s: .zero %d" % (
            "text" if is_code else "data", name, name, "function" if is_code else "object", name, size, name, 1 if is_code else max(size, 1)))
    return "\n".join(lines) + "\n"


def version_script(symbols):
    nodes = {}
    for name, (version, _, _) in symbols.items():
        nodes.setdefault(version, []).append(name)
    return "".join("GLIBC_%s { global: %s; };\n" % (".".join(map(str, version)), "; ".join(sorted(names)))
                   for version, names in sorted(nodes.items()))


def main():
    loader = re.search(r"\(NEEDED\).*\[(ld-linux.*)\]", run("readelf", "--dynamic", path_of("libc.so.6")))[1]
    libraries = ["libc.so.6", "libm.so.6", loader]
    oldest, out, fallbacks = numbers(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    stubs = {library: {} for library in libraries + [library for library, _ in MOVED]}
    for library in libraries:
        for name, versions in symbols_of(library).items():
            had = [version for version in versions if version <= oldest]
            if not had:
                continue
            to = library
            if library == "libc.so.6" and any(oldest < version <= (2, 34) for version in versions):
                to = next((other for other, pattern in MOVED if re.match(pattern, name)), None)
            if to:
                stubs[to][name] = (max(had), *versions[max(had)])
    for library, symbols in stubs.items():
        stem = out / library
        stem.with_suffix(".s").write_text(assembly(symbols))
        stem.with_suffix(".map").write_text(version_script(symbols))
        subprocess.run(["gcc", "-shared", "-nostdlib", "-Wl,-soname," + library, "-Wl,--version-script", stem.with_suffix(".map"), "-o",
                        stem, stem.with_suffix(".s")], check=True)
        (out / re.sub(r"\.so\.\d+$", ".so", library)).write_text('INPUT("%s")\n' % stem)
    always = [out / "libc.so.6", fallbacks, path_of("libc_nonshared.a")]
    others = [out / library for library in stubs if library not in ("libc.so.6", "libm.so.6")]
    (out / "libc.so").write_text("GROUP(%s AS_NEEDED(%s))\n" % tuple(" ".join('"%s"' % file for file in files) for files in (always, others)))


if __name__ == "__main__":
    main()
