#include "assay/detail/noise.hpp"

#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::noise_test {

using testing::StudyBuilder;

TEST(NoiseFloor, PoolsWithinGroupsOfEqualFingerprints) {
  StudyBuilder s;
  s.label("numa");
  s.report("a", {{"numa", "0"}}).fact("m", 100).attribute("fingerprint", "x");
  s.report("b", {{"numa", "0"}}).fact("m", 110).attribute("fingerprint", "x");
  s.noise_report("c", {{"numa", "0"}}).fact("m", 121).attribute("fingerprint", "x");
  s.report("d", {{"numa", "0"}}).fact("m", 1).attribute("fingerprint", "y");
  s.report("e", {{"numa", "0"}}).fact("m", 2).attribute("fingerprint", "y");
  s.report("alone", {{"numa", "0"}}).fact("m", 50).attribute("fingerprint", "z");
  s.report("no fingerprint", {{"numa", "0"}}).fact("m", 50);
  s.report("no fact", {{"numa", "0"}}).attribute("fingerprint", "x");
  s.report("zero", {{"numa", "0"}}).fact("m", 0).attribute("fingerprint", "x");
  const StudyView view(s.build());

  const NoiseFloor floor = noise_floor(view, "m", "", "numa");
  EXPECT_EQ(floor.groups, 2U);
  EXPECT_EQ(floor.runs, 5U);
  EXPECT_EQ(floor.degrees, 3);
  // Logs of 100, 110, 121 are one step apart: squares 2 * log(1.1)^2. Of 1, 2: log(2)^2 / 2.
  const double step = std::log(1.1), two = std::log(2.0);
  EXPECT_NEAR(floor.sd_log, std::sqrt((2 * step * step + two * two / 2) / 3), 1e-12);
  EXPECT_NEAR(floor.largest_ratio, 2, 1e-12);
  EXPECT_EQ(floor.group_of_report[s.row("alone")], kNone);
  EXPECT_EQ(floor.group_of_report[s.row("a")], floor.group_of_report[s.row("c")]);
  EXPECT_NE(floor.group_of_report[s.row("a")], floor.group_of_report[s.row("d")]);
}

TEST(NoiseFloor, NeverPoolsAcrossTheLabelUnderTest) {
  StudyBuilder s;
  s.label("numa").descriptive_label("word");
  s.report("a", {{"numa", "0"}, {"word", "local"}}).fact("m", 100).attribute("fingerprint", "x");
  s.report("b", {{"numa", "2"}, {"word", "local"}}).fact("m", 200).attribute("fingerprint", "x");
  s.report("c", {{"numa", "0"}, {"word", "remote"}}).fact("m", 101).attribute("fingerprint", "x");
  const StudyView view(s.build());
  EXPECT_NEAR(noise_floor(view, "m", "", "numa").largest_ratio, 1.01, 1e-12);
  EXPECT_NEAR(noise_floor(view, "m", "", "").largest_ratio, 1.01, 1e-12) << "nor across another declared one";
  EXPECT_FALSE(noise_floor(view, "m", "", "word").known()) << "even where it only describes";
}

TEST(NoiseFloor, UnknownWithoutAnyGroup) {
  StudyBuilder s;
  s.label("numa");
  s.report("a", {{"numa", "0"}}).fact("m", 100).attribute("fingerprint", "x");
  const StudyView view(s.build());
  EXPECT_FALSE(noise_floor(view, "m", "", "numa").known());
  EXPECT_FALSE(noise_floor(view, "unheard of", "", "numa").known());
}

TEST(NoiseFloor, IgnoresALongerWindow) {
  StudyBuilder s;
  s.label("numa");
  for (const auto& [name, count] : {std::pair("a", 24.0), std::pair("b", 24.0), std::pair("c", 40.0)}) {
    s.report(name, {{"numa", "0"}})
        .fact("window.duration_ns", count * 10)
        .fact("iteration.period_ns", 10)
        .fact("iteration.count", count)
        .attribute("fingerprint", "x");
  }
  const StudyView view(s.build());
  const NoiseFloor window = noise_floor(view, "window.duration_ns", "", "numa");
  EXPECT_EQ(window.runs, 2U);
  EXPECT_NEAR(window.largest_ratio, 1, 1e-12);
  EXPECT_EQ(noise_floor(view, "iteration.period_ns", "", "numa").runs, 3U);
}

TEST(NoiseFloor, KeepsDimsApart) {
  StudyBuilder s;
  s.label("numa");
  for (const char* path : {"a", "b"}) {
    s.report(path, {{"numa", "0"}})
        .fact("m", path[0], "direction=h2d")
        .fact("m", 5, "direction=d2h")
        .attribute("fingerprint", "x");
  }
  const StudyView view(s.build());
  EXPECT_GT(noise_floor(view, "m", "direction=h2d", "numa").sd_log, 0);
  EXPECT_EQ(noise_floor(view, "m", "direction=d2h", "numa").sd_log, 0);
  EXPECT_TRUE(noise_floor(view, "m", "direction=d2h", "numa").known());
  EXPECT_FALSE(noise_floor(view, "m", "", "numa").known());
}

}  // namespace assay::noise_test
