#include "assay/testing/options.hpp"

#include "support/test.hpp"

namespace assay::testing::options_test {

constexpr OptionSpec kSpecs[] = {
    {"axis", OptionType::kLabel, "dim", "A label."},
    {"blocks", OptionType::kLabelList, "depth, px", "Labels."},
    {"flag", OptionType::kBool, "true", "A switch."},
    {"limits", OptionType::kNumberList, "1, 2.5", "Numbers."},
    {"mode", OptionType::kText, "fast", "A choice.", "fast|slow"},
    {"count", OptionType::kInteger, "3", "A count.", {}, 1, 10},
    {"share", OptionType::kNumber, "0.8", "A share.", {}, 0, 1},
};

TEST(OptionMap, ParsesDefaults) {
  const OptionMap o(kSpecs);
  EXPECT_EQ(o.label("axis"), "dim");
  EXPECT_TRUE(equals(o.labels("blocks"), {Str("depth"), Str("px")}));
  EXPECT_TRUE(o.boolean("flag"));
  EXPECT_TRUE(equals(o.numbers("limits"), {1, 2.5}));
  EXPECT_EQ(o.integer("count"), 3);
  EXPECT_EQ(o.number("share"), 0.8);
  EXPECT_FALSE(o.given("share"));
  EXPECT_EQ(o.find("missing"), nullptr);
  EXPECT_THROW((void)o.text("missing"), std::logic_error);
  EXPECT_THROW((void)o.integer("share"), std::logic_error);
}

TEST(OptionMap, TakesTypedAndTextOverrides) {
  const OptionMap o(
      kSpecs,
      {{"share", 1}, {"count", "7"}, {"flag", false}, {"blocks", std::vector<std::string>{"a"}}, {"mode", "slow"}});
  EXPECT_EQ(o.number("share"), 1);
  EXPECT_EQ(o.integer("count"), 7);
  EXPECT_FALSE(o.boolean("flag"));
  EXPECT_TRUE(equals(o.labels("blocks"), {Str("a")}));
  EXPECT_EQ(o.text("mode"), "slow");
  EXPECT_TRUE(o.given("mode"));
}

TEST(OptionMap, RefusesWhatTheHostRefuses) {
  const auto make = [](OptionInputs inputs) { OptionMap o(kSpecs, inputs); };
  EXPECT_THROW(make({{"missing", 1}}), std::invalid_argument);
  EXPECT_THROW(make({{"share", 1.5}}), std::invalid_argument);
  EXPECT_THROW(make({{"count", 0}}), std::invalid_argument);
  EXPECT_THROW(make({{"count", 2.5}}), std::invalid_argument);
  EXPECT_THROW(make({{"count", "x"}}), std::invalid_argument);
  EXPECT_THROW(make({{"mode", "medium"}}), std::invalid_argument);
  EXPECT_THROW(make({{"flag", "yes"}}), std::invalid_argument);
  EXPECT_THROW(make({{"axis", 1}}), std::invalid_argument);
  EXPECT_THROW(make({{"share", 0.1}, {"share", 0.2}}), std::invalid_argument);
}

}  // namespace assay::testing::options_test
