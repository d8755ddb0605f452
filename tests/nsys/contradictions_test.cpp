// Rows that contradict their stream, their thread, their launch or another row: mended or left out, counted, and the
// rest stays as it was. What sound profilers write breaks no rule.
#include "load/made_export.hpp"
#include "support/test.hpp"

namespace assay::contradictions_test {

constexpr std::int64_t kBegin = 5'000'000'000, kStep = 1'000'000, kLast = kStep / 2;
constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";

/// 100 kernels of 0.5 ms, one each millisecond, each launched 10 us before; of process 1, and of stream 7.
MadeExport& steady(MadeExport& made) {
  made.with_kernels().with_calls();
  for (int i = 0; i < 100; ++i) {
    const std::int64_t start = kBegin + i * kStep;
    made.kernel(start, start + kLast, pid(1), i + 1);
    made.call(start - 10'000, start - 5'000, tid(1, 1), i + 1);
  }
  return made;
}

MadeExport& change(MadeExport& made, const std::string& table, const std::string& to, int correlation) {
  return made.add("UPDATE " + table + " SET " + to + " WHERE correlationId = " + std::to_string(correlation) + ";");
}

std::int64_t busy(const Report& report) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < report.kernels->rows; ++k) sum += report.kernels->end[k] - report.kernels->start[k];
  return sum;
}

/// With all columns asked for, and with the names of kernels alone.
const std::vector<std::set<ColumnId>>& wishes() {
  static const std::vector<std::set<ColumnId>> kWishes = {all_columns(), {col::kernels, col::kernel_name}};
  return kWishes;
}

TEST(StreamOrder, AnEndAfterWorkThatBeganLaterIsCutAtTheNextStart) {
  for (const std::int64_t late : {10 * kStep, 900 * kStep}) {
    MadeExport made;
    change(steady(made), kKernels, "\"end\" = \"end\" + " + std::to_string(late), 40);
    const auto file = made.write();
    for (const auto& wanted : wishes()) {
      const LoadedView loaded(file, {}, {}, wanted);
      EXPECT_EQ(loaded.report().kernels->rows, 100U);
      EXPECT_EQ(busy(loaded.report()), 100 * kLast + kLast) << "of the next start, not of the damage";
      EXPECT_EQ(loaded.issue("impossible_ends"), 1);
      EXPECT_EQ(loaded.report().calls != nullptr, wanted.contains(col::calls));
    }
  }
}

TEST(StreamOrder, ACopyOrSetOverTheStreamIsCutToo) {
  MadeExport made;
  steady(made).add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, contextId INT, streamId INT, "
      "correlationId INT, globalPid INT, bytes INT);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(5000600000, 5090000000, 0, 1, 7, 900, 16777216, 64);");
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.issue("impossible_ends"), 1);
  EXPECT_EQ(loaded.report().sets->end[0], kBegin + kStep);
}

TEST(StreamOrder, AStartBeforeWorkThatWasLaunchedEarlierIsLeftOut) {
  MadeExport made;
  change(steady(made), kKernels, "start = start - 10000000", 40);  // 10 ms, far before its launch
  const LoadedView before(made.write());
  EXPECT_EQ(before.report().kernels->rows, 99U);
  EXPECT_EQ(before.issue("impossible_times"), 1);
  MadeExport moved;
  change(steady(moved), kKernels, "start = start + 30300000, \"end\" = \"end\" + 30300000", 40);
  const LoadedView after(moved.write());
  EXPECT_EQ(after.report().kernels->rows, 99U) << "after work that was launched after it";
  EXPECT_EQ(after.issue("impossible_times"), 1);
}

TEST(StreamOrder, WhatIsSoundStays) {
  MadeExport overlapping, streams, contexts, graph;
  change(steady(overlapping), kKernels, "\"end\" = \"end\" + 600000", 40);  // a programmatic launch
  change(steady(streams), kKernels, "\"end\" = \"end\" + 9000000, streamId = 8", 40);
  change(steady(contexts), kKernels, "\"end\" = \"end\" + 9000000, contextId = 2", 40);
  steady(graph).add(
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET \"end\" = \"end\" + 9000000, correlationId = 7 "
      "WHERE correlationId BETWEEN 7 AND 9;"
      "INSERT INTO StringIds VALUES(8, 'cudaGraphLaunch_v10000');"
      "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET nameId = 8 WHERE correlationId = 7;");
  for (MadeExport* made : {&overlapping, &streams, &contexts, &graph}) {
    const auto file = made->write();
    for (const auto& wanted : wishes()) {
      const LoadedView loaded(file, {}, {}, wanted);
      EXPECT_EQ(loaded.report().kernels->rows, 100U);
      EXPECT_EQ(loaded.issue("impossible_ends"), std::nullopt);
      EXPECT_EQ(loaded.issue("impossible_times"), std::nullopt);
    }
  }
}

TEST(RepeatedRows, CountOnce) {
  MadeExport made;
  steady(made).add(
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL;"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT * FROM CUPTI_ACTIVITY_KIND_RUNTIME "
      "WHERE correlationId < 4;");
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.report().kernels->rows, 100U);
  EXPECT_EQ(loaded.report().calls->rows, 100U);
  EXPECT_EQ(loaded.issue("repeated_rows"), 3) << "of the calls, which come first";
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(loaded.report().kernels->call[k], static_cast<Row>(k));
}

TEST(ThreadOrder, ACallThatBeginsBeforeEarlierOnesBeginsAfterThem) {
  MadeExport made;
  change(steady(made), kCalls, "start = start - 35000000", 60);
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.issue("impossible_times"), 1);
  EXPECT_EQ(loaded.report().calls->rows, 100U);
  EXPECT_EQ(loaded.report().calls->start[59], kBegin + 58 * kStep - 5'000) << "the end of the call before";
  EXPECT_EQ(loaded.report().kernels->call[59], 59);
}

TEST(ThreadOrder, ACallOverLaunchesOfItsThreadEndsAtTheNext) {
  MadeExport made;
  change(steady(made), kCalls, "\"end\" = \"end\" + 35000000", 20);
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.issue("impossible_ends"), 1);
  EXPECT_EQ(loaded.report().calls->end[19], kBegin + 20 * kStep - 10'000);
}

TEST(Durations, WorkWithoutAnyIsToldUnlessTheFileCountsMicroseconds) {
  MadeExport made, whole;
  steady(made).add("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start + 1, \"end\" = start + 1;");
  const LoadedView none(made.write());
  EXPECT_EQ(none.issue("no_durations"), 100);
  steady(whole).add("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET \"end\" = start;");
  EXPECT_EQ(LoadedView(whole.write()).issue("no_durations"), std::nullopt);
}

TEST(Clocks, KernelsAllBeforeTheirLaunchesAreTold) {
  MadeExport made;
  steady(made).add("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start - 700000, \"end\" = \"end\" - 700000;");
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.issue("clocks_differ"), 100);
  EXPECT_EQ(loaded.report().kernels->rows, 100U);
}

TEST(Devices, WorkOnAGpuThatIsNotListedIsTold) {
  MadeExport made;
  steady(made).add(
      "CREATE TABLE TARGET_INFO_GPU(id INT, name TEXT); INSERT INTO TARGET_INFO_GPU VALUES(0, 'GPU');"
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 9 WHERE correlationId > 90;");
  EXPECT_EQ(LoadedView(made.write()).issue("missing_devices"), 10);
}

}  // namespace assay::contradictions_test
