// Shapes that make a careless join quadratic; without a watch, but with ten thousand rows a quadratic path would be
// felt.
#include "plugins/analyzers.hpp"
#include "plugins/nsys_stats/device_time.hpp"
#include "plugins/nsys_stats/launches.hpp"
#include "plugins/nsys_stats/reports.hpp"
#include "plugins/nsys_stats/summary.hpp"
#include "support/test.hpp"

namespace assay::nsys_stats_hostile_test {

/// Columns of one thread: `rows` ranges and calls, each call with one kernel. Built without ReportBuilder, whose
/// nesting is quadratic.
struct ManyRows {
  std::vector<std::int64_t> range_start, range_end, call_start, call_end, kernel_start, kernel_end;
  std::vector<StringId> name, domain, kernel_name;
  std::vector<std::uint32_t> thread, process{0}, of_process;
  std::vector<std::uint8_t> open, in_window;
  std::vector<Row> parent, call, no_row;
  std::vector<std::int32_t> depth, zero, stream;
  std::vector<CallKind> kind;
  std::vector<Membership> inside;
  std::vector<Str> strings;
  std::vector<std::int64_t> id{1};
  Window window;
  RangeTable ranges;
  CallTable calls;
  KernelTable kernels;
  ProcessTable processes;
  ThreadTable threads;
  Report report;

  template <class T>
  static Column<T> column(const std::vector<T>& values) {
    return {values.data(), values.size()};
  }

  ManyRows(std::size_t rows, std::int64_t (*start)(std::int64_t, std::int64_t),
           std::int64_t (*end)(std::int64_t, std::int64_t)) {
    const auto n = static_cast<std::int64_t>(rows);
    strings = {"", "r", "k"};
    for (std::int64_t i = 0; i < n; ++i) {
      range_start.push_back(start(i, n));
      range_end.push_back(end(i, n));
      call_start.push_back(10 * n + i);
      call_end.push_back(10 * n + i);
      kernel_start.push_back(20 * n + i);
      kernel_end.push_back(20 * n + i + 1);
      parent.push_back(static_cast<Row>(i) - 1);
      depth.push_back(static_cast<std::int32_t>(i));
      call.push_back(static_cast<Row>(i));
      stream.push_back(static_cast<std::int32_t>(i));
    }
    name.assign(rows, 1);
    domain.assign(rows, 0);
    kernel_name.assign(rows, 2);
    thread.assign(rows, 0);
    of_process.assign(rows, 0);
    open.assign(rows, 0);
    in_window.assign(rows, 1);
    zero.assign(rows, 0);
    kind.assign(rows, CallKind::kKernelLaunch);
    inside.assign(rows, Membership::kInside);
    ranges.rows = calls.rows = kernels.rows = rows;
    ranges.start = column(range_start);
    ranges.end = column(range_end);
    ranges.name = column(name);
    ranges.domain = column(domain);
    ranges.thread = ranges.end_thread = column(thread);
    ranges.open = column(open);
    ranges.parent = column(parent);
    ranges.depth = column(depth);
    calls.start = column(call_start);
    calls.end = column(call_end);
    calls.thread = column(thread);
    calls.kind = column(kind);
    calls.in_window = column(in_window);
    calls.full_name = column(name);
    kernels.start = column(kernel_start);
    kernels.end = column(kernel_end);
    kernels.device = column(zero);
    kernels.stream = column(stream);
    kernels.process = column(of_process);
    kernels.call = column(call);
    kernels.membership = column(inside);
    kernels.name = column(kernel_name);
    processes = {1, column(id)};
    threads = {1, column(process), column(id), {}, {}};
    report.window = &window;
    report.strings = column(strings);
    report.ranges = &ranges;
    report.calls = &calls;
    report.kernels = &kernels;
    report.processes = &processes;
    report.threads = &threads;
  }
};

constexpr std::size_t kRows = 200'000;

nsys::Task task(std::string_view name) { return {*find_nsys_report(name), nsys::Mode::kExact}; }

std::int64_t rising(std::int64_t i, std::int64_t) { return i; }

TEST(NsysStatsHostile, NestedRangesAroundAllWorkAreProjected) {
  const ManyRows rows(kRows, rising, [](std::int64_t i, std::int64_t n) { return 30 * n - i; });
  const nsys::Launches launches(rows.report);
  const nsys::ReportTable made = nsys::projection_sum(rows.report, task("nvtx_gpu_proj_sum"), launches);
  ASSERT_TRUE(made.table);
  made.table->with_view([&](const TableView& view) {
    EXPECT_EQ(view.columns[2].integers[0], static_cast<std::int64_t>(kRows) * static_cast<std::int64_t>(kRows));
    EXPECT_EQ(view.columns[10].integers[0], static_cast<std::int64_t>(kRows) * static_cast<std::int64_t>(kRows));
  });
}

TEST(NsysStatsHostile, OverlappingRangesAreProjected) {
  const ManyRows rows(kRows, rising, [](std::int64_t i, std::int64_t n) { return 10 * n + i; });
  const nsys::Launches launches(rows.report);
  const nsys::ReportTable made = nsys::projection_sum(rows.report, task("nvtx_gpu_proj_sum"), launches);
  ASSERT_TRUE(made.table);
  const auto n = static_cast<std::int64_t>(kRows);
  made.table->with_view([&](const TableView& view) { EXPECT_EQ(view.columns[2].integers[0], n * (n + 1) / 2); });
}

TEST(NsysStatsHostile, RejectsUnlistableRowsWithAReason) {
  const ManyRows rows(kRows, rising, [](std::int64_t i, std::int64_t n) { return 30 * n - i; });
  const nsys::Launches launches(rows.report);
  const nsys::ReportTable made = nsys::range_kernel_sum(rows.report, task("nvtx_kern_sum"), launches);
  EXPECT_FALSE(made.table);
  EXPECT_TRUE(contains(made.lack, "nested"));
}

constexpr std::int64_t kFar = (std::int64_t{1} << 62) - 1;  // the farthest time of a report

TEST(NsysStatsHostile, SumsBeyond64BitsStopAtTheirLimit) {
  std::vector<std::int64_t> values(5, 2 * kFar);
  values.push_back(0);
  const nsys::Summary sum = nsys::summarize(values);
  EXPECT_EQ(sum.total, std::numeric_limits<std::int64_t>::max());
  EXPECT_DOUBLE_EQ(sum.mean, 5.0 * 2 * static_cast<double>(kFar) / 6);
  nsys::WideSum down, mixed;
  for (int i = 0; i < 9; ++i) {
    down.add(-kFar);
    mixed.add(i % 2 == 0 ? kFar : -kFar);
  }
  EXPECT_EQ(down.value(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(mixed.value(), kFar);
  EXPECT_EQ(nsys::WideSum().value(), 0);
}

/// Rows of a table whose first column is of integers or of numbers.
std::size_t rows_of(const TableView& view) { return view.columns[0].integers.size + view.columns[0].numbers.size; }

/// Kernels from `start` to `end`, and nothing else that counts.
struct Kernels : ManyRows {
  Kernels(std::size_t rows, std::int64_t from, std::int64_t to)
      : ManyRows(rows, [](std::int64_t i, std::int64_t) { return i; }, [](std::int64_t i, std::int64_t) { return i; }) {
    kernel_start.assign(rows, from);
    kernel_end.assign(rows, to);
  }
};

TEST(NsysStatsHostile, KernelsAsLongAsTimeGoes) {
  const Kernels rows(1000, -kFar, kFar);
  const nsys::ReportTable sums = nsys::kernel_sum(rows.report, task("cuda_gpu_kern_sum"));
  ASSERT_TRUE(sums.table);
  sums.table->with_view([](const TableView& view) {
    EXPECT_EQ(view.columns[1].integers[0], std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(view.columns[5].integers[0], 2 * kFar);
  });
  const nsys::ReportTable use = nsys::low_use(rows.report, task("gpu_time_util"), {3, 100'001});
  ASSERT_TRUE(use.table);
  use.table->with_view([](const TableView& view) {  // one row: all chunks are in use for the same share
    ASSERT_EQ(rows_of(view), 1U);
    EXPECT_DOUBLE_EQ(view.columns[1].numbers[0], 100'000);
    EXPECT_EQ(view.columns[2].integers[0], 2 * kFar);
  });
  const nsys::ReportTable gaps = nsys::gaps(rows.report, task("gpu_gaps"), {0, 50});
  ASSERT_TRUE(gaps.table);
  gaps.table->with_view([](const TableView& view) { EXPECT_EQ(rows_of(view), 0U); });
}

TEST(NsysStatsHostile, ManyChunksUnderManyLongKernels) {
  const Kernels rows(kRows, 0, 5'000'000);
  const nsys::ReportTable use = nsys::low_use(rows.report, task("gpu_time_util"), {1'000'000, 1e18});
  ASSERT_TRUE(use.table);
  use.table->with_view([](const TableView& view) {
    ASSERT_EQ(rows_of(view), 1U);
    EXPECT_DOUBLE_EQ(view.columns[1].numbers[0], 100.0 * kRows);
  });
}

TEST(NsysStatsHostile, ChunksAddUpToTheWork) {
  ManyRows rows(1000, rising, [](std::int64_t i, std::int64_t) { return i; });
  std::int64_t busy = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    rows.kernel_end[i] = rows.kernel_start[i] + static_cast<std::int64_t>(i * 37 % 450);
    busy += rows.kernel_end[i] - rows.kernel_start[i];
  }
  for (const std::int64_t count : {1, 2, 7, 30, 999, 5000}) {
    const nsys::ReportTable use = nsys::low_use(rows.report, task("gpu_time_util"), {count, 1e18});
    ASSERT_TRUE(use.table);
    use.table->with_view([&](const TableView& view) {
      double filled = 0;
      for (std::size_t row = 0; row < rows_of(view); ++row) {
        filled += view.columns[1].numbers[row] / 100 * static_cast<double>(view.columns[2].integers[row]);
      }
      EXPECT_NEAR(filled, static_cast<double>(busy), 0.001 * static_cast<double>(busy)) << count;
    });
  }
}

TEST(NsysStatsHostile, ANameAKernel) {
  ManyRows rows(kRows, rising, rising);
  for (std::size_t i = 0; i < kRows; ++i) rows.kernel_name[i] = static_cast<StringId>(i);
  rows.strings.resize(kRows, rows.strings.back());
  rows.report.strings = ManyRows::column(rows.strings);
  const nsys::ReportTable made = nsys::kernel_sum(rows.report, task("cuda_gpu_kern_sum"));
  ASSERT_TRUE(made.table);
  made.table->with_view([](const TableView& view) { EXPECT_EQ(rows_of(view), kRows); });
}

}  // namespace assay::nsys_stats_hostile_test
