#include "pipeline/outcome.hpp"

#include "assay/plugin.hpp"
#include "ci/annotations.hpp"
#include "cli/terminal.hpp"
#include "pipeline/inputs.hpp"
#include "plugins/plugins.hpp"
#include "render/sample_run.hpp"
#include "support/test.hpp"

namespace assay::testing::outcome_test {

constexpr Descriptor describe(Str id) {
  Descriptor d;
  d.sizes = detail::abi_sizes();
  d.cxx_abi = Str(kCxxAbi);
  d.id = id;
  d.version = "1.0.0";
  d.summary = "Does nothing.";
  d.stages = kStageAnalyze;
  d.create = [](const Options&, ErrorSink&) noexcept -> Analyzer* { return nullptr; };
  return d;
}
constexpr Descriptor kAlpha = describe("alpha"), kBeta = describe("beta");

/// Two reports and the analyzers alpha and beta.
class Outcomes : public ::testing::Test {
 protected:
  Outcomes() {
    sample.add_file("one");
    sample.add_file("two");
    sample.add_question();
    for (const Descriptor* d : {&kAlpha, &kBeta}) {
      auto plugin = Plugin::linked(*d);
      EXPECT_TRUE(plugin) << plugin.error().sentence;
      plugins.push_back(std::move(*plugin));
      sample.plan.questions[0].analyzers.push_back({plugins.back().get(), OptionSet({}), {}});
    }
  }
  void fails_on(std::size_t report, const char* analyzer) {
    const Skip skip{sample.catalog.files[report].name, analyzer, "threw", true};
    sample.report(0, report).skips.push_back(skip);
    sample.result(0).skips.push_back(skip);
  }
  void fails(const char* analyzer) { sample.result(0).skips.push_back({"", analyzer, "threw", true}); }

  std::vector<std::unique_ptr<Plugin>> plugins;
  SampleRun sample;
};

TEST_F(Outcomes, AllIsWell) {
  EXPECT_EQ(total_failure(sample.run), std::nullopt);
  EXPECT_EQ(partial_failure(sample.run), std::nullopt);
}

TEST_F(Outcomes, OneUnreadReportIsPartialAndAllAreTotal) {
  sample.report(0, 0).loaded = false;
  EXPECT_EQ(total_failure(sample.run), std::nullopt);
  EXPECT_TRUE(contains(partial_failure(sample.run).value_or(""), "1 profile not read, 0 profiles without"));
  sample.report(0, 1).loaded = false;
  EXPECT_TRUE(contains(total_failure(sample.run).value_or(""), "no profile could be read"));
}

TEST_F(Outcomes, AFileThatIsBothListedAndUnloadedCountsOnce) {
  sample.report(0, 0).loaded = false;
  sample.result(0).completeness.unreadable = {"one"};
  EXPECT_TRUE(contains(partial_failure(sample.run).value_or(""), "1 profile not read"));
}

TEST_F(Outcomes, AnAnalyzerThatFailsOnSomeReportsIsPartial) {
  fails_on(0, "alpha");
  fails_on(1, "beta");
  EXPECT_EQ(total_failure(sample.run), std::nullopt);
  EXPECT_TRUE(contains(partial_failure(sample.run).value_or(""), "2 failures"));
}

TEST_F(Outcomes, EveryAnalyzerFailedIsTotalHoweverEachFailed) {
  fails("alpha");
  EXPECT_EQ(total_failure(sample.run), std::nullopt);
  fails_on(0, "beta");
  EXPECT_EQ(total_failure(sample.run), std::nullopt);
  fails_on(1, "beta");
  EXPECT_TRUE(contains(total_failure(sample.run).value_or(""), "every analyzer failed"));
}

TEST_F(Outcomes, AMetricThatAReportCannotGiveIsNotAFailure) {
  sample.result(0).skips.push_back({"one", "alpha", "b.ratio: a is 0", false});
  EXPECT_EQ(partial_failure(sample.run), std::nullopt);
  sample.report(0, 0).lacking = true;
  EXPECT_TRUE(contains(partial_failure(sample.run).value_or(""), "1 profile without"));
}

TEST_F(Outcomes, AGateDecidesOnlyWhereAClaimIsDecided) {
  sample.result(0).claims.clear();
  EXPECT_FALSE(ci::gate_input(sample.run).decided);
  EXPECT_TRUE(contains(ci::gate_input(sample.run).undecided, "no question makes a claim"));
  sample.result(0).claims = {{"a", "a", "", Verdict::kInconclusive, "", {}},
                             {"b", "b", "", Verdict::kUntestable, "", {}}};
  EXPECT_FALSE(ci::gate_input(sample.run).decided);
  EXPECT_TRUE(contains(ci::gate_input(sample.run).undecided, "none of 2 claims is decided"));
  sample.result(0).claims[0].verdict = Verdict::kSupported;
  EXPECT_TRUE(ci::gate_input(sample.run).decided);
}

TEST_F(Outcomes, OnlyRefutedClaimsAreRefuted) {
  for (const Verdict v : {Verdict::kSupported, Verdict::kInconclusive, Verdict::kUntestable}) {
    sample.result(0).claims.push_back({"other", "", "", v, "", {}});
  }
  const auto failed = [&] { return ci::gate_input(sample.run).with(Verdict::kRefuted).size(); };
  EXPECT_EQ(failed(), 0U);
  sample.result(0).claims.push_back({"wrong", "", "", Verdict::kRefuted, "", {}});
  EXPECT_EQ(failed(), 1U);
  EXPECT_EQ(ci::failure_text(ci::gate_input(sample.run)), "1 claim refuted (q0: wrong)");
}

TEST(ReportFolders, WithoutAnyTheCurrentFolderOnlyIfItHoldsWhatTheQuestionNames) {
  Question question;
  question.file = "q.toml";
  question.id = "q";
  const std::vector<std::filesystem::path> given = {"a", "b"};
  EXPECT_EQ(*report_folders(given, {question}), given);
  EXPECT_TRUE(contains(report_folders({}, {question}).error().sentence, "names no folder of profiles; give"));
  question.reports.folder = "surely_not_here";
  EXPECT_EQ(report_folders({}, {question}).error().exit, Exit::kUsage);
  question.reports.folder = ".";
  EXPECT_TRUE(equals(*report_folders({}, {question}), {"."}));
}

TEST(Progress, ShowsRateAndRemainingTime) {
  EXPECT_EQ(progress_line(0, 4, 0), "profiles [........................] 0/4");
  EXPECT_EQ(progress_line(3, 4, 2), "profiles [##################......] 3/4  1.500/s  1 s left");
  EXPECT_EQ(progress_line(4, 4, 2), "profiles [########################] 4/4  2/s  0 s left");
  EXPECT_LE(progress_line(123456789, 987654321, 1e-9).size(), 79U);
}

}  // namespace assay::testing::outcome_test
