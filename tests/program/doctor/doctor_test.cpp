// `assay doctor`: what is there and what is missing, and what to do about it.
#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::doctor_test {

constexpr const char* kGet = "get Nsight Systems: ";  // what stands beside one that is missing

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

  TempFolder scratch_;
  std::string path_, home_;
};

TEST_F(Doctor, ReportsEverythingMissingOnAnEmptyMachine) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  for (const char* name : {"nsys", "ncu", "NVML", "numactl"})
    EXPECT_TRUE(contains_regex(outcome.out, "\n" + std::string(name) + " +missing"));
  EXPECT_TRUE(contains_all(outcome.out, {kGet, "exports to SQLite are read without it", "package numactl"}));
  EXPECT_TRUE(contains_regex(outcome.out, "analyzers +[1-9][0-9]* loaded +0 refused"));
}

TEST_F(Doctor, ToolsAreNamedWithTheirVersions) {
  program("nsys", "NVIDIA Nsight Systems version 2025.3.2.0-1");
  program("ncu", "no word of it");
  const Outcome outcome = run();
  EXPECT_TRUE(contains_regex(outcome.out, "nsys +[^ ]*/nsys +2025.3.2.0"));
  EXPECT_FALSE(contains(outcome.out, kGet));
}

TEST_F(Doctor, RocmIsNamedWithItsVersion) {
  {
    const auto text = run().out;
    EXPECT_TRUE(contains(text, "its databases (.db) are read"));
    EXPECT_TRUE(contains_regex(text, "\nrocprofv3 +missing"));
  }
  fs::create_directories(scratch_ / "rocm/bin");
  fs::create_directories(scratch_ / "rocm/.info");
  write_text(scratch_ / "rocm/.info/version", "7.1.1-38\n");
  write_text(scratch_ / "rocm/bin/rocprofv3", "#!/bin/sh\nexit 1\n");
  fs::permissions(scratch_ / "rocm/bin/rocprofv3", fs::perms::owner_all);
  fs::create_symlink(scratch_ / "rocm/bin/rocprofv3", scratch_ / "rocprofv3");
  EXPECT_TRUE(contains_regex(run().out, "\nrocprofv3 +[^ ]*/rocprofv3 +ROCm 7.1.1-38 +records on AMD GPUs"));
}

TEST_F(Doctor, AToolThatDoesNotRunIsSaid) {
  write_text(scratch_ / "nsys", "#!/bin/sh\necho 'libssl is missing' >&2; exit 127\n");
  fs::permissions(scratch_ / "nsys", fs::perms::owner_all);
  const Outcome outcome = run();
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_TRUE(contains(outcome.out, "libssl is missing"));
  EXPECT_TRUE(contains_regex(outcome.out, "\nnsys +missing"));
}

TEST_F(Doctor, RefusedPluginsAreSaidWithTheReason) {
  write_text(scratch_ / "broken.so", "no library");
  const Outcome outcome = run({"doctor", "--plugin-path", scratch_.path().string()});
  EXPECT_TRUE(contains(outcome.out, "broken.so"));
  EXPECT_TRUE(contains_regex(outcome.out, "loaded +1 refused"));
}

TEST_F(Doctor, HasNoCacheWithoutAHome) {  // the tests run it without one
  EXPECT_TRUE(contains(run().out, "set one, or give --cache to 'assay run'"));
}

TEST_F(Doctor, TheCacheIsCounted) {
  fs::create_directories(scratch_ / ".cache/assay/ab");
  write_text(scratch_ / ".cache/assay/ab/one", std::string(1500, 'x'));
  const Outcome outcome =
      run_assay(scratch_.path(), {"doctor"}, {.environment = {{"HOME", scratch_.path()}, {"PATH", path_}}});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  // Beside it: that each of the analyzers loads without harm.
  EXPECT_TRUE(contains_regex(outcome.out, "[0-9]+ entries +([2-9]|[1-9][0-9])[.][0-9]+ kB of what was measured"));
}

TEST_F(Doctor, TheVersionNamesAbiAndCompiler) {
  EXPECT_TRUE(contains_regex(run({"--version"}).out,
                             "^assay [0-9.]+(-rc[0-9]+)? \\((commit [0-9a-f]+(-dirty)?, )?plugin ABI 1\\.[0-9]+, "));
}

}  // namespace assay::testing::doctor_test
