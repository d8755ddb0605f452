#!/usr/bin/env python3
"""sbom.py PREFIX VERSION: the bill of materials of an installed prefix as SPDX 2.3 in JSON, on standard output.

It names assay, every library that stands beside it, and what was compiled into it, each with the version of the Debian package that it
comes from. Copies the copyright files of those packages to PREFIX/share/doc/assay/libraries, one a package, and fails if one is not to
be had: nothing is shipped without its licence. The same prefix and SOURCE_DATE_EPOCH give the same bytes.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

# What is compiled into the program and its plugins, by package: no file of the prefix names them.
COMPILED_IN = ["libboost-dev", "libcli11-dev", "libcsv-dev", "libsimdjson-dev", "libtomlplusplus-dev", "nlohmann-json3-dev"]


def query(*words):
    done = subprocess.run(["dpkg-query", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def package_of(library):
    """The package that installed a library of this name: 'libfmt9' for libfmt.so.9."""
    found = [line.split(":")[0] for line in query("-S", "*/" + library.name).splitlines()]
    return found[0] if found else None


class Package:
    def __init__(self, name):
        self.name = name
        fields = query("-W", "-f", "${Version}\t${Architecture}\t${source:Package}\n", name).splitlines()
        if not fields:
            sys.exit("sbom.py: dpkg does not know the package '%s'; its version and licence are needed" % name)
        self.version, self.architecture, self.source = fields[0].split("\t")
        self.copyright = Path("/usr/share/doc") / name / "copyright"
        if not self.copyright.is_file():
            sys.exit("sbom.py: '%s' is missing; what is shipped needs its licence beside it" % self.copyright)
        self.files = []

    def licences(self):
        """The short names in a copyright file of the machine-readable kind; empty for another."""
        text = self.copyright.read_text(encoding="utf-8", errors="replace")
        return sorted({line.split(":", 1)[1].strip() for line in text.splitlines() if re.match(r"License: \S", line)})

    def url(self):
        return "pkg:deb/debian/%s@%s?arch=%s" % (self.name, self.version.replace("+", "%2B").replace("~", "~").replace(":", "%3A"), self.architecture)


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def checksums(path):
    content = path.read_bytes()
    return [{"algorithm": name, "checksumValue": hashlib.new(name.lower(), content).hexdigest()} for name in ("SHA1", "SHA256")]


def main():
    prefix, version = Path(sys.argv[1]), sys.argv[2]
    licences = prefix / "share/doc/assay/libraries"
    licences.mkdir(parents=True, exist_ok=True)
    packages = {}
    for library in sorted((prefix / "lib/assay/libraries").glob("*.so*")):
        name = package_of(library)
        if name is None:
            sys.exit("sbom.py: no package is known to have installed '%s'; its licence is needed" % library.name)
        packages.setdefault(name, Package(name)).files.append(library)
    bundled = set(packages)
    for name in COMPILED_IN:
        packages.setdefault(name, Package(name))
    for package in packages.values():
        (licences / package.name).write_bytes(package.copyright.read_bytes())

    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    program = checksums(prefix / "bin/assay")
    root = identifier("assay")
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "assay-" + version,
        # Unique to what is described, and an address of nothing.
        "documentNamespace": "urn:assay:spdx:%s:%s" % (version, program[1]["checksumValue"]),
        "creationInfo": {"created": created, "creators": ["Tool: assay packaging/sbom.py"]},
        "documentDescribes": [root],
        "packages": [{"SPDXID": root, "name": "assay", "versionInfo": version, "supplier": "NOASSERTION", "downloadLocation": "NOASSERTION",
                      "filesAnalyzed": False, "primaryPackagePurpose": "APPLICATION", "licenseConcluded": "Apache-2.0",
                      "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION"}],
        "files": [{"SPDXID": identifier("bin/assay"), "fileName": "./bin/assay", "checksums": program, "licenseConcluded": "Apache-2.0",
                   "copyrightText": "NOASSERTION"}],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": root},
                          {"spdxElementId": root, "relationshipType": "CONTAINS", "relatedSpdxElement": identifier("bin/assay")}],
    }
    for name in sorted(packages):
        package = packages[name]
        named = package.licences()
        comment = "Licences by Debian's copyright file (share/doc/assay/libraries/%s): %s" % (name, ", ".join(named) if named else "see there")
        document["packages"].append({
            "SPDXID": identifier("package-" + name), "name": name, "versionInfo": package.version, "supplier": "Organization: Debian",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "sourceInfo": "built from the Debian source package " + package.source,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "licenseComments": comment, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": package.url()}]})
        # A library beside the program is linked when it starts; the others are part of its own code.
        kind = "DYNAMIC_LINK" if name in bundled else "STATIC_LINK"
        document["relationships"].append({"spdxElementId": root, "relationshipType": kind, "relatedSpdxElement": identifier("package-" + name)})
        for file in package.files:
            where = "./" + str(file.relative_to(prefix))
            document["files"].append({"SPDXID": identifier(where[2:]), "fileName": where, "checksums": checksums(file),
                                      "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"})
            document["relationships"].append({"spdxElementId": root, "relationshipType": "CONTAINS", "relatedSpdxElement": identifier(where[2:])})
            document["relationships"].append({"spdxElementId": identifier(where[2:]), "relationshipType": "GENERATED_FROM",
                                              "relatedSpdxElement": identifier("package-" + name)})
    json.dump(document, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
