# For spack-packages, packages/assay. OWNER/REPOSITORY and the checksum are those of the release.
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage


class Assay(CMakePackage):
    """Tells from GPU profiles (Nsight Systems, PyTorch, JAX, Nsight Compute, rocprofv3) what limits each run, what differs between runs,
    and whether the difference is real."""

    homepage = "https://github.com/OWNER/REPOSITORY"
    url = "https://github.com/OWNER/REPOSITORY/archive/refs/tags/v1.0.0.tar.gz"
    maintainers("OWNER")
    license("Apache-2.0", checked_by="OWNER")

    version("1.0.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    generator("ninja")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost@1.74:")
    depends_on("cli11")
    depends_on("fmt")
    depends_on("libcsv")
    depends_on("libdeflate")
    depends_on("libedit")
    depends_on("nlohmann-json")
    depends_on("simdjson")
    depends_on("spdlog+fmt_external")
    depends_on("sqlite@3.37:")
    depends_on("tomlplusplus")
    depends_on("xxhash")
    depends_on("zlib-api")

    conflicts("platform=darwin", msg="assay needs /proc")
    conflicts("platform=windows", msg="assay needs /proc")
    conflicts("%gcc@:11", msg="assay is C++20: g++ 12 or newer")

    def cmake_args(self):
        return [self.define("ASSAY_BUILD_TESTS", False), self.define("ASSAY_BUILD_BENCH", False)]

    def test_plugins(self):
        """analyzers and formats are found"""
        found = Executable(self.prefix.bin.assay)("plugins", output=str.split)
        assert "run_summary" in found and "nsys" in found
