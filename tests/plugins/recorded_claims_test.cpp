// Claims about runs that were recorded in blocks: judged by a confidence sequence over blocks, and not at all where the
// A/A pair differs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/algo/random.hpp"
#include "assay/testing/study_builder.hpp"
#include "plugin_under_test.hpp"

namespace assay {
namespace {

using testing::concluded;
using ::testing::HasSubstr;
using testing::OptionInputs;
using testing::StudyBuilder;

std::span<const OptionSpec> keys() { return assay_plugin.claim_keys.view(); }

struct Made {
  std::size_t blocks = 8;
  double effect = 1;   ///< treated over base
  double drift = 0.5;  ///< sd of the log of what a whole block is slower
  double twin = 1;     ///< twin over base
};

/// Runs of two modes and a twin in every block; blocks differ by far more than the runs in them.
void record(StudyBuilder& study, const Made& made) {
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
        .fact("time_ns", level * made.effect * noise());
    study.report(block + "_twin", {{"mode", "none"}, {"block", block}, {"twin", "yes"}})
        .fact("time_ns", level * made.twin * noise());
  }
}

Verdict verdict_on(const Made& made, double low, double high, std::string* reason = nullptr,
                   std::string* method = nullptr) {
  StudyBuilder study;
  record(study, made);
  study.claim("c", "a claim", keys(),
              {{"metric", "time_ns"},
               {"compare", "ratio"},
               {"label", "mode"},
               {"base", "none"},
               {"treated", "fast"},
               {"between", std::vector<double>{low, high}}});
  const auto recorder = concluded(study.build());
  if (reason != nullptr) *reason = recorder.verdicts.at(0).reason;
  if (method != nullptr) *method = recorder.verdicts.at(0).strata.at(0).effect->method;
  return recorder.verdicts.at(0).verdict;
}

TEST(RecordedClaims, ADriftOfWholeBlocksCancels) {
  std::string method;
  EXPECT_EQ(verdict_on({.effect = 0.9}, 0.85, 0.95, nullptr, &method), Verdict::kSupported);
  EXPECT_THAT(method, HasSubstr("confidence sequence over 8 blocks of differences of logs"));
  EXPECT_EQ(verdict_on({.effect = 0.9}, 0.97, 1.03), Verdict::kRefuted);
  EXPECT_EQ(verdict_on({}, 0.95, 1.05), Verdict::kSupported) << "no effect, shown and not assumed";
  EXPECT_EQ(verdict_on({.effect = 0.95}, 0.95, 1.05), Verdict::kInconclusive) << "at the bound";
}

TEST(RecordedClaims, TwoBlocksDecideNothing) {
  EXPECT_EQ(verdict_on({.blocks = 2, .effect = 0.5}, 0.4, 0.6), Verdict::kInconclusive);
}

TEST(RecordedClaims, WhereTheTwinsDifferNothingIsDecided) {
  std::string reason;
  EXPECT_EQ(verdict_on({.effect = 0.9, .twin = 1.2}, 0.85, 0.95, &reason), Verdict::kInconclusive);
  EXPECT_THAT(reason, ::testing::StartsWith("the A/A pair, one program under two names, differs"));
}

TEST(RecordedClaims, AVerdictOnceReachedStaysWhenBlocksAreAdded) {
  for (std::size_t blocks = 6; blocks < 20; ++blocks)
    EXPECT_EQ(verdict_on({.blocks = blocks, .effect = 0.9}, 0.85, 0.95), Verdict::kSupported) << blocks;
}

}  // namespace
}  // namespace assay
