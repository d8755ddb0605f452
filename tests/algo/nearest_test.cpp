#include "algo/nearest.hpp"

#include "support/test.hpp"

namespace assay::nearest_test {

TEST(Nearest, CountsWhatTurnsOneWordIntoTheOther) {
  EXPECT_EQ(edit_distance("forward", "forward"), 0U);
  EXPECT_EQ(edit_distance("forwrad", "forward"), 1U) << "neighbours swapped";
  EXPECT_EQ(edit_distance("Forward", "forwards"), 2U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

TEST(Nearest, TheNearestComeFirstAndEqualOnesByName) {
  EXPECT_TRUE(equals(nearest_names("stp", {"zzzzzz", "step", "stop", "backward"}, 2), {"step", "stop"}));
  EXPECT_TRUE(is_empty(nearest_names("x", {}, 3)));
}

TEST(Nearest, NeedsOneOfNamesThatDifferInNumbers) {
  EXPECT_TRUE(equals(nearest_names("step_x", {"step_10", "step_11", "step_1", "train"}, 3), {"step_1", "train"}));
}

TEST(Nearest, GoesOnASentence) {
  EXPECT_EQ(nearest_text("forwrd", {"forward", "backward"}), "; the nearest are 'forward' and 'backward'");
  EXPECT_EQ(nearest_text("a", {"b"}), "; the nearest is 'b'");
  EXPECT_EQ(nearest_text("a", {}), "");
}

}  // namespace assay::nearest_test
