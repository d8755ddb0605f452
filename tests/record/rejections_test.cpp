// Rejected attempts by side of a comparison, from a journal.
#include "record/rejections.hpp"

#include "record/output_files.hpp"
#include "record/recording.hpp"
#include "support/test.hpp"

namespace assay::record::rejections_test {

constexpr const char* kLopsided = "One side is rejected far more often";

RawOption key(const char* name, decltype(RawValue::value) value) {
  RawOption option;
  option.name = name;
  option.value.value = std::move(value);
  return option;
}

Question question() {
  Question question;
  question.id = "q";
  ClaimConfig claim;
  claim.id = "c";
  claim.keys = {key("label", std::string("mode")), key("base", std::string("a")),
                key("treated", std::vector<std::string>{"b", "c"})};
  question.claims = {claim, claim};
  return question;
}

/// One attempt at a run of that mode in its block.
void add(Events& events, const std::string& mode, int block, const std::string& outcome, bool twin = false) {
  const std::string run = "block_" + std::to_string(block) + "/" + (twin ? "aa/" : "") + mode;
  event::RunStarted start;
  start.run = run;
  start.cell = "q: mode=" + mode;
  start.twin = twin;
  start.names = {{run, "q", Json::object(), {{"mode", mode}}}};
  events.list.push_back(start);
  event::RunEnded end;
  end.run = run;
  end.outcome = outcome_named(outcome);
  if (outcome == "rejected") end.rejected_by = "throttled";
  events.list.push_back(end);
}

TEST(Rejections, AreCountedBySideAndReasonAndOneSidedOnesAreSaid) {
  Events events;
  for (int block = 1; block <= 8; ++block) {
    add(events, "a", block, "ok");
    add(events, "a", block, "interrupted");
    add(events, "a", block, "rejected", true);
    add(events, block % 2 == 0 ? "b" : "c", block, "rejected");
    add(events, block % 2 == 0 ? "b" : "c", block, "ok");
  }
  const std::vector<Rejections> found = rejections_of(events, question());
  ASSERT_EQ(found.size(), 1U) << "both claims compare the same";
  EXPECT_EQ(found[0].base.made, 8U) << "neither the twin nor what was cut off";
  EXPECT_EQ(found[0].base.rejected, 0U);
  EXPECT_EQ(found[0].treated.made, 16U);
  EXPECT_EQ(found[0].treated.reasons.at("throttled"), 8U);
  EXPECT_TRUE(found[0].lopsided());
  EXPECT_TRUE(contains_all(rejections_text(events, question()),
                           {"of mode=a 0 of 8 attempts, of mode=b|c 8 of 16 attempts (throttled 8).", kLopsided}));
  EXPECT_EQ(rejections_by_cell(events)["q: mode=b"]["throttled"], 4);
}

TEST(Rejections, FewOrEvenOnesAreChance) {
  Events events;
  for (int block = 1; block <= 3; ++block) {
    add(events, "a", block, block == 1 ? "rejected" : "ok");
    add(events, "b", block, block == 2 ? "ok" : "rejected");
  }
  EXPECT_TRUE(contains(rejections_text(events, question()), "of mode=b|c 2 of 3 attempts"));
  EXPECT_FALSE(contains(rejections_text(events, question()), kLopsided));
  EXPECT_EQ(rejections_text({}, question()), "");
}

/// R: fisher.test(matrix(c(0, 5, 5, 0), 2))$p.value = 0.0079; c(1, 5, 4, 0): 0.0476; c(1, 4, 4, 1): 0.2063.
TEST(Rejections, LopsidedIsFishersExactTest) {
  const auto of = [](std::size_t a, std::size_t all_a, std::size_t b, std::size_t all_b) {
    return Rejections{{"", all_a, a, {}}, {"", all_b, b, {}}}.lopsided();
  };
  EXPECT_TRUE(of(0, 5, 5, 5));
  EXPECT_TRUE(of(1, 5, 5, 5));
  EXPECT_FALSE(of(1, 5, 4, 5));
  EXPECT_FALSE(of(0, 0, 5, 5)) << "a side that never ran is not compared";
}

TEST(Rejections, StandInTheSummary) {
  const TempFolder folder;
  Events events;
  add(events, "b", 1, "rejected");
  ASSERT_TRUE(write_outputs(folder.path(), events, "q"));
  std::ifstream in(folder.path() / "experiment_summary.json");
  EXPECT_EQ(Json::parse(in)["rejections"]["q: mode=b"]["throttled"], 1);
}

}  // namespace assay::record::rejections_test
