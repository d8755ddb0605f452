#!/usr/bin/env python3
"""recipes.py SOURCE: what places that packages are published in read of this tree, as far as that can be checked without them: one version
everywhere, every library of the build in each recipe, and the rules that a registry or a linter would name first. Exit 77: no yaml."""
import ast
import json
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv[1]).resolve()
CMAKE = (SOURCE / "CMakeLists.txt").read_text()
RELEASE = re.search(r"project\(assay VERSION ([0-9.]+)", CMAKE)[1]
VERSION = RELEASE + re.search(r"set\(ASSAY_VERSION \$\{PROJECT_VERSION\}(\S*)", CMAKE)[1]
# Debian's name of a library of the build, conda-forge's, and spack's.
LIBRARIES = {"libsqlite3-dev": ("sqlite", "sqlite"), "libspdlog-dev": ("spdlog", "spdlog"), "libfmt-dev": ("fmt", "fmt"), "libcli11-dev": ("cli11", "cli11"),
             "nlohmann-json3-dev": ("nlohmann_json", "nlohmann-json"), "libboost-dev": ("libboost-headers", "boost"), "libsimdjson-dev": ("simdjson", "simdjson"),
             "zlib1g-dev": ("zlib", "zlib-api"), "libtomlplusplus-dev": ("tomlplusplus", "tomlplusplus"), "libcsv-dev": ("libcsv", "libcsv"),
             "libdeflate-dev": ("libdeflate", "libdeflate"), "libxxhash-dev": ("xxhash", "xxhash"), "pkg-config": ("pkg-config", "pkgconfig")}


def names(entries):
    return {re.match(r"[\w-]+", entry)[0] for entry in entries if entry[0].isalpha()}


class Recipes(unittest.TestCase):
    def needed(self):
        text = (SOURCE / "cmake/AssayDependencies.cmake").read_text().split("if(ASSAY_BUILD_TESTS)")[0]
        found = set(re.findall(r"^ *assay_needs\(\w+ (?:\"[^\"]*\"|\S+) ([\w-]+)\)", text, re.M))
        self.assertEqual(found, set(LIBRARIES), "a library without a name here")
        return found

    def test_conda(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is missing")
        recipe = yaml.safe_load((SOURCE / "packaging/conda/recipe.yaml").read_text())
        self.assertEqual(list(recipe), ["schema_version", "context", "package", "source", "build", "requirements", "tests", "about", "extra"])
        self.assertEqual(recipe["context"]["version"], RELEASE)
        listed = names(recipe["requirements"]["build"]) | names(recipe["requirements"]["host"])
        self.assertEqual({LIBRARIES[library][0] for library in self.needed()} - listed, set())
        compilers = [entry for entry in recipe["requirements"]["build"] if entry.startswith("$")]
        self.assertEqual(compilers, ['${{ stdlib("c") }}', '${{ compiler("cxx") }}'])
        self.assertTrue(recipe["tests"] and recipe["build"]["number"] == 0 and recipe["extra"]["recipe-maintainers"])
        self.assertEqual({"homepage", "license", "license_file", "summary"} - set(recipe["about"]), set())
        self.assertTrue((SOURCE / recipe["about"]["license_file"]).is_file() and not recipe["about"]["summary"].endswith("."))
        for file in re.findall(r"packaging/\S+", recipe["build"]["script"][-1]):
            self.assertTrue(list(SOURCE.glob(file)), file)

    def test_spack(self):
        tree = ast.parse((SOURCE / "packaging/spack/package.py").read_text())
        package = next(node for node in tree.body if isinstance(node, ast.ClassDef))
        calls = [node.value for node in package.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
        first = lambda function: [call.args[0].value for call in calls if call.func.id == function]
        self.assertEqual((package.name, first("version"), first("license")), ("Assay", [RELEASE], ["Apache-2.0"]))
        self.assertEqual({LIBRARIES[library][1] for library in self.needed()} - names(first("depends_on")), set())
        self.assertTrue(ast.get_docstring(package))

    def test_easybuild(self):
        file = SOURCE / f"packaging/easybuild/assay-{RELEASE}.eb"
        recipe = {"SYSTEM": {"name": "system", "version": "system"}}
        exec(compile(file.read_text(), file, "exec"), recipe)
        self.assertEqual(f"{recipe['name']}-{recipe['version']}.eb", file.name)
        self.assertEqual(len(recipe["checksums"]), len(recipe["sources"]))
        self.assertTrue({"easyblock", "homepage", "description", "toolchain", "sanity_check_paths", "moduleclass"} <= set(recipe))
        self.assertIn("%(name)s-%(version)s-linux-x86_64.tar.xz", recipe["sources"][0])

    def test_server_for_agents(self):
        server = json.loads((SOURCE / "server.json").read_text())
        package = server["packages"][0]
        self.assertRegex(server["name"], r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$")
        self.assertLessEqual(len(server["description"]), 100)
        self.assertEqual((server["version"], package["version"]), (VERSION, VERSION.replace("-", "")))
        self.assertEqual(package["identifier"], re.search(r"^Name: (.*)$", (SOURCE / "packaging/wheel.py").read_text(), re.M)[1])
        self.assertEqual(package["runtimeArguments"][0]["value"], f"{package['identifier']}=={package['version']}")
        self.assertEqual(package["transport"], {"type": "stdio"})

    def test_skill(self):
        head = (SOURCE / "skills/assay/SKILL.md").read_text().split("---")[1]
        fields = dict(re.findall(r"^(\w+): (.*)$", head, re.M))
        self.assertEqual(fields["name"], "assay", "the name of its folder")
        self.assertLessEqual(len(fields["description"]), 1024)

    def test_container(self):
        text = (SOURCE / "packaging/Dockerfile").read_text().replace("\\\n", " ")
        labels = dict(re.findall(r"org\.opencontainers\.image\.([\w.]+)=\"([^\"]*)\"", text))
        self.assertEqual({"title", "description", "version", "revision", "created", "source", "licenses"} - set(labels), set())
        self.assertIn(f"ARG VERSION={VERSION} ", text)

    def test_action_stands_at_the_root(self):
        text = (SOURCE / "action.yml").read_text()
        for key in ("name", "description", "inputs", "outputs", "runs"):
            self.assertRegex(text, rf"(?m)^{key}:")


unittest.main(argv=sys.argv[:1] + sys.argv[2:])
