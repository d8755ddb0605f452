// Verdicts on sides of which one lost far more runs to rejection.
#include "recordings/recorded.hpp"
#include "support/test.hpp"

namespace assay::one_sided_test {

using record::Events;

RawOption key(const char* name, decltype(RawValue::value) value) {
  RawOption option;
  option.name = name;
  option.value.value = std::move(value);
  return option;
}

/// Claims "ab" and "ac" compare b and c with a; "level" compares nothing.
Question question() {
  Question question;
  question.id = "q";
  for (const char* treated : {"b", "c"}) {
    ClaimConfig claim;
    claim.id = std::string("a") + treated;
    claim.keys = {key("label", std::string("mode")), key("base", std::string("a")),
                  key("treated", std::vector<std::string>{treated})};
    question.claims.push_back(claim);
  }
  ClaimConfig level;
  level.id = "level";
  question.claims.push_back(level);
  return question;
}

/// Ten blocks of a, b and c; b is rejected once in each before it succeeds.
Recording recording() {
  Recording recording;
  for (int block = 1; block <= 10; ++block) {
    for (const std::string mode : {"a", "b", "c"}) {
      const std::string run = "block_" + std::to_string(block) + "/" + mode;
      for (const std::string outcome : {"rejected", "ok"}) {
        if (outcome == "rejected" && mode != "b") continue;
        record::event::RunStarted start;
        start.run = run;
        start.names = {{run, "q", record::Json::object(), {{"mode", mode}}}};
        record::event::RunEnded end;
        end.run = run;
        end.outcome = record::outcome_named(outcome);
        end.rejected_by = "throttled";
        recording.events.list.emplace_back(start);
        recording.events.list.emplace_back(end);
      }
    }
  }
  return recording;
}

std::vector<OwnedClaim> claims(Verdict verdict) {
  std::vector<OwnedClaim> claims;
  for (const char* id : {"ab", "ac", "level"}) {
    OwnedClaim claim{id, "", "", verdict, "in 1 of 1 stratum", {}};
    claim.strata.push_back({{}, verdict, "within the range", std::nullopt, {}});
    claims.push_back(claim);
  }
  return claims;
}

TEST(OneSided, ADecidedClaimWhoseSideWasRejectedIsInconclusive) {
  for (const Verdict verdict : {Verdict::kSupported, Verdict::kRefuted}) {
    std::vector<OwnedClaim> judged = claims(verdict);
    doubt_one_sided(recording(), question(), judged);
    EXPECT_EQ(judged[0].verdict, Verdict::kInconclusive);
    EXPECT_EQ(judged[0].strata[0].verdict, Verdict::kInconclusive);
    EXPECT_TRUE(contains(judged[0].reason, "would be " + std::string(verdict_name(verdict))));
    EXPECT_TRUE(contains(judged[0].reason, "of mode=a 0 of 10 attempts, of mode=b 10 of 20 attempts (throttled 10)"));
    EXPECT_EQ(judged[1].verdict, verdict) << "c lost nothing";
    EXPECT_EQ(judged[2].verdict, verdict) << "compares no sides";
  }
}

TEST(OneSided, KeepsOpenBounds) {
  std::vector<OwnedClaim> judged = claims(Verdict::kUntestable);
  doubt_one_sided(recording(), question(), judged);
  EXPECT_EQ(judged[0].verdict, Verdict::kUntestable);
  EXPECT_EQ(judged[0].reason, "in 1 of 1 stratum");
}

}  // namespace assay::one_sided_test
