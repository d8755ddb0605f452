// Interval algebra against a brute force over every single nanosecond.
#include "assay/algo/intervals.hpp"

#include <bitset>

#include "assay/detail/random.hpp"
#include "support/test.hpp"

namespace assay::intervals_test {

constexpr std::int64_t kUniverse = 64;
using Points = std::bitset<kUniverse>;  // point p stands for [p, p + 1)

Points points(std::span<const Interval> intervals) {
  Points out;
  for (const Interval& i : intervals) {
    for (std::int64_t p = std::max<std::int64_t>(0, i.start); p < std::min(i.end, kUniverse); ++p) {
      out.set(static_cast<std::size_t>(p));
    }
  }
  return out;
}

/// Runs of set points: the normal form by definition.
Intervals runs(const Points& set) {
  Intervals out;
  for (std::int64_t p = 0; p < kUniverse; ++p) {
    if (!set[static_cast<std::size_t>(p)]) continue;
    if (!out.empty() && out.back().end == p) {
      ++out.back().end;
    } else {
      out.push_back({p, p + 1});
    }
  }
  return out;
}

Intervals random_intervals(Random& random) {
  Intervals out(random.index(12));
  for (Interval& i : out) {
    i.start = static_cast<std::int64_t>(random.index(kUniverse));
    // Now and then empty or the wrong way round.
    i.end = std::min(kUniverse, i.start + static_cast<std::int64_t>(random.index(10)) - 1);
  }
  return out;
}

TEST(Intervals, AgreeWithPointSets) {
  Random random("intervals");
  for (int round = 0; round < 5000; ++round) {
    const Intervals raw_a = random_intervals(random), raw_b = random_intervals(random);
    const Intervals a = merge(raw_a), b = merge(raw_b);
    const Points in_a = points(raw_a), in_b = points(raw_b);
    ASSERT_EQ(a, runs(in_a));
    ASSERT_EQ(measure(a), static_cast<std::int64_t>(in_a.count()));
    ASSERT_EQ(intersect(a, b), runs(in_a & in_b));
    ASSERT_EQ(subtract(a, b), runs(in_a & ~in_b));

    const auto start = static_cast<std::int64_t>(random.index(kUniverse));
    const Interval within{start, std::min(kUniverse, start + static_cast<std::int64_t>(random.index(30)))};
    const Points in_within = points(std::span(&within, 1));
    ASSERT_EQ(complement(a, within), runs(in_within & ~in_a));
    ASSERT_EQ(clip(a, within), runs(in_within & in_a));
  }
}

TEST(Intervals, UnionMeasureEqualsMeasureOfMerge) {
  Random random("union");
  for (int round = 0; round < 5000; ++round) {
    Intervals raw = random_intervals(random);
    std::sort(raw.begin(), raw.end(), [](const Interval& x, const Interval& y) { return x.start < y.start; });
    UnionMeasure streamed;
    for (const Interval& i : raw) streamed.add(i.start, i.end);
    ASSERT_EQ(streamed.total(), measure(merge(raw)));
  }
}

TEST(Intervals, MergeDropsEmptyOnesAndJoinsTouchingOnes) {
  EXPECT_EQ(merge(Intervals{{5, 5}, {9, 2}}), Intervals{});
  EXPECT_EQ(merge(Intervals{{3, 5}, {1, 3}, {7, 7}, {8, 9}}), (Intervals{{1, 5}, {8, 9}}));
  EXPECT_EQ(merge(Intervals{{1, 9}, {2, 3}, {4, 5}}), (Intervals{{1, 9}}));
  EXPECT_EQ(merge({}), Intervals{});
}

TEST(Intervals, TimesNearTheEndOfTheRangeAndBelowZero) {
  constexpr std::int64_t big = std::int64_t{1} << 62;
  EXPECT_EQ(measure(merge(Intervals{{-10, -5}, {-7, 3}})), 13);
  EXPECT_EQ(subtract(Intervals{{-big, big}}, Intervals{{0, 1}}), (Intervals{{-big, 0}, {1, big}}));
  UnionMeasure u;
  u.add(-10, -5);
  u.add(-7, 3);
  EXPECT_EQ(u.total(), 13);
}

TEST(Intervals, ComplementWithinAnEmptyWindowIsEmpty) {
  EXPECT_EQ(complement(Intervals{{1, 2}}, {5, 5}), Intervals{});
  EXPECT_EQ(complement(Intervals{}, {5, 9}), (Intervals{{5, 9}}));
  EXPECT_EQ(clip(Intervals{{1, 20}}, {7, 3}), Intervals{});
}

}  // namespace assay::intervals_test
