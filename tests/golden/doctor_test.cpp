// `assay doctor`: what is there and what is missing, and what to do about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "golden_case.hpp"
#include "scratch_folder.hpp"

namespace assay::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// The program inherits what is set here; the test's own environment comes back.
class Doctor : public ::testing::Test {
 protected:
  Doctor() : path_(std::getenv("PATH")), home_(std::getenv("HOME") == nullptr ? "" : std::getenv("HOME")) {
    setenv("PATH", scratch_.path().c_str(), 1);
    setenv("HOME", scratch_.path().c_str(), 1);
  }
  ~Doctor() override {
    setenv("PATH", path_.c_str(), 1);
    setenv("HOME", home_.c_str(), 1);
  }
  void program(const std::string& name, const std::string& says) {
    write_text(scratch_ / name, "#!/bin/sh\necho '" + says + "'\n");
    fs::permissions(scratch_ / name, fs::perms::owner_all);
  }
  Outcome run(const std::vector<std::string>& arguments = {"doctor"}) { return run_assay(scratch_.path(), arguments); }

  ScratchFolder scratch_;
  std::string path_, home_;
};

TEST_F(Doctor, OfAnEmptyMachineEverythingIsMissingAndNothingFails) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  for (const char* name : {"nsys", "ncu", "nvidia-smi", "numactl"})
    EXPECT_THAT(outcome.out, ContainsRegex("\n" + std::string(name) + " +missing"));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("get Nsight Systems: "), HasSubstr("exports to SQLite are read without it"),
                                 HasSubstr("package numactl")));
  EXPECT_THAT(outcome.out, ContainsRegex("analyzers +[1-9][0-9]* loaded +0 refused"));
}

TEST_F(Doctor, ToolsAreNamedWithTheirVersions) {
  program("nsys", "NVIDIA Nsight Systems version 2025.3.2.0-1");
  program("ncu", "no word of it");
  const Outcome outcome = run();
  EXPECT_THAT(outcome.out, ContainsRegex("nsys +[^ ]*/nsys +2025.3.2.0"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("get Nsight Systems")));
}

TEST_F(Doctor, RocmIsNamedWithItsVersion) {
  EXPECT_THAT(run().out, AllOf(ContainsRegex("\nrocprofv3 +missing"), HasSubstr("its databases (.db) are read")));
  fs::create_directories(scratch_ / "rocm/bin");
  fs::create_directories(scratch_ / "rocm/.info");
  write_text(scratch_ / "rocm/.info/version", "7.1.1-38\n");
  write_text(scratch_ / "rocm/bin/rocprofv3", "#!/bin/sh\nexit 1\n");
  fs::permissions(scratch_ / "rocm/bin/rocprofv3", fs::perms::owner_all);
  fs::create_symlink(scratch_ / "rocm/bin/rocprofv3", scratch_ / "rocprofv3");
  EXPECT_THAT(run().out, ContainsRegex("\nrocprofv3 +[^ ]*/rocprofv3 +ROCm 7.1.1-38 +records on AMD GPUs"));
}

TEST_F(Doctor, AToolThatDoesNotRunIsSaid) {
  write_text(scratch_ / "nsys", "#!/bin/sh\necho 'libssl is missing' >&2; exit 127\n");
  fs::permissions(scratch_ / "nsys", fs::perms::owner_all);
  const Outcome outcome = run();
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_THAT(outcome.out, AllOf(ContainsRegex("\nnsys +missing"), HasSubstr("libssl is missing")));
}

TEST_F(Doctor, RefusedPluginsAreSaidWithTheReason) {
  write_text(scratch_ / "broken.so", "no library");
  const Outcome outcome = run({"doctor", "--plugin-path", scratch_.path().string()});
  EXPECT_THAT(outcome.out, AllOf(ContainsRegex("loaded +1 refused"), HasSubstr("broken.so")));
}

TEST_F(Doctor, WithoutAHomeThereIsNoCache) {  // the tests run it without one
  EXPECT_THAT(run().out, HasSubstr("set one, or give --cache to 'assay run'"));
}

TEST_F(Doctor, TheCacheIsCounted) {
  fs::create_directories(scratch_ / ".cache/assay/ab");
  write_text(scratch_ / ".cache/assay/ab/one", std::string(1500, 'x'));
  const fs::path out = scratch_ / "out";
  const std::string command =
      "env -u XDG_CACHE_HOME HOME='" + scratch_.path().string() + "' " ASSAY_PROGRAM " doctor > '";
  setenv("PATH", path_.c_str(), 1);
  ASSERT_EQ(std::system((command + out.string() + "'").c_str()), 0);
  // Beside it: that each of the analyzers loads without harm.
  EXPECT_THAT(read_text(out), ContainsRegex("[0-9]+ entries +[2-9][.][0-9]+ kB of what was measured"));
}

TEST_F(Doctor, TheVersionNamesAbiAndCompiler) {
  EXPECT_THAT(run({"--version"}).out,
              ContainsRegex("^assay [0-9.]+(-rc[0-9]+)? \\((commit [0-9a-f]+(-dirty)?, )?plugin ABI 2\\.[0-9]+, "));
}

}  // namespace
}  // namespace assay::testing
