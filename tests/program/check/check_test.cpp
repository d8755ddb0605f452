// `assay check` on every plugin of this build, and on plugins that break one rule each.
#include "golden/golden_case.hpp"
#include "process/contained.hpp"
#include "support/test.hpp"

namespace assay::testing::check_test {

fs::path bad_plugin(const std::string& name) {
  return fs::path(ASSAY_BINARY_DIR) / "tests/loader/plugins" / (name + ".so");
}

const char* const kNothingElse = "nothing else could be tested";

const fs::path kOwnPlugins = fs::path(ASSAY_BINARY_DIR) / "lib/assay/plugins";

std::vector<std::string> own_plugins() {
  std::vector<std::string> ids;
  for (const auto& entry : fs::directory_iterator(kOwnPlugins)) {
    if (entry.path().extension() == ".so") ids.push_back(entry.path().stem().string());
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

Outcome check(const fs::path& plugin, const std::string& more = "--time-limit 300") {
  const TempFolder scratch;
  std::vector<std::string> arguments = split_command("check " + more);
  arguments.push_back(plugin.string());
  return run_assay(scratch.path(), arguments);
}

/// The row of a check, or empty.
std::string row_of(const Outcome& outcome, const std::string& name) {
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + "  ")) return line;
  }
  return {};
}

/// For those whose defaults need a configuration.
std::string options_for(const std::string& id) {
  const std::map<std::string, std::string> configs{{"attention_softmax_matmul", "attention.toml"},
                                                   {"kernel_breakdown", "attention.toml"},
                                                   {"pipeline_variation", "rq5_pipeline.toml"},
                                                   {"token_reduction_overhead", "token_reduction.toml"}};
  const auto at = configs.find(id);
  if (at == configs.end()) return "--time-limit 300";
  return "--time-limit 300 --config " ASSAY_SOURCE_DIR "/configs/" + at->second;
}

class OwnPlugin : public ::testing::TestWithParam<std::string> {};

TEST_P(OwnPlugin, PassesEveryCheck) {
  const Outcome outcome = check(kOwnPlugins / (GetParam() + ".so"), options_for(GetParam()));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(contains(outcome.out, GetParam() + " passes all"));
  const bool format = GetParam() == "memory_snapshot" || GetParam() == "xplane" || GetParam() == "flight_recorder" ||
                      GetParam() == "torch_compile" || GetParam() == "perf_script";  // those that are loaded
  EXPECT_TRUE(contains(row_of(outcome, format ? "handshake" : "default options"), "  ok  "));
}

INSTANTIATE_TEST_SUITE_P(All, OwnPlugin, ::testing::ValuesIn(own_plugins()),
                         [](const auto& named) { return named.param; });

TEST(Check, AGoodPluginPassesAndItsRowsSayWhatCameOut) {
  const Outcome outcome = check(bad_plugin("good"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(contains(row_of(outcome, "handshake"), "good 1.0.0, built with "));
  EXPECT_TRUE(contains(row_of(outcome, "every table null"), "left out: needs kernels"));
  EXPECT_TRUE(contains(row_of(outcome, "one kernel"), "2 facts"));
  EXPECT_TRUE(contains(row_of(outcome, "a million kernels"), "2 facts"));
  EXPECT_TRUE(contains(row_of(outcome, "study of two reports"), "1 finding, 1 fact"));
}

struct Bad {
  const char* plugin;
  const char* row;
  const char* result;
  const char* detail;
};
void PrintTo(const Bad& bad, std::ostream* to) { *to << bad.plugin; }

class BadPlugin : public ::testing::TestWithParam<Bad> {};

TEST_P(BadPlugin, IsARowThatSaysSo) {
  const Bad& bad = GetParam();
  const bool eats = std::string(bad.plugin) == "eating";
  if (eats && !process::limits_memory()) GTEST_SKIP() << "a sanitizer's build: memory is not limited";
  // Reading through a null pointer is told and ended by the sanitizer, before the machine says SIGSEGV.
  const bool reads_null = std::string(bad.plugin) == "misspelt";
  if (reads_null && !process::limits_memory()) GTEST_SKIP() << "a sanitizer's build: the sanitizer ends it first";
  const bool slow = std::string(bad.plugin) == "quadratic";
  if (slow && !process::limits_memory()) GTEST_SKIP() << "a sanitizer's build: what is slow on purpose takes minutes";
  const bool hangs = std::string(bad.plugin).starts_with("hanging");
  const Outcome outcome =
      check(bad_plugin(bad.plugin), hangs ? "--time-limit 1" : "--time-limit 300 --memory-limit 512");
  EXPECT_EQ(outcome.exit, 3) << outcome.out << outcome.err;
  EXPECT_TRUE(contains_all(row_of(outcome, bad.row), {bad.result, bad.detail})) << outcome.out;
  EXPECT_TRUE(contains(row_of(outcome, "handshake"), "  ok  "));
  EXPECT_TRUE(contains(outcome.err, "fails") || contains(outcome.err, kNothingElse)) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, BadPlugin,
    ::testing::Values(
        Bad{"crashing", "one kernel", "crashed (SIGSEGV)", "crashed with SIGSEGV"},
        Bad{"crashing_constructor", "default options", "crashed (SIGSEGV)", "crashed with SIGSEGV"},
        Bad{"crashing_conclude", "study of one report", "crashed (SIGABRT)", "crashed with SIGABRT"},
        Bad{"hanging", "empty report", "hung", "was stopped after 1 s"},
        Bad{"hanging_conclude", "study without reports", "hung", "was stopped after 1 s"},
        Bad{"eating", "one kernel", "out of memory", "asked for more than 512 MB"},
        Bad{"trusting", "a column missing", "failed",
            "without kernels.grid_x: analyze failed: a value was asked of the column 'kernels.grid_y', which this "
            "profile "},
        Bad{"printing", "standard output", "failed", "prints 'hello"},
        Bad{"counting_loads", "code at load", "failed",
            "runs code when it is loaded (1 constructors of static objects"},
        Bad{"crashing_gather", "job of two ranks", "crashed (SIGSEGV)", "crashed with SIGSEGV"},
        Bad{"leaving", "one kernel", "failed", "ended its process with exit code 0"},
        Bad{"throwing_constructor", "default options", "refused", "no licence"},
        Bad{"throwing_analyze", "several devices", "failed", "analyze failed: lost the thread"},
        Bad{"throwing_conclude", "study of two reports", "failed", "conclude failed: no conclusion"},
        Bad{"undeclared_metric", "only what it declares", "failed", "the fact 'never.declared' was not declared"},
        Bad{"swallowing", "only what it declares", "failed", "the fact 'never.declared' was not declared"},
        Bad{"nan_fact", "every table filled", "failed", "not a finite number"},
        Bad{"differing", "same report twice", "failed", "different results the second time"},
        Bad{"banana", "version", "failed", "the version is 'banana'; expected three numbers such as '1.0.0'"},
        Bad{"bad_default", "defaults", "failed", "the default of the option 'limit' is not valid"},
        Bad{"anothers_metric", "metrics it makes", "failed", "'kernel.count', which run_summary also declares"},
        Bad{"nobodys_metric", "metrics it reads", "failed", "'nobody.makes_this', which no analyzer here produces"},
        Bad{"quadratic", "growth", "failed", "is there a loop over all rows within a loop?"},
        Bad{"misspelt", "only what it declares", "crashed (SIGSEGV)", "crashed with SIGSEGV"},
        Bad{"misspelt", "undeclared columns", "crashed (SIGSEGV)",
            "reads without declaring it in kNeeds or kWants: kernels"},
        Bad{"differing_conclude", "same study twice", "failed", "different results the second time"}),
    [](const auto& named) {
      std::string name = std::string(named.param.plugin) + "_" + named.param.row;
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

TEST(Check, PassesTrueDeclarations) {
  const Outcome outcome = check(bad_plugin("good"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  for (const char* row : {"version", "defaults", "metrics it makes", "metrics it reads", "growth"})
    EXPECT_TRUE(contains(row_of(outcome, row), "  ok  ")) << row;
}

TEST(Check, CountsOutputsOfGather) {
  const Outcome outcome = check(bad_plugin("counting_ranks"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  for (const char* row : {"job of one rank", "job of two ranks", "same job twice", "what it makes"})
    EXPECT_TRUE(contains_all(row_of(outcome, row), {"  ok  ", "1 fact"})) << row;
}

TEST(Check, WarnsAnalyzersWithoutOutput) {
  const Outcome outcome = check(bad_plugin("quiet"));
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(contains_all(row_of(outcome, "what it makes"), {"warning", "nothing in any case"}));
  EXPECT_TRUE(contains(outcome.out, "1 of them with a warning"));
}

TEST(Check, AComparisonReallyRuns) {
  const fs::path plugin = kOwnPlugins / "token_reduction_overhead.so";
  const Outcome outcome = check(plugin, options_for("token_reduction_overhead"));
  const std::string found = "[1-9][0-9]* findings?,";
  EXPECT_TRUE(contains_regex(row_of(outcome, "study of a comparison"), found)) << outcome.out;
  const Outcome label = check(kOwnPlugins / "label_effect.so");
  EXPECT_TRUE(contains_regex(row_of(label, "study of a comparison"), found)) << label.out;
}

TEST(Check, AnIdIsFoundAsTheHostFindsIt) {
  const TempFolder scratch;
  const Outcome outcome = run_assay(scratch.path(), {"check", "overview", "--time-limit", "300"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "overview passes all"));
  const Outcome unknown = run_assay(scratch.path(), {"check", "overvieu"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_TRUE(contains(unknown.err, "there is no analyzer 'overvieu'"));
}

TEST(Check, ColumnsThatNoReportHasAreNamed) {
  const TempFolder scratch;
  prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch.path());
  const Outcome outcome = run_assay(scratch.path(), {"check", "step_breakdown", "--reports", "reports"});
  EXPECT_TRUE(contains_all(row_of(outcome, "columns of profiles"), {"warning", "kernels.blocks_per_sm"}))
      << outcome.out << outcome.err;
}

TEST(Check, OtherChecksGoOnAfterABadOne) {
  const Outcome outcome = check(bad_plugin("crashing_conclude"));
  EXPECT_TRUE(contains(row_of(outcome, "one kernel"), "  ok  "));
  EXPECT_TRUE(contains(row_of(outcome, "a million kernels"), "  ok  "));
  EXPECT_TRUE(contains(row_of(outcome, "same study twice"), "crashed (SIGABRT)"));
}

TEST(Check, RefusedDefaultsAreNotSuccess) {
  const fs::path plugin = fs::path(ASSAY_BINARY_DIR) / "lib/assay/plugins/kernel_breakdown.so";
  const Outcome outcome = check(plugin);
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_TRUE(contains_all(row_of(outcome, "default options"), {"refused", "'rules'"}));
  EXPECT_TRUE(contains(outcome.err, std::string(kNothingElse) + "; give --config CONFIG"));
  const Outcome other = check(plugin, "--config " ASSAY_SOURCE_DIR "/configs/rq5_pipeline.toml");
  EXPECT_EQ(other.exit, 2);
  EXPECT_TRUE(contains(other.err, "there is no [analyzers.kernel_breakdown]"));
}

TEST(Check, RejectsNonPluginsAsUsageErrors) {
  for (const auto& [name, sentence] : {std::pair{"wrong_magic", "is not an assay descriptor"},
                                       {"no_symbol", "exports no 'assay_plugin'"},
                                       {"newer_minor", "newer_minor.so: "},
                                       {"absent", "does not exist"}}) {
    const Outcome outcome = check(bad_plugin(name));
    EXPECT_EQ(outcome.exit, 2) << name;
    EXPECT_TRUE(contains(outcome.err, sentence));
    EXPECT_EQ(outcome.out, "") << name;
  }
  EXPECT_EQ(check("/dev/null").exit, 2);
}

}  // namespace assay::testing::check_test
