// The range around each call, against a walk up from every range; and shapes in which that walk is quadratic.
#include "assay/detail/random.hpp"
#include "load/link.hpp"
#include "support/test.hpp"

namespace assay::load::nesting_test {

struct MadeNesting {
  RangeRows ranges;
  CallRows calls;

  MadeNesting() {
    ranges.start.make_present(0);
    ranges.end.make_present(0);
    ranges.thread.make_present(0);
    calls.start.make_present(0);
    calls.end.make_present(0);
    calls.thread.make_present(0);
  }
  void range(std::int64_t start, std::int64_t end) {
    ranges.start.push(start);
    ranges.end.push(end);
    ranges.thread.push(0);
  }
  void call(std::int64_t start, std::int64_t end) {
    calls.start.push(start);
    calls.end.push(end);
    calls.thread.push(0);
  }
  void attribute_all() {
    nest(ranges, 1);
    attribute(calls, ranges, 1);
  }
};

/// From the last range begun before the call up to the first that also ends after it.
Row walked(const MadeNesting& made, std::size_t call) {
  Row last = kNone;
  const auto later = [&](std::size_t r) {
    if (last == kNone) return true;
    const auto l = static_cast<std::size_t>(last);
    return made.ranges.start[r] != made.ranges.start[l] ? made.ranges.start[r] > made.ranges.start[l]
                                                        : made.ranges.depth[r] >= made.ranges.depth[l];
  };
  for (std::size_t r = 0; r < made.ranges.rows(); ++r) {
    if (made.ranges.start[r] <= made.calls.start[call] && later(r)) last = static_cast<Row>(r);
  }
  const auto too_short = [&](Row r) { return made.ranges.end[static_cast<std::size_t>(r)] < made.calls.end[call]; };
  while (last != kNone && too_short(last)) last = made.ranges.parent[static_cast<std::size_t>(last)];
  return last;
}

TEST(Nesting, AgreesWithAWalkUp) {
  Random random("nesting");
  for (int round = 0; round < 300; ++round) {
    MadeNesting made;
    const auto number = [&](std::uint32_t below) { return static_cast<std::int64_t>(random.index(below)); };
    std::int64_t time = 0;
    for (int i = 0; i < 40; ++i) {
      time += number(4);
      made.range(time, time + number(60));
    }
    time = 0;
    for (int i = 0; i < 40; ++i) {
      time += number(4);
      made.call(time, time + number(30));
    }
    made.attribute_all();
    for (std::size_t c = 0; c < made.calls.rows(); ++c) ASSERT_EQ(made.calls.range[c], walked(made, c)) << round;
  }
}

TEST(Nesting, DeepRangesThatEndDuringEveryCall) {
  constexpr std::int64_t kRows = 300'000;
  MadeNesting made;
  made.range(0, 10 * kRows);
  for (std::int64_t i = 1; i < kRows; ++i) made.range(i, 4 * kRows - i);
  for (std::int64_t i = 0; i < kRows; ++i) made.call(kRows + i, 5 * kRows + i);
  made.attribute_all();
  EXPECT_EQ(made.ranges.depth[kRows - 1], kRows - 1);
  for (const Row range : made.calls.range.values()) ASSERT_EQ(range, 0);
}

}  // namespace assay::load::nesting_test
