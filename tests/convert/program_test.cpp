// assay convert and assay run --convert as a user runs them.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "converting.hpp"

namespace assay::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Ran {
  int exit = -1;  ///< 128 + signal when a signal ended it
  std::string out, err;
};

class Program : public Converting {
 protected:
  /// Starts assay with the stand-ins in PATH and a folder of its own.
  [[nodiscard]] pid_t start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), ASSAY_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const std::string path = tools_.folder().native() + ":/usr/bin:/bin";
    const pid_t process = fork();
    if (process != 0) return process;
    dup2(open((work_.path() / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open((work_.path() / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    setenv("PATH", path.c_str(), 1);
    unsetenv("ASSAY_PLUGIN_PATH");
    if (chdir(work_.path().c_str()) == 0) execv(ASSAY_PROGRAM, argv.data());
    _exit(127);
  }

  [[nodiscard]] Ran wait(pid_t process) const {
    int status = 0;
    waitpid(process, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), bytes_of(work_.path() / "out"),
            bytes_of(work_.path() / "err")};
  }

  [[nodiscard]] Ran assay(const std::vector<std::string>& arguments) const { return wait(start(arguments)); }

  [[nodiscard]] std::string folder() const { return reports_.path().native(); }

  /// A question that the analyzer run_summary answers from all reports.
  [[nodiscard]] std::string question() const {
    write_bytes(work_.path() / "all.toml", "[question]\nid = \"all\"\n[analyzers.run_summary]\n");
    return "all.toml";
  }

  TempFolder work_;
};

TEST_F(Program, SaysHowManyAndWhyNot) {
  report("a.nsys-rep", "export");
  report("b\n.nsys-rep", "fail");
  report("c.nsys-rep", "export");
  write_bytes(at("c.sqlite"), tools_.export_bytes());
  const Ran ran = assay({"convert", folder()});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.out, ::testing::StartsWith("1 converted, 1 up to date, 1 failed\n\nFailed\n"));
  EXPECT_THAT(ran.out, HasSubstr(".nsys-rep: nsys failed with exit code 1: Exportation error: Section Table"));
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 4);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(assay({"convert", folder(), "--strict"}).exit, 3);
}

TEST_F(Program, FailsWhenAllFail) {
  report("a.nsys-rep", "fail");
  const Ran ran = assay({"convert", folder(), "-j", "3"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.out, HasSubstr("0 converted, 0 up to date, 1 failed"));
  EXPECT_EQ(ran.err, "assay: no profile could be converted\n");
}

TEST_F(Program, RefusesWhatMakesNoSense) {
  EXPECT_EQ(assay({"convert", folder()}).exit, 2);
  EXPECT_THAT(assay({"convert", folder()}).err, HasSubstr("nothing to convert in"));
  EXPECT_EQ(assay({"convert", "nowhere"}).exit, 2);
  EXPECT_EQ(assay({"convert", folder(), "-j", "0"}).exit, 2);
  EXPECT_EQ(assay({"convert", folder(), "--time-limit", "0"}).exit, 2);
  EXPECT_EQ(assay({"run", question(), "--reports", folder(), "--nsys", "nsys"}).exit, 2);
  report("a.nsys-rep", "export");
  fs::remove(tools_.nsys());
  if (fs::exists("/usr/bin/nsys")) GTEST_SKIP() << "SKIPPED: nsys is installed where the shell is";
  const Ran ran = assay({"convert", folder()});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("nsys was not found in PATH"));
}

TEST_F(Program, CtrlCEndsWhatRunsAndLeavesNothingHalfDone) {
  report("a.nsys-rep", "hang");
  const pid_t process = start({"convert", folder()});
  tools_.wait_for_process();
  kill(process, SIGINT);
  const Ran ran = wait(process);
  EXPECT_EQ(ran.exit, 130);
  EXPECT_THAT(ran.err, HasSubstr("interrupted after 0 conversions; all other files are unchanged"));
  EXPECT_FALSE(tools_.left_running());
  EXPECT_THAT(all_below(reports_.path()), ElementsAre("a.nsys-rep"));
}

TEST_F(Program, AKilledRunIsTidiedUpByTheNext) {
  report("a.nsys-rep", "hang");
  const pid_t process = start({"convert", folder()});
  tools_.wait_for_process();
  kill(process, SIGKILL);
  EXPECT_EQ(wait(process).exit, 128 + SIGKILL);
  EXPECT_EQ(all_below(reports_.path()).size(), 2U);  // and its work folder, which was locked while it lived
  kill(std::stoi(bytes_of(tools_.folder() / "process")), SIGKILL);
  report("a.nsys-rep", "export");
  EXPECT_EQ(assay({"convert", folder()}).exit, 0);
  EXPECT_THAT(all_below(reports_.path()), ElementsAre("a.nsys-rep", "a.sqlite"));
}

TEST_F(Program, ARunConvertsFirstAndGoesOnWithWhatThereIs) {
  report("a.nsys-rep", "export");
  report("b.nsys-rep", "fail");
  write_bytes(at("c.sqlite"), tools_.export_bytes());
  run_sql(at("c.sqlite"),
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start + 900000, end + 900000, deviceId, "
          "contextId, streamId, correlationId, globalPid, demangledName, shortName, gridX, gridY, gridZ "
          "FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1");
  const Ran ran = assay({"run", question(), "--reports", folder(), "--convert", "-o", "results", "--no-cache"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.err, HasSubstr("not converted: " + at("b.nsys-rep").native() + ": nsys failed with exit code 1"));
  EXPECT_THAT(ran.err, HasSubstr("--convert: 1 converted, 0 up to date, 1 failed\n"));
  const std::string facts = bytes_of(work_.path() / "results/facts.csv");
  EXPECT_THAT(facts, HasSubstr("a.sqlite"));
  EXPECT_THAT(facts, HasSubstr("c.sqlite"));
  const std::string findings = bytes_of(work_.path() / "results/findings.json");
  EXPECT_THAT(findings, HasSubstr("b.nsys-rep"));
  EXPECT_THAT(findings, ::testing::Not(HasSubstr("a.nsys-rep")));
}

TEST_F(Program, ARunWithoutNsysGoesOn) {
  if (fs::exists("/usr/bin/nsys")) GTEST_SKIP() << "SKIPPED: nsys is installed where the shell is";
  fs::remove(tools_.nsys());
  report("a.nsys-rep", "export");
  write_bytes(at("c.sqlite"), tools_.export_bytes());
  const Ran ran = assay({"run", question(), "--reports", folder(), "--convert", "-o", "results", "--no-cache"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.err, HasSubstr("warning: --convert: nsys was not found in PATH"));
}

/// What assay calls with the nsys that is installed, on a report that it makes itself.
TEST_F(Program, TheRealNsys) {
  const char* named = std::getenv("ASSAY_NSYS");
  const std::string nsys = named != nullptr ? named : "nsys";
  const std::string quoted = "'" + nsys + "'";
  if (std::system((quoted + " --version >/dev/null 2>&1").c_str()) != 0) {
    GTEST_SKIP() << "SKIPPED: there is no nsys in PATH or ASSAY_NSYS";
  }
  const std::string made =
      "cd '" + folder() + "' && " + quoted + " profile -t osrt -s none --cpuctxsw=none -o 'a b' /bin/sleep 0.1";
  if (std::system((made + " >/dev/null 2>&1").c_str()) != 0 || !fs::exists(at("a b.nsys-rep"))) {
    GTEST_SKIP() << "SKIPPED: this nsys makes no report here";
  }
  for (const auto& entry : fs::directory_iterator(reports_.path())) {
    if (entry.path().extension() != ".nsys-rep") fs::remove(entry.path());
  }
  write_bytes(at("cut.nsys-rep"), bytes_of(at("a b.nsys-rep")).substr(0, 60000));
  const std::vector<std::string> command = named != nullptr
                                               ? std::vector<std::string>{"convert", folder(), "--nsys", nsys}
                                               : std::vector<std::string>{"convert", folder()};
  if (named == nullptr) fs::remove(tools_.nsys());
  const Ran ran = assay(command);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1 converted, 0 up to date, 1 failed")) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("cut.nsys-rep: nsys failed with exit code 1: Exportation error")) << ran.out;
  EXPECT_THAT(all_below(reports_.path()), ElementsAre("a b.nsys-rep", "a b.sqlite", "cut.nsys-rep"));
  EXPECT_THAT(assay(command).out, HasSubstr("0 converted, 1 up to date, 1 failed"));
  std::cout << ran.out;
}

}  // namespace
}  // namespace assay::testing
