#include "assay/algo/attribution.hpp"

#include "assay/detail/random.hpp"
#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"

namespace assay::attribution_test {

using testing::ReportBuilder;

TEST(IterationOfCalls, CountsEveryThreadOfTheProcess) {
  ReportBuilder b;
  const auto first = b.process(1), second = b.process(2);
  const auto main = b.thread(1, first), autograd = b.thread(2, first), foreign = b.thread(3, second);
  b.iteration(0, 0, 100, main);
  b.iteration(1, 100, 200, main);
  const Row inside = b.call(CallKind::kKernelLaunch, 10, 20, main);
  const Row backward = b.call(CallKind::kKernelLaunch, 30, 100, autograd);
  const Row across = b.call(CallKind::kKernelLaunch, 90, 110, main);
  const Row on_the_edge = b.call(CallKind::kKernelLaunch, 100, 200, main);
  const Row elsewhere = b.call(CallKind::kKernelLaunch, 50, 60, foreign);
  const Row after = b.call(CallKind::kKernelLaunch, 250, 260, main);
  const Report& report = b.build();

  const std::vector<std::int32_t> found = iteration_of_calls(report);
  const auto of = [&](Row added) { return found[static_cast<std::size_t>(b.row_of_call(added))]; };
  EXPECT_EQ(of(inside), 0);
  EXPECT_EQ(of(backward), 0);
  EXPECT_EQ(of(across), kNone);
  EXPECT_EQ(of(on_the_edge), 1);
  EXPECT_EQ(of(elsewhere), kNone);
  EXPECT_EQ(of(after), kNone);
}

TEST(IterationOfCalls, OverlappingOnesTakeOnlyTheirThread) {
  ReportBuilder b;
  const auto a = b.thread(1), c = b.thread(2);
  b.iteration(0, 0, 100, a);
  b.iteration(1, 50, 150, c);
  const Row of_a = b.call(CallKind::kOther, 60, 70, a), of_c = b.call(CallKind::kOther, 60, 70, c);
  const Row too_early = b.call(CallKind::kOther, 10, 20, c);
  const Report& report = b.build();
  const auto found = iteration_of_calls(report);
  EXPECT_EQ(found[static_cast<std::size_t>(b.row_of_call(of_a))], 0);
  EXPECT_EQ(found[static_cast<std::size_t>(b.row_of_call(of_c))], 1);
  EXPECT_EQ(found[static_cast<std::size_t>(b.row_of_call(too_early))], kNone);
}

TEST(IterationOfCalls, AgreesWithALookAtEveryPair) {
  Random random("iterations");
  for (int round = 0; round < 500; ++round) {
    ReportBuilder b;
    const auto first = b.process(1), second = b.process(2);
    for (const auto process : {first, first, second}) b.thread(static_cast<std::int64_t>(random.next() >> 1), process);
    const bool overlap = round % 2 == 0;
    std::int64_t time = 0;
    for (std::int64_t i = 0; i < 8; ++i) {
      const auto start = overlap ? static_cast<std::int64_t>(random.index(100)) : time;
      const auto end = start + 1 + static_cast<std::int64_t>(random.index(20));
      b.iteration(i, start, end, static_cast<std::uint32_t>(random.index(3)));
      time = end + static_cast<std::int64_t>(random.index(3));
    }
    for (int i = 0; i < 40; ++i) {
      const auto start = static_cast<std::int64_t>(random.index(120));
      b.call(CallKind::kOther, start, start + static_cast<std::int64_t>(random.index(6)),
             static_cast<std::uint32_t>(random.index(3)));
    }
    const Report& r = b.build();
    const auto found = iteration_of_calls(r);
    for (std::size_t c = 0; c < r.calls->rows; ++c) {
      std::int32_t expected = kNone;  // the last row that may take it
      for (std::size_t i = 0; i < r.iterations->rows; ++i) {
        const std::uint32_t thread = r.iterations->thread[i];
        const bool may = r.iterations->overlapping[i] != 0
                             ? thread == r.calls->thread[c]
                             : r.threads->process[thread] == r.threads->process[r.calls->thread[c]];
        const bool contains = r.iterations->start[i] <= r.calls->start[c] && r.iterations->end[i] >= r.calls->end[c];
        if (may && contains) expected = static_cast<std::int32_t>(i);
      }
      ASSERT_EQ(found[c], expected) << "call " << c << " of round " << round;
    }
  }
}

TEST(IterationOfCalls, NothingWithoutIterationsOrCalls) {
  ReportBuilder b;
  b.call(CallKind::kOther, 0, 1);
  EXPECT_EQ(iteration_of_calls(b.build()), std::vector<std::int32_t>{kNone});
  EXPECT_TRUE(iteration_of_calls(ReportBuilder().build()).empty());
}

TEST(GapSweep, MeasuresFromTheGreatestEnd) {
  GapSweep stream;
  EXPECT_EQ(stream.add(0, 100), std::nullopt);
  EXPECT_EQ(stream.add(10, 20), 0);
  EXPECT_EQ(stream.add(130, 140), 30);  // not 110, from the row before
  EXPECT_EQ(stream.add(140, 150), 0);
  EXPECT_EQ(stream.reach(), 150);
}

}  // namespace assay::attribution_test
