// What is said beside a gain of launches: the profiler made them slower.
#include "whatif/page.hpp"

#include "support/test.hpp"

namespace assay::whatif::page_test {

Prediction of_launches() {
  Prediction p;
  p.change = "launch cost x 0";
  p.before = 10e6;
  p.after = 1e6;
  p.gain = 9e6;
  p.path_after[static_cast<std::size_t>(replay::Part::kKernel)] = 0.9;
  p.ranged = false;
  p.of_launches = true;
  return p;
}

std::string page_with(const std::optional<PlainStep>& plain) {
  std::ostringstream text;
  print_prediction(of_launches(), plain, text, 0);
  return text.str();
}

TEST(GainOfLaunches, IsASmallerShareOfAStepWithoutAProfiler) {
  // Without the profiler the step takes half as long and its device work, 0.9 ms of the step after, as long.
  const std::string text = page_with(PlainStep{"decode_{i}", 9e6, 4.5e6, "unprofiled.json"});
  EXPECT_TRUE(contains_all(text, {"80.0 %", "90.0 %", "unprofiled.json"}));
}

TEST(GainOfLaunches, IsNothingWhereTheStepIsShorterThanWhatIsLeft) {
  EXPECT_TRUE(contains(page_with(PlainStep{"decode_{i}", 10e6, 0.5e6, "plain.csv"}), "at most 0.0 %"));
}

TEST(GainOfLaunches, HasNoSecondShareWithoutTimesOfTheProgram) {
  EXPECT_FALSE(contains(page_with(std::nullopt), "80.0 %"));
}

}  // namespace assay::whatif::page_test
