// Dims that own their texts, rows of any integer, and work by iteration.
#include "assay/algo/iterations.hpp"
#include "assay/testing/recorder.hpp"
#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"

namespace assay::per_iteration_test {

using namespace testing;

Dims made_of_temporaries() {
  Dims dims{{"device", 3}, {"kernel", std::string("a name that is too long to lie in the string itself")}};
  return dims.add("rank", std::uint64_t{1} << 40).add("of", std::string("another one that is too long for that"));
}

TEST(Dims, OwnTheirTextsAndTakeIntegers) {
  const Dims dims = made_of_temporaries();
  std::vector<std::string> seen;
  dims.with_view([&](Span<Dim> views) {
    for (const Dim& dim : views) seen.push_back(std::string(dim.key.view()) + "=" + std::string(dim.value.view()));
  });
  EXPECT_TRUE(equals(seen, {"device=3", "kernel=a name that is too long to lie in the string itself",
                            "rank=1099511627776", "of=another one that is too long for that"}));
}

TEST(Dims, StandWithSamplesInEverySink) {
  Recorder recorder;
  const std::vector<double> samples = {1, 2};
  const std::vector<Dim> borrowed = {{"a", "b"}};
  ReportSink& of_report = recorder;
  of_report.fact("x", 1.5, samples, {{"device", 0}});
  of_report.fact("x", 2, samples, Dims(borrowed).add("more", -1));
  of_report.fact("x", 3, borrowed);
  of_report.fact("y", 4, samples);
  EXPECT_EQ(recorder.value("x", "device=0"), 1.5);
  EXPECT_EQ(recorder.fact_of("x", "device=0")->samples, samples);
  EXPECT_TRUE(has_values(recorder, {{"x{a=b;more=-1}", 2}, {"x{a=b}", 3}}));
  Recorder concluding;
  StudySink& of_study = concluding;
  const std::size_t row = 0;
  of_study.report_fact(row, "x", 5, samples, {{"rank", row}});
  of_study.fact("x", 6, samples);
  EXPECT_EQ(concluding.value("x", "rank=0", 0), 5);
  EXPECT_EQ(concluding.fact_of("x", "rank=0", 0)->samples, samples);
  EXPECT_EQ(concluding.value("x"), 6);
}

TEST(Rows, IndexAColumnByAnyInteger) {
  ReportBuilder b;
  b.kernel("k", 10, 20);
  const Report& report = b.build();
  EXPECT_EQ(report.kernels->start[Row{0}], 10);
  EXPECT_EQ(report.kernels->start[std::size_t{0}], 10);
  EXPECT_EQ(report.kernels->start[std::uint32_t{0}], 10);
}

/// Three iterations, of which the window holds the last two; a kernel of none, and one that is not the window's.
class ByIteration : public ::testing::Test {
 protected:
  ByIteration() {
    b_.window("measured", {100, 400});
    for (std::int64_t i = 0; i < 3; ++i) {
      b_.iteration(i, 100 * i, 100 * i + 99);
      launch(100 * i + 10, 10 * (i + 1));
      launch(100 * i + 30, 1);
    }
    launch(350, 1000);
    b_.kernel("outside", 215, 216,
              {.call = b_.call(CallKind::kKernelLaunch, 212, 213), .membership = Membership::kOutside});
    b_.kernel("without a call", 230, 290);
  }
  void launch(std::int64_t at, std::int64_t duration) {
    b_.kernel("k", at + 5, at + 5 + duration, {.call = b_.call(CallKind::kKernelLaunch, at, at + 2)});
  }
  ReportBuilder b_;
};

TEST_F(ByIteration, SumsAreOfThoseInsideTheWindow) {
  const Report& report = b_.build();
  const IterationsInside inside(report);
  EXPECT_EQ(inside.count(), 2U);
  EXPECT_TRUE(equals(inside.rows(), {1, 2}));
  const KernelTable& kernels = *report.kernels;
  EXPECT_TRUE(equals(inside.sums(kernels, [&](std::size_t k) { return kernels.end[k] - kernels.start[k]; }), {21, 31}));
  EXPECT_TRUE(equals(inside.sums(kernels, [](std::size_t) { return 1; }), {2, 2}));
}

TEST_F(ByIteration, IsEmptyWithoutIterations) {
  ReportBuilder b;
  b.kernel("k", 0, 10, {.call = b.call(CallKind::kKernelLaunch, 0, 1)});
  const IterationsInside inside(b.build());
  EXPECT_EQ(inside.count(), 0U);
  EXPECT_EQ(inside.of(0), kNone);
  EXPECT_EQ(inside.of(kNone), kNone);
}

TEST(EmitMedian, IsAFactWithItsSamplesOrASkip) {
  Recorder recorder;
  emit_median(recorder, "x", std::vector<double>{3, 1, 2}, "none", {{"device", 1}});
  emit_median(recorder, "y", {});
  EXPECT_EQ(recorder.value("x", "device=1"), 2);
  EXPECT_EQ(recorder.fact_of("x", "device=1")->samples.size(), 3U);
  EXPECT_EQ(recorder.skip_of("y"), "no iteration is in the window");
}

}  // namespace assay::per_iteration_test
