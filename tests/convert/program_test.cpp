// assay convert and assay run --convert as a user runs them.
#include "support/program.hpp"

#include <signal.h>

#include <array>
#include <cstdio>

#include "converting.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay::testing::program_test {

namespace fs = std::filesystem;

class Program : public Converting {
 protected:
  /// Starts assay with the stand-ins in PATH and a folder of its own.
  [[nodiscard]] StartedProgram start(const std::vector<std::string>& arguments) const {
    return StartedProgram(work_.path(), arguments,
                          {.environment = {{"PATH", tools_.folder().native() + ":/usr/bin:/bin"}}});
  }
  [[nodiscard]] Outcome assay(const std::vector<std::string>& arguments) const { return start(arguments).wait(); }

  [[nodiscard]] std::string folder() const { return reports_.path().native(); }

  /// Of what is printed: how many files were converted, up to date, and failed.
  static std::array<int, 3> counts(const std::string& printed) {
    std::array<int, 3> out{-1, -1, -1};
    const std::size_t at = printed.find(" converted, ");
    if (at != std::string::npos && at > 0)
      std::sscanf(printed.c_str() + at - 1, "%d converted, %d up to date, %d failed", out.data(), &out[1], &out[2]);
    return out;
  }

  /// A question that the analyzer run_summary answers from all reports.
  [[nodiscard]] std::string question() const {
    write_text(work_.path() / "all.toml", "[question]\nid = \"all\"\n[analyzers.run_summary]\n");
    return "all.toml";
  }

  TempFolder work_;
};

TEST_F(Program, SaysHowManyAndWhyNot) {
  report("a.nsys-rep", "export");
  report("b\n.nsys-rep", "fail");
  report("c.nsys-rep", "export");
  write_text(at("c.sqlite"), tools_.export_bytes());
  const Outcome ran = assay({"convert", folder()});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_TRUE(starts_with(ran.out, "1 converted, 1 up to date, 1 failed\n\nFailed\n"));
  EXPECT_TRUE(contains(ran.out, ": Exportation error: Section Table"));
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 4);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(assay({"convert", folder(), "--strict"}).exit, 3);
}

TEST_F(Program, FailsWhenAllFail) {
  report("a.nsys-rep", "fail");
  const Outcome ran = assay({"convert", folder(), "-j", "3"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_EQ(counts(ran.out), (std::array{0, 0, 1}));
  EXPECT_EQ(ran.err, "assay: no profile could be converted\n");
}

TEST_F(Program, RefusesWhatMakesNoSense) {
  EXPECT_EQ(assay({"convert", folder()}).exit, 2);
  EXPECT_TRUE(contains(assay({"convert", folder()}).err, "nothing to convert in"));
  EXPECT_EQ(assay({"convert", "nowhere"}).exit, 2);
  EXPECT_EQ(assay({"convert", folder(), "-j", "0"}).exit, 2);
  EXPECT_EQ(assay({"convert", folder(), "--time-limit", "0"}).exit, 2);
  EXPECT_EQ(assay({"run", question(), "--reports", folder(), "--nsys", "nsys"}).exit, 2);
  report("a.nsys-rep", "export");
  fs::remove(tools_.nsys());
  if (fs::exists("/usr/bin/nsys")) GTEST_SKIP() << "SKIPPED: nsys is installed where the shell is";
  const Outcome ran = assay({"convert", folder()});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_TRUE(contains(ran.err, "nsys"));
}

TEST_F(Program, CtrlCEndsWhatRunsAndLeavesNothingHalfDone) {
  report("a.nsys-rep", "hang");
  StartedProgram process = start({"convert", folder()});
  tools_.wait_for_process();
  kill(process.pid(), SIGINT);
  const Outcome ran = process.wait();
  EXPECT_EQ(ran.exit, 130);
  EXPECT_TRUE(contains(ran.err, "interrupted after 0 conversions; all other files are unchanged"));
  EXPECT_FALSE(tools_.left_running());
  EXPECT_TRUE(equals(all_below(reports_.path()), {"a.nsys-rep"}));
}

TEST_F(Program, AKilledRunIsTidiedUpByTheNext) {
  report("a.nsys-rep", "hang");
  StartedProgram process = start({"convert", folder()});
  tools_.wait_for_process();
  kill(process.pid(), SIGKILL);
  EXPECT_EQ(process.wait().exit, 128 + SIGKILL);
  EXPECT_EQ(all_below(reports_.path()).size(), 2U);  // and its work folder, which was locked while it lived
  kill(std::stoi(read_text(tools_.folder() / "process")), SIGKILL);
  report("a.nsys-rep", "export");
  EXPECT_EQ(assay({"convert", folder()}).exit, 0);
  EXPECT_TRUE(equals(all_below(reports_.path()), {"a.nsys-rep", "a.sqlite"}));
}

TEST_F(Program, ARunConvertsFirstAndGoesOnWithWhatThereIs) {
  report("a.nsys-rep", "export");
  report("b.nsys-rep", "fail");
  write_text(at("c.sqlite"), tools_.export_bytes());
  run_sql(at("c.sqlite"),
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start + 900000, end + 900000, deviceId, "
          "contextId, streamId, correlationId, globalPid, demangledName, shortName, gridX, gridY, gridZ "
          "FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1");
  const Outcome ran = assay({"run", question(), "--reports", folder(), "--convert", "-o", "results", "--no-cache"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_TRUE(contains(ran.err, "not converted: " + at("b.nsys-rep").native() + ": nsys"));
  EXPECT_EQ(counts(ran.err), (std::array{1, 0, 1}));
  const std::string facts = read_text(work_.path() / "results/facts.csv");
  EXPECT_TRUE(contains_all(facts, {"a.sqlite", "c.sqlite"}));
  const std::string findings = read_text(work_.path() / "results/findings.json");
  EXPECT_TRUE(contains(findings, "b.nsys-rep"));
  EXPECT_FALSE(contains(findings, "a.nsys-rep"));
}

TEST_F(Program, ARunWithoutNsysGoesOn) {
  if (fs::exists("/usr/bin/nsys")) GTEST_SKIP() << "SKIPPED: nsys is installed where the shell is";
  fs::remove(tools_.nsys());
  report("a.nsys-rep", "export");
  write_text(at("c.sqlite"), tools_.export_bytes());
  const Outcome ran = assay({"run", question(), "--reports", folder(), "--convert", "-o", "results", "--no-cache"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_TRUE(contains(ran.err, "warning: --convert: nsys"));
}

/// What assay calls with the nsys that is installed, on a report that it makes itself.
TEST_F(Program, TheRealNsys) {
  const char* named = std::getenv("ASSAY_NSYS");
  const std::string nsys = named != nullptr ? named : "nsys";
  const std::string quoted = "'" + nsys + "'";
  if (run_shell(".", quoted + " --version").exit != 0) {
    GTEST_SKIP() << "SKIPPED: there is no nsys in PATH or ASSAY_NSYS";
  }
  const std::string made =
      "cd '" + folder() + "' && " + quoted + " profile -t osrt -s none --cpuctxsw=none -o 'a b' /bin/sleep 0.1";
  if (run_shell(".", made).exit != 0 || !fs::exists(at("a b.nsys-rep"))) {
    GTEST_SKIP() << "SKIPPED: this nsys makes no report here";
  }
  for (const auto& entry : fs::directory_iterator(reports_.path())) {
    if (entry.path().extension() != ".nsys-rep") fs::remove(entry.path());
  }
  write_text(at("cut.nsys-rep"), read_text(at("a b.nsys-rep")).substr(0, 60000));
  const std::vector<std::string> command = named != nullptr
                                               ? std::vector<std::string>{"convert", folder(), "--nsys", nsys}
                                               : std::vector<std::string>{"convert", folder()};
  if (named == nullptr) fs::remove(tools_.nsys());
  const Outcome ran = assay(command);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(counts(ran.out), (std::array{1, 0, 1})) << ran.out;
  EXPECT_TRUE(contains(ran.out, "cut.nsys-rep: nsys")) << ran.out;
  EXPECT_TRUE(equals(all_below(reports_.path()), {"a b.nsys-rep", "a b.sqlite", "cut.nsys-rep"}));
  EXPECT_EQ(counts(assay(command).out), (std::array{0, 1, 1}));
  std::cout << ran.out;
}

}  // namespace assay::testing::program_test
