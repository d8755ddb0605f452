// Claims about runs that were recorded in blocks: judged by a confidence sequence over blocks, and not at all where the
// A/A pair differs.
#include "algo/noise/sequence.hpp"
#include "assay/detail/random.hpp"
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::recorded_claims_test {

using namespace under_test::claim_verdicts;
using namespace testing;

struct BlockDesign {
  std::size_t blocks = 16;
  double effect = 1;         ///< treated over base
  double drift = 0.5;        ///< sd of the log of what a whole block is slower
  double twin = 1;           ///< twin over base
  std::size_t turns = 1000;  ///< the block from which the effect is its reciprocal
  double fast_sd = 0.005;    ///< of logs of the treated runs
};

/// Runs of two modes and a twin in every block; blocks differ by far more than the runs in them.
void record(StudyBuilder& study, const BlockDesign& made) {
  study.label("mode", {"none", "fast"}, kChangesKernels);
  study.descriptive_label("block");
  study.descriptive_label("twin");
  Random random("recorded");
  for (std::size_t b = 1; b <= made.blocks; ++b) {
    const std::string block = std::to_string(b);
    const double level = 1e6 * std::exp(made.drift * random.normal());
    const auto noise = [&] { return std::exp(0.005 * random.normal()); };
    study.report(block + "_none", {{"mode", "none"}, {"block", block}, {"twin", "no"}})
        .fact("time_ns", level * noise());
    study.report(block + "_fast", {{"mode", "fast"}, {"block", block}, {"twin", "no"}})
        .fact("time_ns",
              level * (b < made.turns ? made.effect : 1 / made.effect) * std::exp(made.fast_sd * random.normal()));
    study.report(block + "_twin", {{"mode", "none"}, {"block", block}, {"twin", "yes"}})
        .fact("time_ns", level * made.twin * noise());
  }
}

/// What comes of the claim that the ratio of fast to none is between the bounds.
auto judged(StudyBuilder& study, double low, double high, const char* metric = "time_ns") {
  study.claim("c", "a claim", descriptor.claim_keys.view(),
              {{"metric", metric},
               {"compare", "ratio"},
               {"label", "mode"},
               {"base", "none"},
               {"treated", "fast"},
               {"between", std::vector<double>{low, high}}});
  return concluded(study.build());
}

Verdict verdict_on(const BlockDesign& made, double low, double high, std::string* reason = nullptr,
                   std::string* method = nullptr) {
  StudyBuilder study;
  record(study, made);
  const auto recorder = judged(study, low, high);
  if (reason != nullptr) *reason = recorder.verdicts.at(0).reason;
  if (method != nullptr) *method = recorder.verdicts.at(0).strata.at(0).effect->method;
  return recorder.verdicts.at(0).verdict;
}

TEST(RecordedClaims, ADriftOfWholeBlocksCancels) {
  std::string method;
  EXPECT_EQ(verdict_on({.effect = 0.9}, 0.85, 0.95, nullptr, &method), Verdict::kSupported);
  EXPECT_TRUE(contains(method, "confidence sequence over 16 blocks of differences of logs"));
  EXPECT_EQ(verdict_on({.effect = 0.9}, 0.97, 1.03), Verdict::kRefuted);
  EXPECT_EQ(verdict_on({}, 0.95, 1.05), Verdict::kSupported) << "no effect, shown and not assumed";
  EXPECT_EQ(verdict_on({.effect = 0.95}, 0.95, 1.05), Verdict::kInconclusive) << "at the bound";
}

TEST(RecordedClaims, HandsOnWhatItIsJudgedOn) {
  StudyBuilder study;
  record(study, {.effect = 0.9});
  const auto recorder = judged(study, 0.85, 0.95);
  const Effect& effect = recorder.verdicts.at(0).strata.at(0).effect->effect;
  const std::string dims = "metric=time_ns;mode=fast / none";
  EXPECT_EQ(recorder.value("claim.ratio", dims), effect.value);
  EXPECT_EQ(recorder.value("claim.ratio_low", dims), effect.lo);
  EXPECT_EQ(recorder.value("claim.ratio_high", dims), effect.hi);
  EXPECT_EQ(recorder.value("claim.level", dims), effect.level);
  StudyBuilder differs;
  record(differs, {.effect = 0.9, .twin = 1.2});
  const auto doubted = judged(differs, 0.85, 0.95);
  EXPECT_TRUE(doubted.value("claim.ratio", dims));
  EXPECT_FALSE(doubted.value("claim.ratio_low", dims)) << "the A/A pair differs";
}

TEST(RecordedClaims, ALabelCalledLikeADimOfTheMetricIsJudgedAllTheSame) {
  StudyBuilder study;
  study.label("direction", {"h2d", "d2h"});
  for (int i = 0; i < 5; ++i) {
    for (const char* label : {"h2d", "d2h"})
      study.report(label + std::to_string(i), {{"direction", label}})
          .fact("bytes_per_s", (*label == 'h' ? 100 : 50) + 0.01 * i, "direction=up");
  }
  study.claim("c", "a claim", descriptor.claim_keys.view(),
              {{"metric", "bytes_per_s"},
               {"dims", "direction=up"},
               {"compare", "ratio"},
               {"label", "direction"},
               {"base", "h2d"},
               {"between", std::vector<double>{0.4, 0.6}}});
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts.at(0).verdict, Verdict::kSupported);
  for (const auto& fact : recorder.facts) EXPECT_NE(fact.metric, "claim.ratio") << "two dims of one name";
}

TEST(RecordedClaims, OneBlockDecidesNothingAndTwoOnlyWhatIsFarBeyondTheNoise) {
  EXPECT_EQ(verdict_on({.blocks = 1, .effect = 0.1}, 0.05, 0.6), Verdict::kInconclusive);
  EXPECT_EQ(verdict_on({.blocks = 2, .effect = 0.1}, 0.05, 0.6), Verdict::kSupported);
  EXPECT_EQ(verdict_on({.blocks = 2, .effect = 0.57}, 0.05, 0.6), Verdict::kInconclusive) << "near the bound";
}

TEST(RecordedClaims, AnOpenStratumSaysHowManyBlocksItNeeds) {
  StudyBuilder study;
  record(study, {.blocks = 9, .effect = 0.97});
  const auto recorder = judged(study, 0.5, 0.975);
  const auto& open = recorder.verdicts.at(0).strata.at(0);
  ASSERT_EQ(open.verdict, Verdict::kInconclusive);
  EXPECT_EQ(open.need.unit, NeedUnit::kBlocks);
  EXPECT_EQ(open.need.seen, 9);
  EXPECT_EQ(open.need.degrees, 8);
  EXPECT_NEAR(std::exp(open.need.centre), open.effect->effect.value, 1e-12);
  EXPECT_NEAR(open.need.high, std::log(0.975), 1e-12);
  const SequenceClaim asked = {open.need.low, open.need.high, 0.95, open.need.unseen, true};
  EXPECT_EQ(static_cast<std::size_t>(open.need.needed),
            std::max<std::size_t>(10, sequence_blocks_needed(open.need.centre, open.need.spread, asked, 10000)));
}

TEST(RecordedClaims, FewBlocksAllAlikeDoNotTellASmallEffectFromAClockThatSticks) {
  EXPECT_EQ(verdict_on({.blocks = 7, .effect = 0.95}, 0, 0.98), Verdict::kInconclusive);
  EXPECT_EQ(verdict_on({.blocks = 16, .effect = 0.95}, 0, 0.98), Verdict::kSupported);
}

TEST(RecordedClaims, AnEffectThatTurnsRoundIsSaid) {
  std::string reason;
  EXPECT_EQ(verdict_on({.blocks = 60, .effect = 0.9, .turns = 20}, 0.85, 0.95, &reason), Verdict::kInconclusive);
  EXPECT_TRUE(contains_regex(reason, "^the effect changed (at|by) block [0-9]+"));
}

/// AR(1) of 0.9 over blocks, of the treated runs alone.
TEST(RecordedClaims, NoiseThatLastsTooLongIsSaid) {
  StudyBuilder study;
  study.label("mode", {"none", "fast"}, kChangesKernels);
  study.descriptive_label("block");
  Random random("lasting");
  double slow = 0;
  for (std::size_t b = 1; b <= 30; ++b) {
    slow = 0.95 * slow + 0.05 * random.normal();
    for (const char* mode : {"none", "fast"}) {
      const double log = 0.002 * random.normal() + (mode[0] == 'f' ? slow : 0);
      study.report(std::to_string(b) + mode, {{"mode", mode}, {"block", std::to_string(b)}})
          .fact("time_ns", 1e6 * std::exp(log));
    }
  }
  const auto recorder = judged(study, 0.99, 1.01);
  EXPECT_EQ(recorder.verdicts.at(0).verdict, Verdict::kInconclusive);
  EXPECT_TRUE(contains(recorder.verdicts.at(0).reason, "the noise is correlated for longer than the rule allows"));
}

/// Differences that go to and fro, without and with a slow sine: their correlation is 0.2.
TEST(RecordedClaims, AnOpenClaimSaysWhichLastingNoiseWidensItsInterval) {
  const auto reason_at = [](double swing) {
    StudyBuilder study;
    study.label("mode", {"none", "fast"}, kChangesKernels);
    study.descriptive_label("block");
    for (int b = 1; b <= 20; ++b) {
      const std::string block = std::to_string(b);
      const double log = swing * std::sin(0.8 * b) + (b % 2 == 0 ? 0.0045 : -0.0045);
      study.report(block + "n", {{"mode", "none"}, {"block", block}}).fact("time_ns", 1e6);
      study.report(block + "f", {{"mode", "fast"}, {"block", block}}).fact("time_ns", 1e6 * std::exp(log));
    }
    const auto recorder = judged(study, 0.999, 1.001);
    EXPECT_EQ(recorder.verdicts.at(0).verdict, Verdict::kInconclusive);
    return recorder.verdicts.at(0).strata.at(0).reason;
  };
  EXPECT_TRUE(contains(reason_at(0.01), "neighbouring blocks are alike, which widens it"));
  EXPECT_FALSE(contains(reason_at(0), "which widens it"));
}

TEST(RecordedClaims, TheTwinsArePrintedWithTheirInterval) {
  StudyBuilder study;
  record(study, {.effect = 0.9});
  const auto recorder = judged(study, 0.85, 0.95);
  const auto note =
      std::ranges::find_if(recorder.findings, [](const auto& f) { return f.title.starts_with("The A/A pair"); });
  ASSERT_NE(note, recorder.findings.end());
  EXPECT_TRUE(contains(note->text, "weak evidence"));
  ASSERT_TRUE(note->effect);
  EXPECT_LT(note->effect->effect.lo, 1);
  EXPECT_GT(note->effect->effect.hi, 1);
  EXPECT_GT(note->effect->effect.lo, 0.97);
  EXPECT_EQ(note->effect->effect.n, 32);
}

/// A difference of logits is another ratio at another base: the ratio of two shares is the geometric mean of those of
/// the blocks, and its interval ends where a share would be more than a whole.
TEST(RecordedClaims, RatiosOfSharesAreComparedInLogs) {
  StudyBuilder study;
  study.label("mode", {"none", "fast"}, kChangesKernels);
  study.descriptive_label("block");
  study.metric("busy", "ratio");
  Random random("shares");
  double logs = 0, least = 1;
  for (std::size_t b = 1; b <= 8; ++b) {
    const double base = 0.6 * std::exp(0.1 * random.normal()), treated = 0.9 * std::exp(0.01 * random.normal());
    logs += std::log(treated / base) / 8;
    least = std::min(least, base);
    study.report(std::to_string(b) + "n", {{"mode", "none"}, {"block", std::to_string(b)}}).fact("busy", base);
    study.report(std::to_string(b) + "f", {{"mode", "fast"}, {"block", std::to_string(b)}}).fact("busy", treated);
  }
  const auto recorder = judged(study, 1, 3, "busy");
  const Effect& effect = recorder.verdicts.at(0).strata.at(0).effect->effect;
  EXPECT_NEAR(effect.value, std::exp(logs), 1e-9);
  EXPECT_LE(effect.hi, 1 / least);
  EXPECT_GT(effect.hi, effect.value);
}

TEST(RecordedClaims, AreInconclusiveIfTheTwinsDiffer) {
  std::string reason;
  EXPECT_EQ(verdict_on({.effect = 0.9, .twin = 1.2}, 0.85, 0.95, &reason), Verdict::kInconclusive);
  EXPECT_TRUE(starts_with(reason, "the A/A pair (the same program under two names) differs"));
}

TEST(RecordedClaims, AVerdictOnceReachedStaysWhenBlocksAreAdded) {
  for (std::size_t blocks = 14; blocks < 26; ++blocks)
    EXPECT_EQ(verdict_on({.blocks = blocks, .effect = 0.9}, 0.85, 0.95), Verdict::kSupported) << blocks;
}

}  // namespace assay::recorded_claims_test
