#include <gtest/gtest.h>

#include "@HEADER@"
#include "assay/testing/report_builder.hpp"
#include "assay/testing/study_builder.hpp"

namespace assay {
namespace @NAME@_test {

using @UNDER_TEST@::analyzed;
using @UNDER_TEST@::concluded;
using testing::ReportBuilder;
using testing::StudyBuilder;

TEST(@CLASS@, CountsKernelsBelowTheThreshold) {
  ReportBuilder report;
  report.kernel("short", 0, 1000);
  report.kernel("at the threshold", 2000, 7000);
  report.kernel("long", 8000, 14000);
  const auto recorder = analyzed(report.build());
  EXPECT_EQ(recorder.value("@NAME@.count"), 1);
  EXPECT_DOUBLE_EQ(*recorder.value("@NAME@.time_share"), 1000.0 / 12000);
}

TEST(@CLASS@, TheThresholdIsAnOption) {
  ReportBuilder report;
  report.kernel("a", 0, 1000);
  report.kernel("b", 2000, 7000);
  EXPECT_EQ(analyzed(report.build(), {{"below_ns", 1000}}).value("@NAME@.count"), 0);
  EXPECT_EQ(analyzed(report.build(), {{"below_ns", 5001}}).value("@NAME@.count"), 2);
}

TEST(@CLASS@, KernelsOutsideTheWindowDoNotCount) {
  ReportBuilder report;
  report.kernel("outside", 0, 1000, {.membership = Membership::kOutside});
  report.kernel("inside", 2000, 3000);
  const auto recorder = analyzed(report.build());
  EXPECT_EQ(recorder.value("@NAME@.count"), 1);
  EXPECT_EQ(recorder.value("@NAME@.time_share"), 1);
}

TEST(@CLASS@, WithoutKernelTimeTheShareIsSkippedAndNotZero) {
  ReportBuilder report;
  report.captured(col::kernels);
  const auto recorder = analyzed(report.build());
  EXPECT_EQ(recorder.value("@NAME@.count"), 0);
  EXPECT_EQ(recorder.value("@NAME@.time_share"), std::nullopt);
  EXPECT_EQ(recorder.skip_of("@NAME@.time_share"), "kernel time is 0");
}

TEST(@CLASS@, AnswersWithTheLargestShareAndAPlot) {
  StudyBuilder study;
  study.report("a").fact("@NAME@.time_share", 0.25);
  study.report("b").fact("@NAME@.time_share", 0.75);
  const auto recorder = concluded(study.build());
  ASSERT_EQ(recorder.findings.size(), 1U);
  EXPECT_EQ(recorder.findings[0].title, "Short kernels take up to 75.0 % of the kernel time");
  EXPECT_NE(recorder.findings[0].text.find("of b, the largest share of 2 profiles"), std::string::npos);
  EXPECT_EQ(recorder.findings[0].evidence.size(), 2U);
  ASSERT_NE(recorder.plot_of("time_share"), nullptr);
  EXPECT_EQ(recorder.plot_of("time_share")->layers[0].data.column("share")->numbers, (std::vector{0.25, 0.75}));
}

TEST(@CLASS@, SaysThatThereIsNothingToConclude) {
  StudyBuilder study;
  study.report("a");
  const auto recorder = concluded(study.build());
  EXPECT_TRUE(recorder.findings.empty());
  ASSERT_EQ(recorder.skips.size(), 1U);
  EXPECT_EQ(recorder.skips[0].reason, "no profile has any kernel time");
}

}  // namespace @NAME@_test
}  // namespace assay
