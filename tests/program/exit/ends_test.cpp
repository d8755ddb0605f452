// Runs that an analyzer holds up or ends: both name it and the report. And what says how a plugin was built.
#include <csignal>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::ends_test {

constexpr const char* kFailed = "FAILED";  // what ends the output of a run with failures

fs::path file_of_plugin(const std::string& name) {
  return fs::path(ASSAY_BINARY_DIR) / "tests/loader/plugins" / (name + ".so");
}

class Ends : public ::testing::Test {
 protected:
  Ends() { prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path()); }

  Outcome run_with(const std::string& id) {
    fs::create_directories(scratch_ / "plugins");
    fs::copy_file(file_of_plugin(id), scratch_ / "plugins" / (id + ".so"));
    write_text(scratch_ / "config.toml", "[question]\nid = \"q\"\n[analyzers." + id + "]\n");
    return run_assay(scratch_.path(), {"run", "config.toml", "--reports", "reports", "-o", "out", "--plugin-path",
                                       "plugins", "--no-cache", "-j1"});
  }

  TempFolder scratch_;
};

TEST_F(Ends, TheFirstSignalNamesWhomItWaitsForAndTheSecondEndsIt) {
  const Outcome outcome = run_with("hanging_on");
  EXPECT_EQ(outcome.exit, 128 + SIGTERM) << outcome.err;
  EXPECT_TRUE(contains_all(outcome.err, {"interrupted; waiting for the analyzer 'hanging_on' on ",
                                         ".sqlite; a second signal ends assay at once"}));
  EXPECT_FALSE(fs::exists(scratch_ / "out"));
}

TEST_F(Ends, ACrashNamesTheAnalyzerAndTheReport) {
  const Outcome outcome = run_with("crashing");
  EXPECT_NE(outcome.exit, 0);
  EXPECT_TRUE(contains_all(
      outcome.err, {"the analyzer 'crashing' on ", ".sqlite crashed (SIGSEGV)", "give --isolate to 'assay run'"}));
  EXPECT_FALSE(fs::exists(scratch_ / "out"));
}

TEST_F(Ends, ACrashThatConcludesNamesTheQuestion) {
  const Outcome outcome = run_with("crashing_conclude");
  EXPECT_NE(outcome.exit, 0);
  EXPECT_TRUE(contains(outcome.err, "the analyzer 'crashing_conclude' on q crashed (SIGABRT)"));
}

TEST_F(Ends, AFailureIsToldAtTheEnd) {
  const Outcome outcome = run_with("throwing_analyze");
  const std::size_t at = outcome.out.find(std::string(kFailed) + "  the analyzer 'throwing_analyze' failed on ");
  ASSERT_NE(at, std::string::npos) << outcome.out;
  {
    const auto text = outcome.out.substr(at);
    EXPECT_TRUE(contains(text, "lost the thread"));
    EXPECT_FALSE(contains(text, "LEFT OUT"));
  }
}

TEST_F(Ends, WithoutAFailureNothingIsTold) { EXPECT_FALSE(contains(run_with("good").out, kFailed)); }

TEST(Built, WithoutOptimisationIsSaidByPluginsBenchCheckAndDescribe) {
  for (const char* const name : {"good", "unoptimised"}) {
    const TempFolder scratch;
    fs::create_directories(scratch / "plugins");
    fs::copy_file(file_of_plugin(name), scratch / "plugins/it.so");
    for (const char* const command : {"plugins --plugin-path plugins", "bench plugins/it.so -n 1",
                                      "check plugins/it.so", "describe plugins/it.so"}) {
      std::istringstream all(run_assay(scratch.path(), split_command(command)).out);
      std::string lines;  // of this plugin; `plugins` lists those of the build too
      for (std::string line; std::getline(all, line);) {
        if (line.find("without optimisation") != std::string::npos &&
            line.find("/lib/assay/plugins/") == std::string::npos)
          lines += line + "\n";
      }
      EXPECT_EQ(lines.empty(), std::string(name) == "good") << command << "\n" << lines;
    }
  }
}

TEST(DescribeCommand, TakesTheFileOfAPlugin) {
  const TempFolder scratch;
  const Outcome outcome = run_assay(scratch.path(), {"describe", file_of_plugin("good").string()});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains_all(outcome.out, {"good 1.0.0: ", "good.kernel_count"}));
  EXPECT_TRUE(contains(run_assay(scratch.path(), {"describe", "./absent.so"}).err, "does not exist"));
}

}  // namespace assay::testing::ends_test
