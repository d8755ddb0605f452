#!/usr/bin/env python3
"""wheel.py PREFIX VERSION OUT: a wheel of an installed prefix, with the module of packaging/python beside it.

The program is the wheel's script, and what it looks for beside itself (lib, share, include) is the wheel's data: pip lays them out as
`cmake --install` does, below the environment's own folder, and no line of Python runs between the shell and assay. The same prefix and
SOURCE_DATE_EPOCH give the same bytes. Prints the path of the wheel.
"""
import base64
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

# `pip install --target` leaves out a wheel's data below lib: plugins and the archives of the SDK go where assay.so is, and CMake looks
# into share as well.
MOVED = (("lib/cmake/", "share/cmake/"), ("lib/assay/", "libexec/assay/"), ("lib/", "libexec/assay/"))


def place_of(where, content):
    """Path and content of a file of the prefix in the wheel."""
    if where.startswith("lib/cmake/"):
        content = content.replace(b"${_IMPORT_PREFIX}/lib/", b"${_IMPORT_PREFIX}/libexec/assay/")
    for old, new in MOVED:
        if where.startswith(old):
            return new + where[len(old):], content
    return where, content


def version_key(text):
    return tuple(int(part) for part in text.split("."))


def platform_tag(files):
    """By the newest glibc that any of the programs and libraries asks for; a libstdc++ is among them."""
    text = subprocess.run(["objdump", "-T", *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
    versions = set(re.findall(r"\bGLIBC_([0-9.]+)", text))
    if not versions:
        sys.exit("wheel.py: objdump finds no version of glibc in the programs, so there is no tag to give")
    return "manylinux_%d_%d_%s" % (*max(map(version_key, versions))[:2], platform.machine())


def wheel_version(version):
    """As Python writes versions (PEP 440): 1.0.0-rc1 is 1.0.0rc1."""
    matched = re.fullmatch(r"(\d+(?:\.\d+)*)(?:-(a|b|rc)(\d+))?", version)
    if matched is None:
        sys.exit("wheel.py: '%s' is no version that Python knows; expected such as 1.2.0 or 1.2.0-rc1" % version)
    return matched[1] + (matched[2] or "") + (matched[3] or "")


def metadata(version, readme):
    return """Metadata-Version: 2.1
Name: gpu-assay
Version: %s
Summary: Tells from GPU profiles what limits each run, what differs between runs, and whether the difference is real
License: Apache-2.0
Requires-Python: >=3.8
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Provides-Extra: polars
Requires-Dist: polars; extra == "polars"
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Description-Content-Type: text/markdown

%s""" % (version, readme)


def main():
    prefix, out = Path(sys.argv[1]), Path(sys.argv[3])
    version = wheel_version(sys.argv[2])
    module = Path(__file__).resolve().parent / "python"
    when = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]  # a zip knows no time before 1980
    info, data = "gpu_assay-%s.dist-info" % version, "gpu_assay-%s.data" % version

    entries = {}  # path in the wheel: (bytes, whether it is a program)
    binaries = []
    for path in sorted(prefix.rglob("*")):
        # A zip has no links; those to folders are of the documents alone and lead to what is there anyway.
        if path.is_dir() or (path.is_symlink() and path.resolve().is_dir()):
            continue
        where = path.relative_to(prefix)
        if where == Path("README"):  # of the tarball
            continue
        content = path.read_bytes()
        if content.startswith(b"\x7fELF"):
            binaries.append(path)
        if where.parts[0] == "bin":
            entries["%s/scripts/%s" % (data, where.relative_to("bin"))] = (content, True)
        else:
            place, content = place_of(str(where), content)
            entries["%s/data/%s" % (data, place)] = (content, os.access(path, os.X_OK))
    for path in sorted([*module.rglob("*.py"), *module.rglob("py.typed")]):
        entries[str(path.relative_to(module))] = (path.read_bytes(), False)
    tag = "py3-none-" + platform_tag(binaries)
    page = (Path(__file__).resolve().parent.parent / "docs/outputs.md").read_text(encoding="utf-8")
    readme = re.search(r"^## The Python module\n.*?(?=^## )", page, re.M | re.S).group()
    readme = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", readme)  # its links lead nowhere on the page of an index
    server = json.loads((Path(__file__).resolve().parent.parent / "server.json").read_text(encoding="utf-8"))
    readme += "\n<!-- mcp-name: %s -->\n" % server["name"]  # by which the registry of servers knows whose package this is
    entries[info + "/METADATA"] = (metadata(version, readme).encode(), False)
    entries[info + "/WHEEL"] = (("Wheel-Version: 1.0\nGenerator: assay\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode(), False)
    entries[info + "/LICENSE"] = ((prefix / "share/doc/assay/copyright").read_bytes(), False)

    def digest(content):
        return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record = ["%s,sha256=%s,%d" % (quoted(name), digest(content), len(content)) for name, (content, _) in sorted(entries.items())]
    record.append(info + "/RECORD,,")
    entries[info + "/RECORD"] = (("\n".join(record) + "\n").encode(), False)

    # That pip needs no whole copy in memory to read it, what describes the wheel stands last.
    order = sorted(entries, key=lambda name: (name.startswith(info), name))
    wheel = out / ("gpu_assay-%s-%s.whl" % (version, tag))
    unfinished = wheel.with_name("." + wheel.name + ".tmp")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as to:
        for name in order:
            content, is_program = entries[name]
            entry = zipfile.ZipInfo(name, when)
            entry.create_system = 3
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            to.writestr(entry, content, compresslevel=9)
    os.replace(unfinished, wheel)
    print(wheel)


def quoted(name):
    return '"%s"' % name.replace('"', '""') if "," in name or '"' in name else name


if __name__ == "__main__":
    main()
