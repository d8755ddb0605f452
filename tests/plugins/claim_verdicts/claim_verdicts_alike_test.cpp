// Steps of runs that are not alike, and strata without the metric.
#include "plugins/analyzers.hpp"
#include "plugins/study_claim.hpp"
#include "support/test.hpp"

namespace assay::claim_verdicts_alike_test {

using under_test::claim_verdicts::concluded;

using namespace testing;

OptionInputs step(double low, double high) {
  return {{"metric", "time_ns"}, {"compare", "step"}, {"label", "dim"},   {"base", "384"},
          {"treated", "768"},    {"per", "patch"},    {"block", "depth"}, {"between", std::vector<double>{low, high}}};
}

/// One run a depth and dim; `time` of depth and whether dim is 768.
template <class Add>
Recorder judged(const Add& add, double low, double high, bool extensive = false) {
  StudyBuilder study;
  for (const char* name : {"patch", "depth", "dim"}) study.label(name, StudyBuilder::kNumeric);
  study.label("mode");
  study.metric("time_ns", "ns", Polarity::kLowerIsBetter, extensive);
  for (const int depth : {6, 12, 18, 24}) {
    for (const bool upper : {false, true}) {
      const std::string dim = upper ? "768" : "384";
      add(study, std::to_string(depth) + "x" + dim,
          StudyBuilder::LabelValues{{"patch", "8"}, {"depth", std::to_string(depth)}, {"dim", dim}}, depth, upper);
    }
  }
  study.claim("c", "it rises", keys(), step(low, high));
  return concluded(study.build());
}

TEST(ClaimVerdictsAlike, AStepBetweenRunsOfTwoCompileModesIsUntestable) {
  const auto recorder = judged(
      [](StudyBuilder& study, const std::string& path, StudyBuilder::LabelValues labels, int depth, bool upper) {
        labels.emplace_back("mode", upper ? "compiled" : "eager");
        study.report(path, labels).fact("time_ns", (upper ? 200 : 100) + depth);
      },
      0, kInf);
  const auto& verdict = recorder.verdicts.at(0);
  EXPECT_EQ(verdict.verdict, Verdict::kUntestable);
  ASSERT_EQ(verdict.strata.size(), 2U);
  EXPECT_EQ(verdict.strata[0].reason, "no run of it has dim=768: the nearest differs in mode (compiled, not eager)");
}

// 40 iterations against 12: the sum falls, the time of an iteration rises 1.7 times.
TEST(ClaimVerdictsAlike, AStepOfUnequalLengthsIsJudgedPerIterationOrNotAtAll) {
  const auto add = [](StudyBuilder& study, const std::string& path, const StudyBuilder::LabelValues& labels, int depth,
                      bool upper) {
    const double iterations = upper ? 12 : 40;
    study.report(path, labels)
        .fact("time_ns", iterations * (upper ? 170 : 100) * (1 + 0.001 * depth))
        .fact("iteration.count", iterations);
  };
  EXPECT_EQ(judged(add, -kInf, 0, true).verdicts.at(0).verdict, Verdict::kRefuted) << "it does not fall";
  EXPECT_EQ(judged(add, 0, kInf, true).verdicts.at(0).verdict, Verdict::kSupported);
  const auto by_how_much = judged(add, 10, 1000, true);
  EXPECT_EQ(by_how_much.verdicts.at(0).verdict, Verdict::kUntestable) << "of which unit?";
  EXPECT_TRUE(contains(by_how_much.verdicts.at(0).reason, "these runs have different numbers of iterations"));
}

TEST(ClaimVerdictsAlike, ReplicatesOfACellAreOneUnitOfAStep) {
  // Four depths whose steps are 100, 100, 100 and -260: nobody knows whether the next one rises, however often
  // repeated.
  const auto recorder = judged(
      [](StudyBuilder& study, const std::string& path, const StudyBuilder::LabelValues& labels, int depth, bool upper) {
        const double rise = depth == 24 ? -260 : 100;
        for (int i = 0; i < 10; ++i)
          study.report(path + "_" + std::to_string(i), labels).fact("time_ns", 1000 + (upper ? rise : 0) + 0.1 * i);
      },
      -kInf, 60);
  EXPECT_EQ(recorder.verdicts.at(0).verdict, Verdict::kInconclusive);
}

TEST(ClaimVerdictsAlike, StrataWithoutTheMetricAreCountedAndSaid) {
  StudyBuilder study;
  study.label("dim", StudyBuilder::kNumeric).label("mode", {"none", "fast"});
  for (const char* dim : {"1", "2", "3"}) {
    for (const char* mode : {"none", "fast"}) {
      for (int i = 0; i < 4; ++i) {
        auto& report = study.report(std::string(dim) + mode + std::to_string(i), {{"dim", dim}, {"mode", mode}});
        report.fact("other", 1);
        if (*dim == '1' || (*dim == '2' && *mode == 'n'))
          report.fact("time_ns", (*mode == 'n' ? 1000 : 500) * (1 + 0.001 * i));
      }
    }
  }
  study.claim("c", "about half", keys(),
              {{"metric", "time_ns"},
               {"compare", "ratio"},
               {"label", "mode"},
               {"base", "none"},
               {"treated", "fast"},
               {"between", std::vector<double>{0.4, 0.6}}});
  const auto recorder = concluded(study.build());
  const auto& verdict = recorder.verdicts.at(0);
  EXPECT_EQ(verdict.verdict, Verdict::kSupported);
  EXPECT_TRUE(contains(verdict.reason, "supported where measured (1 of 3 pairs)"));
  ASSERT_EQ(verdict.strata.size(), 3U);
  EXPECT_EQ(verdict.strata[1].reason, "no run of it at the treated value has time_ns");
  EXPECT_EQ(verdict.strata[2].reason, "no run of it has time_ns");
  EXPECT_DOUBLE_EQ(verdict.strata[0].effect->effect.level, 0.95) << "what was not measured shares no error";
}

}  // namespace assay::claim_verdicts_alike_test
