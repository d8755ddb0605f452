// When recording on is not worth it, and what is said then.
#include "record/look.hpp"

#include "support/test.hpp"

namespace assay::record::look_test {

constexpr double kInf = std::numeric_limits<double>::infinity();

InterimLook::Claim claim(const std::string& verdict, std::vector<InterimLook::WaitingStratum> waiting = {}) {
  InterimLook::Claim out{"q", "c", verdict, verdict != "inconclusive", 0, Json::array(), std::move(waiting)};
  return out;
}
/// Ten blocks of a claim that the mean of logs is at least 0.
InterimLook::WaitingStratum seen(double mean, double sd) { return {{10, mean, sd}, {0, kInf, 0.95}}; }

InterimLook look(std::vector<InterimLook::Claim> claims) {
  InterimLook out;
  out.claims = std::move(claims);
  return out;
}

TEST(Look, EndsWhenAllIsDecidedAndSaysWhatCannotBe) {
  EXPECT_EQ(why_ended(look({claim("supported"), claim("refuted")}), 20), why_none_is_open(2, 0));
  EXPECT_EQ(why_ended(look({claim("supported"), claim("untestable")}), 20), why_none_is_open(2, 1));
  EXPECT_EQ(why_ended(look({claim("untestable")}), 20), why_none_is_open(1, 1));
}

TEST(Look, EndsAsFutileOnlyWhereNoOpenClaimIsLikelyToBeDecided) {
  const InterimLook::Claim hopeless = claim("inconclusive", {seen(0.01, 0.5)}),
                           hopeful = claim("inconclusive", {seen(0.05, 0.05)});
  EXPECT_EQ(why_ended(look({hopeless, hopeful}), 30), "");
  EXPECT_TRUE(contains(why_ended(look({hopeless, claim("supported")}), 30),
                       "futile: 1 undecided claim is unlikely to be decided by block 30 ("));
  EXPECT_TRUE(contains(why_ended(look({hopeless, hopeless}), 30), "2 undecided claims are unlikely"));
  EXPECT_EQ(why_ended(look({hopeless}), 100000), "") << "enough blocks decide it";
  EXPECT_EQ(why_ended(look({claim("inconclusive", {{{5, 0.01, 0.5}, {0, kInf, 0.95}}})}), 30), "")
      << "not before block 6";
  EXPECT_EQ(why_ended(look({claim("inconclusive")}), 30), "") << "nothing is known of it";
}

TEST(Look, AStratumThatGetsEverySecondBlockIsGivenHalf) {
  InterimLook::WaitingStratum half = seen(0.05, 0.05);
  const double all = claim("inconclusive", {half}).chance(40);
  half.blocks_for_one = 2;
  EXPECT_DOUBLE_EQ(claim("inconclusive", {half}).chance(80), all);
  EXPECT_LT(claim("inconclusive", {half}).chance(40), all);
}

TEST(Look, NamesTheChanceOfAClaimInVain) {
  InterimLook::Claim changed = claim("inconclusive");
  changed.in_vain = true;
  EXPECT_TRUE(contains(why_ended(look({changed}), 30), "(less than 1 in 200)"));
}

TEST(Look, SaysTheEstimateBeforeWhatAVerdictNeeds) {
  InterimLook::Claim open = claim("inconclusive", {seen(0.05, 0.05)}), done = claim("supported");
  open.estimates = {"graph 7.4x faster (14x, 5.5x, 5.1x in three blocks)"};
  open.standing = "graph 7.4x faster";
  open.blocks_needed = 31;
  const std::string line =
      "\n    c: graph 7.4x faster (14x, 5.5x, 5.1x in three blocks); 31 blocks are needed for a verdict";
  EXPECT_EQ(answer_text(look({open, done}), 40), line + "\n    c: supported");
  EXPECT_EQ(answer_text(look({open}), 18), line + ", and at most 18 are allowed");
  EXPECT_EQ(standing_of(look({open, done})), "1 of 2 claims decided; graph 7.4x faster");
}

TEST(Look, EndsAtOnceWhereNoClaimCanBeTested) {
  InterimLook none = look({claim("untestable")});
  none.claims.front().reason = "no two runs differ in mode alone";
  EXPECT_TRUE(contains(why_untestable(none), "; c: no two runs differ in mode alone"));
  none.without_effect = {"mode"};
  EXPECT_TRUE(contains(why_untestable(none), "the option 'mode' had no effect"));
  EXPECT_EQ(why_untestable(look({claim("untestable"), claim("inconclusive")})), "");
  EXPECT_EQ(why_untestable(look({})), "");
}

TEST(Look, SaysWhatIsWrongWithTheRuns) {
  InterimLook seen = look({claim("inconclusive")});
  EXPECT_TRUE(troubles_of(seen, 15).empty());
  seen.window_seconds = 0.2;
  EXPECT_EQ(troubles_of(seen, 15).size(), 1U) << "15 s for 0.2 s";
  EXPECT_EQ(troubles_of(seen, 1.5).size(), 0U);
  seen.window_seconds = 1e-4;
  seen.unread = {"block_001/run_a.sqlite"};
  EXPECT_EQ(troubles_of(seen, 15).size(), 3U);
}

}  // namespace assay::record::look_test
