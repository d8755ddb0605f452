// `assay bench`: one row per profile, with its kernels; the numbers themselves are nobody's promise.
#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::bench_test {

constexpr const char* kGrowth = "Above 100000 kernels, time grows as their number to the power of ";

std::string test_plugin(const std::string& name) {
  return (fs::path(ASSAY_BINARY_DIR) / "tests/loader/plugins" / (name + ".so")).string();
}

class Bench : public ::testing::Test {
 protected:
  Outcome bench(const std::string& arguments) {
    return run_assay(scratch_.path(), split_command("bench " + arguments));
  }
  TempFolder scratch_;
};

TEST_F(Bench, MadeUpReportsGrowToAMillionKernels) {
  const Outcome outcome = bench("run_summary -n 1");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  for (const char* kernels : {"10000", "31623", "100000", "316228", "1000000"})
    EXPECT_TRUE(contains_regex(outcome.out, "made up +" + std::string(kernels) + "  +[0-9.]+ (ns|us|ms|s) "));
  EXPECT_TRUE(contains_regex(outcome.out, std::string(kGrowth) + "-?[0-9]+\\."));
}

TEST_F(Bench, RealReportsAreRowsOfTheirKernels) {
  prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path());
  for (const char* config : {"", " --config config.toml"}) {
    const Outcome outcome = bench("run_summary -n 2 --reports reports" + std::string(config));
    EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
    std::size_t rows = 0;
    for (const auto& entry : fs::recursive_directory_iterator(scratch_ / "reports")) {
      if (entry.path().extension() != ".sqlite") continue;
      EXPECT_TRUE(contains_regex(outcome.out, entry.path().filename().string() + " +[0-9]+ ")) << config;
      ++rows;
    }
    EXPECT_EQ(rows, 3U);
  }
}

TEST_F(Bench, AQuestionWithMetricsOfSqlIsPlannedAsARunPlansIt) {
  prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path());
  write_text(scratch_ / "q.toml",
             "[question]\nid = \"q\"\n[analyzers.run_summary]\n[[metric]]\nid = \"q.kernels\"\n"
             "unit = \"1\"\ndefinition = \"kernels\"\nsql = \"SELECT count(*) AS value FROM kernels\"\n");
  for (const char* analyzer : {"run_summary", "sql"}) {
    const Outcome outcome = bench(std::string(analyzer) + " -n 1 --reports reports --config q.toml");
    EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
    EXPECT_TRUE(contains_regex(outcome.out, "\\.sqlite +[0-9]+ "));
  }
}

TEST_F(Bench, AFileIsAPluginToo) {
  const Outcome outcome = bench("-n 1 " + test_plugin("good"));
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "1000000"));
}

TEST_F(Bench, GatherAndConcludeAreRowsToo) {
  const Outcome outcome = bench("ranks -n 1");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  for (const char* row : {"gather of 2 ranks", "gather of 8 ranks", "conclude of 1000 runs"})
    EXPECT_TRUE(contains_regex(outcome.out, std::string(row) + " +- +[0-9.]+ (ns|us|ms|s) ")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, kGrowth)) << "no made-up report has what it needs";
  const Outcome concluding = bench("label_effect -n 1");
  EXPECT_EQ(concluding.exit, 0) << concluding.err;
  EXPECT_TRUE(contains_regex(concluding.out, "conclude of 10 runs +- +[0-9.]+ (ns|us|ms|s) "));
}

TEST_F(Bench, ReportsWhatItCannotMeasure) {
  const Outcome crashed = bench("-n 1 " + test_plugin("crashing"));
  EXPECT_EQ(crashed.exit, 3);
  EXPECT_TRUE(contains(crashed.out, "crashed with SIGSEGV"));
  const Outcome refused = bench("kernel_breakdown");
  EXPECT_EQ(refused.exit, 2);
  EXPECT_TRUE(contains_all(refused.err, {"'rules'", "--config"}));
  EXPECT_EQ(refused.out, "");
  const Outcome unknown = bench("no_such_analyzer");
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_TRUE(contains(unknown.err, "'no_such_analyzer'"));
}

}  // namespace assay::testing::bench_test
