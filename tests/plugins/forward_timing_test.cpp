#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/testing/study_builder.hpp"
#include "plugin_under_test.hpp"

namespace assay {
namespace {

using testing::concluded;
using ::testing::HasSubstr;
using testing::Recorder;
using testing::StudyBuilder;

void add(StudyBuilder& s, const std::string& path, double span, double host, double period) {
  const auto around = [](double value) { return std::vector<double>{0.99 * value, value, 1.01 * value}; };
  s.report(path)
      .fact("iteration.gpu_span_ns", span, "", around(span))
      .fact("iteration.host_ns", host, "", around(host))
      .fact("iteration.period_ns", period, "", around(period));
}

TEST(ForwardTiming, StepsThatAreTimedOneByOneAgreeWithinTheirSpread) {
  StudyBuilder s;
  add(s, "folder/a.sqlite", 17.6e6, 17.4e6, 30e6);
  s.sheet("runs", "folder/results.json", {"name", "step_ms"}, {{"other", "[1, 2]"}, {"a", "[17.5, 17.6, 17.9]"}});
  const Recorder recorder = concluded(s.build());
  EXPECT_NEAR(*recorder.value("forward.program_ns", "", static_cast<Row>(s.row("folder/a.sqlite"))), 17.6e6, 1e-3);
  EXPECT_NEAR(*recorder.value("forward.program_ratio", "metric=iteration.period_ns",
                              static_cast<Row>(s.row("folder/a.sqlite"))),
              17.6 / 30, 1e-12);
  EXPECT_THAT(
      recorder.findings.front().title,
      HasSubstr("agrees with iteration.gpu_span_ns in 1, iteration.host_ns in 1 and iteration.period_ns in 0 of "
                "1 report"));
  EXPECT_THAT(recorder.findings.at(1).text, HasSubstr("is shorter than iteration.period_ns"));
}

TEST(ForwardTiming, TimeOfAllPassesIsDividedByTheirNumber) {
  StudyBuilder s;
  add(s, "a.sqlite", 1e6, 5e5, 2e6);
  s.sheet("runs", "results.json", {"name", "elapsed_s", "batches"}, {{"a", "0.08", "40"}});
  const Recorder recorder = concluded(s.build());
  EXPECT_NEAR(*recorder.value("forward.program_ns", "", static_cast<Row>(s.row("a.sqlite"))), 2e6, 1e-3);
  EXPECT_THAT(recorder.findings.front().text, HasSubstr("shorter than iteration.gpu_span_ns in 1 of 1 report"));
  EXPECT_THAT(recorder.findings.at(1).text, HasSubstr("It agrees with iteration.period_ns"));
  EXPECT_THAT(recorder.findings.at(1).text, HasSubstr("It is longer than iteration.gpu_span_ns"));
}

TEST(ForwardTiming, AProgramWithoutATimeIsSaid) {
  StudyBuilder s;
  add(s, "a.sqlite", 1e6, 1e6, 1e6);
  add(s, "b.sqlite", 1e6, 1e6, 1e6);
  s.sheet("runs", "results.json", {"name", "elapsed_s", "batches"}, {{"a", "", "40"}});
  const Recorder recorder = concluded(s.build());
  ASSERT_EQ(recorder.skips.size(), 2U);
  EXPECT_THAT(recorder.skips[0].reason, HasSubstr("its row in results.json has no time"));
  EXPECT_THAT(recorder.skips[1].reason, HasSubstr("no row of results.json has its name"));
  EXPECT_THAT(recorder.findings.front().title, HasSubstr("own times are not known"));
}

TEST(ForwardTiming, WithoutIterationsThereIsNoPass) {
  StudyBuilder s;
  s.report("a.sqlite").fact("kernel.count", 1);
  const Recorder recorder = concluded(s.build());
  EXPECT_TRUE(recorder.findings.empty());
  ASSERT_EQ(recorder.skips.size(), 1U);
}

}  // namespace
}  // namespace assay
