// Finding nsys and ncu, and what is understood of their words.
#include "convert/tool.hpp"

#include <cstdlib>

#include "child/child.hpp"
#include "converting.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay::testing::tool_test {

namespace fs = std::filesystem;
using convert::FoundTool;
using convert::Tool;

/// PATH for the length of a test.
class PathOf {
 public:
  explicit PathOf(const std::string& value) : before_(std::getenv("PATH")) { setenv("PATH", value.c_str(), 1); }
  ~PathOf() { setenv("PATH", before_.c_str(), 1); }
  PathOf(const PathOf&) = delete;
  PathOf& operator=(const PathOf&) = delete;

 private:
  std::string before_;
};

class Finding : public Converting {
 protected:
  std::string refusal() {
    const auto result = convert_reports(options_, [](std::size_t, std::size_t) {}, stop_);
    if (result) return "none";
    EXPECT_EQ(result.error().exit, Exit::kUsage);
    return result.error().sentence;
  }
};

TEST_F(Finding, TheFirstInPathConverts) {
  options_.nsys.clear();
  TempFolder empty;
  write_text(empty.path() / "nsys", "no program");
  const PathOf path(empty.path().native() + ":" + tools_.folder().native() + ":/usr/bin:/bin");
  EXPECT_EQ(outcome_of_one("a.nsys-rep", "export"), "converted");
}

TEST_F(Finding, VersionsAreUnderstood) {
  const auto nsys = convert::find_tool(Tool::kNsys, tools_.nsys(), stop_);
  const auto ncu = convert::find_tool(Tool::kNcu, tools_.ncu(), stop_);
  ASSERT_TRUE(nsys.ok() && ncu.ok());
  EXPECT_EQ(nsys->version, "2025.1.3.140");
  EXPECT_EQ(ncu->version, "2024.2.0.0");
}

TEST_F(Finding, AMissingProgramIsSaidOnce) {
  options_.nsys.clear();
  report("a.nsys-rep", "export");
  report("b.nsys-rep", "export");
  const TempFolder empty;
  const PathOf path(empty.path().native());
  const ConvertResult result = convert();
  EXPECT_EQ(result.no_program,
            "nsys was not found in PATH, so .nsys-rep and .qdrep files cannot be converted; install Nsight Systems or "
            "name it with --nsys PATH");
  EXPECT_EQ(result.count(ConvertState::kFailed), 2U);
}

TEST_F(Finding, AProgramThatNothingNeedsMayBeMissing) {
  options_.nsys.clear();
  const fs::path first = report("a.nsys-rep", "export"), second = report("k.ncu-rep", "export");
  write_text(at("a.sqlite"), tools_.export_bytes());
  const PathOf path("/usr/bin:/bin");
  if (fs::exists("/usr/bin/nsys")) GTEST_SKIP() << "SKIPPED: nsys is installed where the shell is";
  EXPECT_EQ(outcome(convert(), first), "up to date");
  fs::remove(at("a.sqlite"));
  fs::remove(at("k.ncu.raw.csv"));
  const ConvertResult result = convert();
  EXPECT_TRUE(contains(outcome(result, first), "nsys"));
  EXPECT_EQ(outcome(result, second), "converted");
  EXPECT_EQ(result.no_program, "");
}

TEST_F(Finding, AProgramThatWasNamedMustRun) {
  report("a.nsys-rep", "export");
  options_.nsys = tools_.folder() / "nowhere";
  EXPECT_TRUE(contains(refusal(), "nowhere: program not found"));
  options_.nsys = tools_.folder();
  EXPECT_TRUE(contains(refusal(), "is not a program that can be run"));
  options_.nsys = tools_.folder() / "broken";
  write_program(options_.nsys, "echo 'error while loading shared libraries: libssh.so' >&2; exit 127");
  EXPECT_TRUE(contains_all(refusal(), {"broken --version' failed, nsys", "exit code 127: error while", ": libssh.so; ",
                                       "repair that Nsight Systems or name another with"}));
  write_text(options_.nsys, "\x7f no program");
  EXPECT_TRUE(contains(refusal(), "cannot be started (Exec format error)"));
}

TEST_F(Finding, AProgramThatHangsTakesNoLongerThanTheLimit) {
  report("a.nsys-rep", "export");
  options_.nsys = tools_.folder() / "hangs";
  options_.time_limit = std::chrono::seconds(1);
  write_program(options_.nsys, "sleep 1000");
  EXPECT_TRUE(contains(refusal(), "hangs --version' did not end within 1 s"));
}

process::ExitStatus exited(int code) { return {process::ExitKind::kExited, code}; }

TEST(Words, NameBothVersionsIfTheProgramIsTooOld) {
  const FoundTool nsys{Tool::kNsys, "/usr/bin/nsys", "2025.5.2.266"};
  EXPECT_EQ(convert::failure_of(nsys, exited(1),
                                "Exportation error: Report was created in Nsight Systems version (2026.2.1.210),\n"
                                "newer than your current version (2025.5.2.266).\n"),
            "the profile was made by Nsight Systems 2026.2.1.210, for which nsys 2025.5.2.266 is too old; install "
            "Nsight Systems 2026.2.1.210 or newer, or name it with --nsys");
  EXPECT_EQ(
      convert::failure_of(nsys, exited(1), "Unsupported report version\n"),
      "nsys 2025.5.2.266 is too old for this profile (it says: Unsupported report version); install a newer Nsight "
      "Systems or name one with --nsys");
  EXPECT_EQ(convert::failure_of({Tool::kNcu, "/usr/bin/ncu", "2022.3.0.0"}, exited(1),
                                "==ERROR== The report file was made by a newer version.\n"),
            "ncu 2022.3.0.0 is too old for this profile (it says: ==ERROR== The report file was made by a newer "
            "version.); install a newer Nsight Compute or name one with --ncu");
  EXPECT_TRUE(ends_with(*convert::failure_of(nsys, exited(3), ""), "exit code 3 and said nothing"));
  EXPECT_EQ(convert::failure_of(nsys, exited(0), "Use a newer version of program for this report"), std::nullopt);
}

TEST(Words, AreTheLastLinesButProgressBars) {
  EXPECT_EQ(process::last_words("one\ntwo\n\n three \r\nfour\n"), "two three four");
  EXPECT_EQ(process::last_words("\rExporting 152 events: [1%    ]\rExporting 152 events: [===100%]\n"), "");
  EXPECT_EQ(process::last_words(""), "");
  EXPECT_EQ(process::last_words("100% of [it]"), "100% of [it]");
  EXPECT_EQ(process::last_words(std::string(5000, 'x')).size(), 303U);
}

}  // namespace assay::testing::tool_test
