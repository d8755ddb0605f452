#include "assay/algo/named_ranges.hpp"

#include <random>

#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"

namespace assay::named_ranges_test {

using testing::ReportBuilder;

TEST(RangeNames, MatchWholeAndNumbersWhereAsked) {
  EXPECT_TRUE(range_name_matches("forward", "forward"));
  EXPECT_FALSE(range_name_matches("forward", "forward2"));
  EXPECT_TRUE(range_name_matches("step_{i}", "step_12"));
  EXPECT_FALSE(range_name_matches("step_{i}", "step_"));
  EXPECT_FALSE(range_name_matches("step_{i}", "step_1a"));
  EXPECT_TRUE(range_name_matches("step {i} done", "step 3 done"));
  EXPECT_FALSE(range_name_matches("{i}", ""));
  EXPECT_FALSE(range_name_matches("aa{i}aa", "aa1a"));
}

TEST(NamedRanges, AgreesWithLookingAtEveryRange) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    ReportBuilder b;
    const std::size_t threads = 3;
    b.process(1);
    const std::uint32_t second = b.process(2);
    for (std::uint32_t t = 0; t < threads; ++t) b.thread(10 + t, t == 2 ? second : 0);
    const auto below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
    for (int i = 0; i < 12; ++i) {
      const std::int64_t start = below(300);
      const auto thread = static_cast<std::uint32_t>(below(round % 2 == 0 ? 3 : 2) * (round % 2 == 0 ? 1 : 2));
      const bool push_pop = below(2) == 0;  // start/end ranges overlap freely
      const std::int64_t end = start + (push_pop ? 8 : below(60));
      push_pop ? b.range("r", start / 10 * 10, start / 10 * 10 + 8, {.thread = thread})
               : b.span(below(3) == 0 ? "other" : "r", start, end, {.thread = thread});
    }
    for (int i = 0; i < 60; ++i) {
      const std::int64_t start = below(330);
      b.call(CallKind::kKernelLaunch, start, start + below(6), static_cast<std::uint32_t>(below(3)));
    }
    const Report& report = b.build();
    const std::vector<std::string> names = {"r"};
    const NamedRanges ranges(report, names);

    const auto each = [&](auto&& visit) {
      for (const RangeTable* t : {report.ranges, report.spans}) {
        for (std::size_t r = 0; t != nullptr && r < t->rows; ++r) {
          if (report.string(t->name[r]) == "r") visit(t->start[r], t->end[r], t->thread[r]);
        }
      }
    };
    const auto process = [&](std::uint32_t thread) { return report.threads->process[thread]; };
    bool rivals = false;
    each([&](auto s, auto e, auto t) {
      each([&](auto s2, auto e2, auto t2) { rivals |= t != t2 && process(t) == process(t2) && s < e2 && s2 < e; });
    });
    ASSERT_EQ(ranges.by_time(), !rivals) << "round " << round;
    for (std::size_t c = 0; c < report.calls->rows; ++c) {
      bool inside = false;
      const std::uint32_t caller = report.calls->thread[c];
      each([&](auto s, auto e, auto t) {
        const bool around = s <= report.calls->start[c] && e >= report.calls->end[c];
        inside |= around && (rivals ? t == caller : process(t) == process(caller));
      });
      const std::int32_t found = ranges.of_call(static_cast<Row>(c));
      ASSERT_EQ(found != kNone, inside) << "round " << round << " call " << c;
      if (found == kNone) continue;
      const auto& i = ranges.instances()[static_cast<std::size_t>(found)];
      EXPECT_TRUE(i.start <= report.calls->start[c] && i.end >= report.calls->end[c]);
      EXPECT_EQ(ranges.is_other_thread(static_cast<Row>(c), found), i.thread != caller);
    }
  }
}

}  // namespace assay::named_ranges_test
