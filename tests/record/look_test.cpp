// When recording on is not worth it, and what is said then.
#include "record/look.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "support/check.hpp"

namespace assay::record::look_test {

constexpr double kInf = std::numeric_limits<double>::infinity();

Look::Claim claim(const std::string& verdict, std::vector<Look::Open> waiting = {}) {
  Look::Claim out{"q", "c", verdict, verdict != "inconclusive", 0, Json::array(), std::move(waiting)};
  return out;
}
/// Ten blocks of a claim that the mean of logs is at least 0.
Look::Open seen(double mean, double sd) { return {{10, mean, sd}, {0, kInf, 0.95}}; }

Look look(std::vector<Look::Claim> claims) {
  Look out;
  out.claims = std::move(claims);
  return out;
}

TEST(Look, EndsWhenAllIsDecidedAndSaysWhatCannotBe) {
  EXPECT_EQ(why_ended(look({claim("supported"), claim("refuted")}), 20), why_none_is_open(2, 0));
  EXPECT_EQ(why_ended(look({claim("supported"), claim("untestable")}), 20), why_none_is_open(2, 1));
  EXPECT_EQ(why_ended(look({claim("untestable")}), 20), why_none_is_open(1, 1));
}

TEST(Look, EndsAsFutileOnlyWhereNoOpenClaimIsLikelyToBeDecided) {
  const Look::Claim hopeless = claim("inconclusive", {seen(0.01, 0.5)}),
                    hopeful = claim("inconclusive", {seen(0.05, 0.05)});
  EXPECT_EQ(why_ended(look({hopeless, hopeful}), 30), "");
  EXPECT_TRUE(contains(why_ended(look({hopeless, claim("supported")}), 30),
                       "futile: 1 undecided claim is unlikely to be decided by block 30 (probability "));
  EXPECT_TRUE(contains(why_ended(look({hopeless, hopeless}), 30), "2 undecided claims are unlikely"));
  EXPECT_EQ(why_ended(look({hopeless}), 100000), "") << "enough blocks decide it";
  EXPECT_EQ(why_ended(look({claim("inconclusive", {{{5, 0.01, 0.5}, {0, kInf, 0.95}}})}), 30), "")
      << "not before block 6";
  EXPECT_EQ(why_ended(look({claim("inconclusive")}), 30), "") << "nothing is known of it";
}

TEST(Look, AStratumThatGetsEverySecondBlockIsGivenHalf) {
  Look::Open half = seen(0.05, 0.05);
  const double all = claim("inconclusive", {half}).chance(40);
  half.blocks_for_one = 2;
  EXPECT_DOUBLE_EQ(claim("inconclusive", {half}).chance(80), all);
  EXPECT_LT(claim("inconclusive", {half}).chance(40), all);
}

TEST(Look, WhatChangedWhileItWasRecordedIsInVain) {
  Look::Claim changed = claim("inconclusive");
  changed.in_vain = true;
  EXPECT_TRUE(contains(why_ended(look({changed}), 30), "(probability 0 %)"));
}

TEST(Look, PrintsTheProbabilityOfEachOpenClaim) {
  Look::Claim open = claim("inconclusive", {seen(0.05, 0.05)});
  open.blocks_needed = 31;
  std::ostringstream out;
  print_look(look({open, claim("supported")}), 10, 40, out);
  EXPECT_TRUE(contains(out.str(), "c: inconclusive, about 31 blocks would decide it; probability "));
  EXPECT_TRUE(contains(out.str(), "% by block 40\n    c: supported\n"));
}

}  // namespace assay::record::look_test
