// compute_reach, visit_spans_around and ranges_around against a look at every row.
#include "assay/detail/random.hpp"
#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"

namespace assay::spans_around_test {

using testing::ReportBuilder;

/// Rows of `spans` with start <= from and end >= to, ascending: by looking at all.
std::vector<Row> all_around(const RangeTable& spans, std::int64_t from, std::int64_t to) {
  std::vector<Row> out;
  for (std::size_t i = 0; i < spans.rows; ++i) {
    if (spans.start[i] <= from && spans.end[i] >= to) out.push_back(static_cast<Row>(i));
  }
  return out;
}

TEST(SpansAround, FindsWhatALookAtEveryRowFinds) {
  Random random("spans");
  for (std::size_t rows = 0; rows < 70; ++rows) {
    ReportBuilder b;
    b.captured(col::spans);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto start = static_cast<std::int64_t>(random.index(100));
      b.span("s", start, start + static_cast<std::int64_t>(random.index(60)));
    }
    const RangeTable& spans = *b.build().spans;
    for (int query = 0; query < 200; ++query) {
      const auto from = static_cast<std::int64_t>(random.index(120));
      const auto to = from + static_cast<std::int64_t>(random.index(30));
      std::vector<Row> found;
      visit_spans_around(spans, from, to, [&](Row r) { found.push_back(r); });
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, all_around(spans, from, to)) << rows << " rows, query " << from << ".." << to;
    }
  }
}

TEST(SpansAround, ReachIsTheGreatestEndBelowEachRow) {
  // Seven rows: the root is row 3, its children are 1 and 5.
  const std::vector<std::int64_t> start = {0, 1, 2, 3, 4, 5, 6}, end = {50, 2, 9, 4, 5, 6, 70};
  std::vector<std::int64_t> reach(7);
  compute_reach(start, end, reach);
  EXPECT_EQ(reach, (std::vector<std::int64_t>{50, 50, 9, 70, 5, 70, 70}));
}

TEST(RangesAround, InnermostPushPopFirstThenOpenSpansOfTheProcess) {
  ReportBuilder b;
  const auto first = b.process(100), second = b.process(200);
  const auto thread = b.thread(1, first), other_thread = b.thread(2, first), foreign = b.thread(3, second);
  b.range("outer", 0, 100, {.thread = thread});
  b.range("inner", 10, 50, {.thread = thread});
  b.range("elsewhere", 0, 100, {.thread = other_thread});
  b.span("whole", 5, 60, {.thread = other_thread});
  b.span("too short", 5, 25, {.thread = thread});
  b.span("other process", 0, 100, {.thread = foreign});
  const Row call = b.call(CallKind::kKernelLaunch, 20, 30, thread);
  const Report& report = b.build();

  std::vector<std::string> names;
  ranges_around(report, b.row_of_call(call), [&](const RangeTable& table, Row row) {
    names.emplace_back(report.string(table.name[static_cast<std::size_t>(row)]));
  });
  EXPECT_EQ(names, (std::vector<std::string>{"inner", "outer", "whole"}));
}

TEST(RangesAround, RandomNestingAgreesWithContainment) {
  Random random("nesting");
  for (int round = 0; round < 200; ++round) {
    ReportBuilder b;
    b.thread(1);
    b.thread(2);
    // Nested per thread by construction: each range lies inside the one before it or after it.
    for (std::uint32_t thread : {0U, 1U}) {
      for (std::int64_t block = 0; block < 4; ++block) {
        std::int64_t start = block * 100, end = start + 100;
        while (end - start > 4 && random.index(4) != 0) {
          b.range("r", start, end, {.thread = thread});
          start += static_cast<std::int64_t>(random.index(3));
          end -= static_cast<std::int64_t>(random.index(3));
        }
      }
    }
    std::vector<Row> calls;
    for (int i = 0; i < 20; ++i) {
      const auto start = static_cast<std::int64_t>(random.index(390));
      calls.push_back(b.call(CallKind::kOther, start, start + 1 + static_cast<std::int64_t>(random.index(12)),
                             static_cast<std::uint32_t>(random.index(2))));
    }
    const Report& report = b.build();
    if (report.ranges == nullptr) continue;
    for (const Row added : calls) {
      const auto call = static_cast<std::size_t>(b.row_of_call(added));
      std::vector<Row> found, expected;
      ranges_around(report, b.row_of_call(added), [&](const RangeTable&, Row row) { found.push_back(row); });
      std::sort(found.begin(), found.end());
      for (const Row r : all_around(*report.ranges, report.calls->start[call], report.calls->end[call])) {
        if (report.ranges->thread[static_cast<std::size_t>(r)] == report.calls->thread[call]) expected.push_back(r);
      }
      ASSERT_EQ(found, expected);
    }
  }
}

}  // namespace assay::spans_around_test
