#include "assay/detail/spread.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/study_claim.hpp"
#include "support/test.hpp"

namespace assay::claim_verdicts_test {

using namespace under_test::claim_verdicts;
using namespace testing;

/// Two pairs whose ratio is 0.5, replicates of each base program within 1 %, and other programs that repeat as well.
void pairs(StudyBuilder& study) {
  study.label("dim", StudyBuilder::kNumeric);
  study.label("mode", {"none", "fast"}, kChangesKernels);
  for (const int dim : {384, 768}) {
    const std::string d = std::to_string(dim);
    study.report(d + "_none", {{"dim", d}, {"mode", "none"}}).attribute("fingerprint", d).fact("time_ns", 1000.0 * dim);
    study.report(d + "_fast", {{"dim", d}, {"mode", "fast"}})
        .attribute("fingerprint", d + "f")
        .fact("time_ns", 500.0 * dim);
    for (int i = 1; i < 8; ++i) {
      study.noise_report(d + "_again" + std::to_string(i), {{"dim", d}, {"mode", "none"}})
          .attribute("fingerprint", d)
          .fact("time_ns", 1000.0 * dim * (1 + 0.002 * (i - 4)));
    }
  }
  for (int i = 0; i < 28; ++i) {
    const std::string program = "other" + std::to_string(i / 7);
    study.noise_report(program + "_" + std::to_string(i % 7), {{"dim", "384"}, {"mode", "none"}})
        .attribute("fingerprint", program)
        .fact("time_ns", 1000.0 * (1 + 0.002 * (i % 7 - 3)));
  }
}

OptionInputs ratio(double low, double high) {
  return {{"metric", "time_ns"}, {"compare", "ratio"}, {"label", "mode"},
          {"base", "none"},      {"treated", "fast"},  {"between", std::vector<double>{low, high}}};
}

TEST(ClaimVerdicts, RatioInsideOutsideAndStraddlingTheClaimedRange) {
  StudyBuilder study;
  pairs(study);
  study.claim("inside", "about half", keys(), ratio(0.45, 0.55));
  study.claim("outside", "less than 1 %", keys(), ratio(0.99, 1.01));
  study.claim("straddles", "at most half", keys(), ratio(0, 0.5));
  const auto recorder = concluded(study.build());
  ASSERT_EQ(recorder.verdicts.size(), 3U);
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kSupported);
  EXPECT_EQ(recorder.verdicts[1].verdict, Verdict::kRefuted);
  EXPECT_EQ(recorder.verdicts[2].verdict, Verdict::kInconclusive);
  EXPECT_TRUE(contains(recorder.verdicts[0].reason, "supported in all 2 pairs"));
  ASSERT_EQ(recorder.verdicts[0].strata.size(), 2U);
  EXPECT_DOUBLE_EQ(recorder.verdicts[0].strata[0].effect->effect.value, 0.5);
}

TEST(ClaimVerdicts, SidesThatAreNotNamedAreTheFirstValueAndAllOthers) {
  StudyBuilder study;
  pairs(study);
  OptionInputs unnamed = ratio(0.45, 0.55);
  std::erase_if(unnamed, [](const auto& key) { return key.first == "treated"; });
  study.claim("no treated", "", keys(), unnamed);
  std::erase_if(unnamed, [](const auto& key) { return key.first == "base"; });
  study.claim("no side", "", keys(), unnamed);
  const auto recorder = concluded(study.build());
  for (const auto& verdict : recorder.verdicts) {
    EXPECT_EQ(verdict.verdict, Verdict::kSupported) << verdict.reason;
    EXPECT_EQ(verdict.strata.size(), 2U);
  }
}

TEST(ClaimVerdicts, AStepWithoutLevelsIsFromTheFirstToTheNext) {
  StudyBuilder study;
  study.label("px", StudyBuilder::kNumeric);
  for (const int px : {448, 224, 256}) {
    for (int run = 0; run < 3; ++run) {
      study.report(std::to_string(px) + "_" + std::to_string(run), {{"px", std::to_string(px)}})
          .fact("time_ns", px + 0.1 * run);
    }
  }
  const auto step = [](OptionInputs more) {
    const OptionInputs all = {
        {"metric", "time_ns"}, {"compare", "step"}, {"label", "px"}, {"between", std::vector<double>{0, 1e9}}};
    more.insert(more.end(), all.begin(), all.end());
    return more;
  };
  study.claim("from the first", "", keys(), step({}));
  study.claim("from the second", "", keys(), step({{"base", "256"}}));
  study.claim("from the last", "", keys(), step({{"base", "448"}}));
  const auto recorder = concluded(study.build());
  EXPECT_NEAR(recorder.verdicts[0].strata.front().effect->effect.value, 32, 1e-6);
  EXPECT_NEAR(recorder.verdicts[1].strata.front().effect->effect.value, 192, 1e-6);
  EXPECT_EQ(recorder.verdicts[2].verdict, Verdict::kUntestable) << "there is no level after it";
}

/// One pair whose runs tell by "work.size" how much they did.
Recorder one_pair(std::optional<double> of_base, std::optional<double> of_treated) {
  StudyBuilder study;
  study.label("mode", {"none", "fast"}, kChangesKernels);
  auto& base = study.report("a", {{"mode", "none"}}).fact("time_ns", 1000);
  if (of_base) base.fact("work.size", *of_base);
  auto& treated = study.report("b", {{"mode", "fast"}}).fact("time_ns", 500);
  if (of_treated) treated.fact("work.size", *of_treated);
  auto claim = ratio(0.45, 0.55);
  claim.emplace_back("work", "work.size");
  study.claim("c", "about half", keys(), claim);
  return concluded(study.build());
}

TEST(ClaimVerdicts, AreUntestableIfWorkIsUnlike) {
  const auto unlike = one_pair(128, 32);
  EXPECT_EQ(unlike.verdicts[0].verdict, Verdict::kUntestable);
  EXPECT_EQ(unlike.verdicts[0].reason, "unlike work (work.size: 128 against 32)");
  const auto like = one_pair(128, 128);
  EXPECT_EQ(like.verdicts[0].verdict, Verdict::kInconclusive);
  EXPECT_TRUE(contains(like.verdicts[0].reason, "one run per side"));
  for (const auto& silent : {one_pair({}, 128), one_pair(128, {}), one_pair({}, {})}) {
    EXPECT_EQ(silent.verdicts[0].verdict, Verdict::kUntestable);
    EXPECT_EQ(silent.verdicts[0].reason, "no run of it records by work.size what work it did");
  }
}

TEST(ClaimVerdicts, OneStratumOfUnlikeWorkLeavesTheOthers) {
  StudyBuilder study;
  pairs(study);
  auto claim = ratio(0.45, 0.55);
  claim.emplace_back("work", "time_ns");
  study.claim("c", "about half", keys(), claim);
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kUntestable) << "times differ within each pair";
  EXPECT_TRUE(contains(recorder.verdicts[0].reason, "unlike work (time_ns: 384000 against 192000)"));
}

TEST(ClaimVerdicts, LevelOfTheIntervalFallsWithTheNumberOfTestedClaims) {
  StudyBuilder study;
  pairs(study);
  study.claim("a", "a", keys(), ratio(0.45, 0.55));
  study.claim("b", "b", keys(), ratio(0.45, 0.55));
  auto nobody = ratio(0.45, 0.55);
  nobody.emplace_back("where", "dim=9999");
  study.claim("c", "of runs that are not there", keys(), nobody);
  const auto recorder = concluded(study.build());
  EXPECT_DOUBLE_EQ(recorder.verdicts[0].strata[0].effect->effect.level, 1 - 0.05 / 2);
  EXPECT_EQ(recorder.verdicts[2].verdict, Verdict::kUntestable);
  EXPECT_TRUE(recorder.verdicts[2].strata.empty());
}

TEST(ClaimVerdicts, TheNoiseFloorIsSaidOnceForAllClaims) {
  StudyBuilder study;
  pairs(study);
  study.claim("a", "a", keys(), ratio(0.45, 0.55));
  study.claim("b", "b", keys(), ratio(0.4, 0.6));
  const auto recorder = concluded(study.build());
  std::size_t notes = 0;
  for (const auto& finding : recorder.findings) {
    if (finding.role != FindingRole::kNote) continue;
    ++notes;
    EXPECT_TRUE(contains(finding.title, "How much repeat runs differ in the claimed metrics: time_ns "));
  }
  EXPECT_EQ(notes, 1U);
  for (const auto& verdict : recorder.verdicts) EXPECT_EQ(verdict.reason.find("differ"), std::string::npos);
}

TEST(ClaimVerdicts, WithoutASpreadBetweenRunsNothingIsDecided) {
  StudyBuilder study;
  study.label("mode", {"none", "fast"}, kChangesKernels);
  study.metric("time_ns", "ns");
  study.report("a", {{"mode", "none"}}).attribute("fingerprint", "x").fact("time_ns", 100, {}, {99, 100, 101});
  study.report("b", {{"mode", "fast"}}).attribute("fingerprint", "y").fact("time_ns", 10, {}, {9, 10, 11});
  study.claim("tenth", "a tenth", keys(), ratio(0.05, 0.2));
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(recorder.verdicts[0].strata[0].effect->effect.scope, Scope::kWithinRun);
  EXPECT_TRUE(contains_all(recorder.verdicts[0].reason, {"10x faster", "; not confirmed: one run"}));
  EXPECT_EQ(recorder.verdicts[0].strata[0].need.unit, NeedUnit::kNothing);
  EXPECT_TRUE(contains(recorder.verdicts[0].strata[0].in_vain, "no repeat runs"));
}

TEST(ClaimVerdicts, AnOpenStratumSaysHowManyRunsItNeeds) {
  StudyBuilder study;
  study.label("mode", {"none", "fast"}, kChangesKernels);
  study.metric("time_ns", "ns");
  const double base[] = {100, 103, 98}, treated[] = {97, 99, 101};
  for (int i = 0; i < 3; ++i) {
    const std::string run = std::to_string(i);
    study.report("n" + run, {{"mode", "none"}}).attribute("fingerprint", "n").fact("time_ns", base[i]);
    study.report("f" + run, {{"mode", "fast"}}).attribute("fingerprint", "f").fact("time_ns", treated[i]);
  }
  study.claim("faster", "faster", keys(), ratio(0, 1));
  study.claim("half", "half", keys(), ratio(0.4, 0.6));
  const auto recorder = concluded(study.build());
  const auto& open = recorder.verdicts[0].strata[0];
  ASSERT_EQ(open.verdict, Verdict::kInconclusive);
  EXPECT_EQ(open.need.unit, NeedUnit::kRuns);
  EXPECT_EQ(open.need.scale, NeedScale::kLogs);
  EXPECT_EQ(open.need.seen, 3);
  EXPECT_EQ(open.need.sides, 2);
  const auto logs = [](const double(&runs)[3]) { return std::log(runs[0]) + std::log(runs[1]) + std::log(runs[2]); };
  EXPECT_NEAR(open.need.centre, (logs(treated) - logs(base)) / 3, 1e-12);
  EXPECT_EQ(open.need.high, 0);
  EXPECT_EQ(open.need.low, -kInf);
  EXPECT_GT(open.need.spread, 0.01);
  EXPECT_EQ(static_cast<std::size_t>(open.need.needed),
            runs_needed(open.need.centre, open.need.spread, {-kInf, 0, 1 - 0.05 / 2, 2}, 10000));
  EXPECT_GT(open.need.needed, 3);
}

TEST(ClaimVerdicts, APairWithAContradictedLabelIsOutAndTheClaimUntestable) {
  StudyBuilder study;
  study.label("mode", {"none", "fast"}, kChangesKernels);
  study.report("a", {{"mode", "none"}}).fact("time_ns", 100);
  study.report("b", {{"mode", "fast"}})
      .fact("time_ns", 10)
      .fact("label.verdict", 1, "label=mode;verdict=not_borne_out");
  study.claim("tenth", "a tenth", keys(), ratio(0.05, 0.2));
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kUntestable);
}

/// Three runs at every batch; those of batch 4 are in truth of another one.
void with_liars(StudyBuilder& study) {
  study.label("batch", StudyBuilder::kNumeric).descriptive_label("run");
  for (const int batch : {1, 2, 4}) {
    for (int i = 0; i < 3; ++i) {
      const std::string b = std::to_string(batch), run = std::to_string(i);
      auto& report = study.report(b + "_" + run, {{"batch", b}, {"run", run}})
                         .attribute("fingerprint", b)
                         .fact("time_ns", (batch == 4 ? 90000.0 : 1000.0 * batch) + i);
      if (batch == 4) report.fact("label.verdict", 1, "label=batch;verdict=contradicted");
    }
  }
}

TEST(ClaimVerdicts, ALevelIsNeverJudgedOnRunsThatAreNotBelieved) {
  StudyBuilder study;
  with_liars(study);
  study.claim("all", "below 5 us", keys(),
              {{"metric", "time_ns"}, {"compare", "level"}, {"between", std::vector<double>{0, 5000}}});
  study.claim(
      "liars", "below 5 us at batch 4", keys(),
      {{"metric", "time_ns"}, {"compare", "level"}, {"where", "batch=4"}, {"between", std::vector<double>{0, 5000}}});
  const Study& built = study.build();
  const auto recorder = concluded(built);
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kSupported) << recorder.verdicts[0].reason;
  EXPECT_EQ(recorder.verdicts[0].strata.size(), 2U);
  for (const auto& stratum : recorder.verdicts[0].strata) {
    for (const std::int64_t fact : stratum.evidence) {
      const auto report = static_cast<std::size_t>(built.facts->report[static_cast<std::uint64_t>(fact)]);
      EXPECT_TRUE(StudyView(built).believed(report)) << StudyView(built).path(report);
    }
  }
  EXPECT_EQ(recorder.verdicts[1].verdict, Verdict::kUntestable);
  EXPECT_TRUE(contains(recorder.verdicts[1].reason, "its label batch"));
}

TEST(ClaimVerdicts, AStepIsNeverJudgedOnRunsThatAreNotBelieved) {
  StudyBuilder study;
  with_liars(study);
  const auto step = [](const char* base, const char* treated) {
    return OptionInputs{{"metric", "time_ns"}, {"compare", "step"},  {"label", "batch"},
                        {"base", base},        {"treated", treated}, {"between", std::vector<double>{500, 1500}}};
  };
  study.claim("honest", "1 us more", keys(), step("1", "2"));
  study.claim("lying", "1 us more", keys(), step("2", "4"));
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kSupported) << recorder.verdicts[0].reason;
  EXPECT_EQ(recorder.verdicts[0].strata[0].evidence.size(), 6U);
  EXPECT_EQ(recorder.verdicts[1].verdict, Verdict::kUntestable);
}

TEST(ClaimVerdicts, AStepTakesTheMedianOfTheRanksOfAJob) {
  StudyBuilder study;
  study.label("batch", StudyBuilder::kNumeric).descriptive_label("run").rank_label("rank");
  for (const char* batch : {"1", "2"}) {
    for (int run = 0; run < 3; ++run) {
      for (int rank = 0; rank < 3; ++rank) {
        const double time = (*batch == '1' ? 1000 : 2000) + run;
        study
            .report(std::string(batch) + "_" + std::to_string(run) + "/" + std::to_string(rank),
                    {{"batch", batch}, {"run", std::to_string(run)}, {"rank", std::to_string(rank)}})
            .fact("time_ns", rank == 0 ? 50 * time : time);
      }
    }
  }
  study.claim("step", "1 us more", keys(),
              {{"metric", "time_ns"},
               {"compare", "step"},
               {"label", "batch"},
               {"base", "1"},
               {"treated", "2"},
               {"between", std::vector<double>{900, 1100}}});
  const auto recorder = concluded(study.build());
  ASSERT_EQ(recorder.verdicts[0].strata.size(), 1U) << recorder.verdicts[0].reason;
  EXPECT_NEAR(recorder.verdicts[0].strata[0].effect->effect.value, 1000, 1e-6) << "the first rank is an outlier";
  EXPECT_EQ(recorder.verdicts[0].strata[0].effect->effect.n, 6);
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kSupported);
}

TEST(ClaimVerdicts, TheLevelIsThatOfTheQuestion) {
  StudyBuilder study;
  pairs(study);
  study.level(0.8);
  study.claim("a", "about half", keys(), ratio(0.45, 0.55));
  study.claim("b", "about half", keys(), ratio(0.45, 0.55));
  const auto recorder = concluded(study.build());
  EXPECT_DOUBLE_EQ(recorder.verdicts[0].strata[0].effect->effect.level, 0.9);
}

TEST(ClaimVerdicts, RunsWhoseNamesSayNothingAreNoReplicates) {
  StudyBuilder study;
  study.label("batch", StudyBuilder::kNumeric);
  for (int i = 0; i < 39; ++i)
    study.report("r" + std::to_string(i)).attribute("fingerprint", std::to_string(i)).fact("time_ns", 100 + i);
  study.claim("level", "below 1 ns", keys(),
              {{"metric", "time_ns"}, {"compare", "level"}, {"between", std::vector<double>{0, 1}}});
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kUntestable);
  EXPECT_TRUE(contains(recorder.verdicts[0].reason, "its name gives it no label"));
}

TEST(ClaimVerdicts, WithoutDeclaredLabelsEveryRunIsItsOwn) {
  StudyBuilder study;
  for (int i = 0; i < 3; ++i)
    study.report("r" + std::to_string(i)).attribute("fingerprint", "x").fact("time_ns", 100 + i);
  study.claim("level", "below 1 ns", keys(),
              {{"metric", "time_ns"}, {"compare", "level"}, {"between", std::vector<double>{0, 1}}});
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(recorder.verdicts[0].strata.size(), 3U);
}

TEST(ClaimVerdicts, RanksOfOneJobAVariantDecideNothing) {
  StudyBuilder study;
  study.label("mode", {"none", "fast"}, kChangesKernels);
  for (const char* mode : {"none", "fast"}) {
    for (int rank = 0; rank < 2; ++rank) {
      study.report(std::string(mode) + std::to_string(rank), {{"mode", mode}})
          .attribute("fingerprint", mode)
          .attribute("rank", std::to_string(rank))
          .attribute("world_size", "2")
          .fact("time_ns", (mode[0] == 'n' ? 1000 : 100) + rank);
    }
  }
  study.claim("tenth", "a tenth", keys(), ratio(0.05, 0.2));
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(recorder.verdicts[0].strata[0].effect->effect.n, 2) << "four reports, two jobs";
  EXPECT_EQ(recorder.verdicts[0].strata[0].effect->effect.scope, Scope::kWithinRun);
}

TEST(ClaimVerdicts, AClaimSpeaksOfAllItsStrata) {
  StudyBuilder study;
  pairs(study);
  // Level: 384 000 ns lies inside, 768 000 ns outside; the compiled runs are not selected.
  study.claim("level", "about 384 us", keys(),
              {{"metric", "time_ns"},
               {"compare", "level"},
               {"where", "mode=none"},
               {"between", std::vector<double>{300e3, 500e3}}});
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kRefuted);
  EXPECT_TRUE(contains(recorder.verdicts[0].reason, "supported in 1, refuted in 1 of 2 "));
}

/// `all` pairs with ten replicates each with a spread of 10 %; the treated run of the first `odd` is shorter by
/// `effect` (a log).
testing::Recorder judged_pairs(int all, int odd, double effect) {
  StudyBuilder study;
  study.label("dim", StudyBuilder::kNumeric);
  study.label("mode", {"none", "fast"}, kChangesKernels);
  for (int dim = 1; dim <= all; ++dim) {
    const std::string d = std::to_string(dim);
    for (int i = 0; i < 10; ++i) {
      study.noise_report(d + "_again" + std::to_string(i), {{"dim", d}, {"mode", "none"}})
          .attribute("fingerprint", d)
          .fact("time_ns", std::exp(i % 2 == 0 ? 0.095 : -0.095));
    }
    study.report(d + "_none", {{"dim", d}, {"mode", "none"}}).attribute("fingerprint", d).fact("time_ns", 1);
    study.report(d + "_fast", {{"dim", d}, {"mode", "fast"}})
        .attribute("fingerprint", d + "f")
        .fact("time_ns", dim <= odd ? std::exp(-effect) : 1);
  }
  study.claim("same", "within 5 %", keys(), ratio(0.95, 1.05));
  return concluded(study.build());
}

TEST(ClaimVerdicts, StrataThatChanceRefutesLeaveTheClaimOpenAndHalfOfThemDoNot) {
  struct Case {
    int all, odd;
    double effect;
    Verdict verdict;
  };
  // A spread of a difference is 0.141 and the bound is at 0.051. Alone a pair of 16 contradicts from 3.2 spreads on,
  // with seven others from 2.5 on; at 95 % from 2 on.
  for (const Case& one : {Case{20, 1, 0.36, Verdict::kInconclusive}, Case{16, 9, 0.42, Verdict::kRefuted},
                          Case{16, 7, 0.42, Verdict::kInconclusive}, Case{16, 9, 0.36, Verdict::kInconclusive},
                          Case{16, 1, 0.6, Verdict::kRefuted}}) {
    const auto recorder = judged_pairs(one.all, one.odd, one.effect);
    const auto& strata = recorder.verdicts[0].strata;
    EXPECT_EQ(std::ranges::count(strata, Verdict::kRefuted, [](const auto& s) { return s.verdict; }), one.odd);
    EXPECT_EQ(recorder.verdicts[0].verdict, one.verdict) << one.odd << " of " << one.all << ", " << one.effect;
    EXPECT_EQ(contains(recorder.verdicts[0].reason, "may differ by chance"), one.verdict != Verdict::kRefuted);
  }
}

TEST(ClaimVerdicts, StepIsJudgedPerStratumOnTheSpreadOfTheRuns) {
  StudyBuilder study;
  for (const char* name : {"patch", "depth", "dim"}) study.label(name, StudyBuilder::kNumeric);
  for (const int patch : {8, 16}) {
    for (const int depth : {6, 12, 18}) {
      for (const int dim : {384, 768, 1024}) {
        const double jump = dim == 384 ? 0.4 : patch == 8 ? 0.9 : 0.5;
        study
            .report(std::to_string(patch) + "x" + std::to_string(depth) + "x" + std::to_string(dim),
                    {{"patch", std::to_string(patch)}, {"depth", std::to_string(depth)}, {"dim", std::to_string(dim)}})
            .fact("busy", jump + 0.001 * ((depth / 6 + dim / 128) % 3));
      }
    }
  }
  study.claim("jump", "by 30 points", keys(),
              {{"metric", "busy"},
               {"compare", "step"},
               {"label", "dim"},
               {"base", "384"},
               {"treated", "768"},
               {"per", "patch"},
               {"block", "depth"},
               {"between", std::vector<double>{0.3, kInf}}});
  const auto recorder = concluded(study.build());
  const auto& verdict = recorder.verdicts[0];
  ASSERT_EQ(verdict.strata.size(), 2U);
  EXPECT_EQ(verdict.strata[0].verdict, Verdict::kSupported);
  EXPECT_NEAR(verdict.strata[0].effect->effect.value, 0.5, 0.002);
  EXPECT_EQ(verdict.strata[1].verdict, Verdict::kRefuted);
  EXPECT_EQ(verdict.verdict, Verdict::kRefuted);
}

TEST(ClaimVerdicts, KeysThatDoNotFitTogetherAreRefusedWhenTheRunIsPlanned) {
  const auto refusal = [](const OptionInputs& inputs) {
    testing::Recorder recorder;
    const testing::OptionMap options(keys(), inputs);
    return descriptor.check_claim(options, recorder) ? std::string() : recorder.failures.front();
  };
  EXPECT_EQ(refusal(ratio(0.1, 0.2)), "");
  EXPECT_TRUE(contains(refusal(ratio(0.2, 0.1)), "lower first"));
  EXPECT_TRUE(contains(refusal({{"metric", "m"}, {"compare", "ratio"}, {"between", std::vector<double>{0, 1}}}),
                       "need 'label'"));
  EXPECT_TRUE(contains(refusal({{"compare", "level"}, {"between", std::vector<double>{0, 1}}}), "'metric' is missing"));
  auto level = ratio(0, 1);
  level[1] = {"compare", "level"};
  EXPECT_TRUE(contains(refusal(level), "remove 'label'"));
  EXPECT_EQ(refusal(of_study("m", 0, 1)), "");
  auto study = of_study("m", 0, 1);
  study.emplace_back("spread", "s");
  EXPECT_TRUE(contains(refusal(study), "go together"));
  study.emplace_back("degrees", "d");
  EXPECT_EQ(refusal(study), "");
  study.emplace_back("exact", true);
  EXPECT_TRUE(contains(refusal(study), "not both"));
  auto where = of_study("m", 0, 1);
  where.emplace_back("where", "px=448");
  EXPECT_TRUE(contains(refusal(where), "select them by 'dims'"));
  auto exact_ratio = ratio(0, 1);
  exact_ratio.emplace_back("exact", true);
  EXPECT_TRUE(contains(refusal(exact_ratio), "'exact' belongs to"));
}

TEST(ClaimVerdicts, AnExactLevelNeedsNoReplicates) {
  StudyBuilder study;
  study.label("dim", StudyBuilder::kNumeric);
  study.report("a", {{"dim", "384"}}).fact("operations", 51.2);
  OptionInputs level = {{"metric", "operations"}, {"compare", "level"}, {"between", std::vector<double>{10, kInf}}};
  study.claim("open", "far more", keys(), level);
  level.emplace_back("exact", true);
  study.claim("exact", "far more", keys(), level);
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(recorder.verdicts[1].verdict, Verdict::kSupported);
  EXPECT_EQ(recorder.verdicts[1].strata[0].effect->effect.lo, 51.2);
}

}  // namespace assay::claim_verdicts_test
