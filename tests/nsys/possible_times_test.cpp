// Times that cannot be: the rows go and are counted, whichever tables are asked for; gaps that are real stay.
#include "load/made_export.hpp"
#include "support/test.hpp"

namespace assay::possible_times_test {

constexpr std::int64_t kSecond = 1'000'000'000, kBegin = 5 * kSecond, kStep = 1'000'000;

/// 100 kernels of 0.5 ms, one each millisecond from 5 s on, each launched 10 us before.
MadeExport& steady(MadeExport& made, bool calls = true) {
  made.with_kernels();
  if (calls) made.with_calls();
  for (int i = 0; i < 100; ++i) {
    const std::int64_t start = kBegin + i * kStep;
    made.kernel(start, start + kStep / 2, pid(1), i + 1);
    if (calls) made.call(start - 10'000, start - 5'000, tid(1, 1), i + 1);
  }
  return made;
}

MadeExport& set(MadeExport& made, const std::string& column, std::int64_t value, int correlation,
                const std::string& table = "CUPTI_ACTIVITY_KIND_KERNEL") {
  return made.add("UPDATE " + table + " SET " + column + " = " + std::to_string(value) +
                  " WHERE correlationId = " + std::to_string(correlation) + ";");
}

std::int64_t busy(const Report& report) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < report.kernels->rows; ++k) sum += report.kernels->end[k] - report.kernels->start[k];
  return sum;
}

/// Kernels left, ns of them, and rows said to be impossible; with all columns asked for and with those of kernels
/// alone.
void expect(MadeExport& made, std::size_t kernels, std::optional<std::int64_t> impossible) {
  const auto file = made.write();
  for (const std::set<ColumnId>& wanted : {all_columns(), std::set<ColumnId>{col::kernels, col::kernel_name}}) {
    const LoadedView loaded(file, {}, {}, wanted);
    EXPECT_EQ(loaded.report().kernels->rows, kernels);
    EXPECT_EQ(busy(loaded.report()), static_cast<std::int64_t>(kernels) * kStep / 2);
    EXPECT_EQ(loaded.issue("impossible_times"), impossible);
    EXPECT_TRUE(loaded.report().calls == nullptr || wanted.contains(col::calls)) << "read for their times alone";
    EXPECT_TRUE(!impossible || loaded.report().issues->severity[0] == Severity::kError);
  }
}

TEST(PossibleTimes, KeepWhatIsSound) {
  MadeExport made;
  expect(steady(made), 100, std::nullopt);
}

TEST(PossibleTimes, DropZerosAmongTimesSinceTheEpochHoweverMany) {
  for (const int zeros : {60, 99}) {  // beside one row, nothing tells which is far from the others
    MadeExport made;
    made.with_kernels();
    for (int i = 0; i < 100; ++i) {
      const std::int64_t start = i < zeros ? 0 : 1'700'000'000 * kSecond + i * kStep;
      made.kernel(start, start + kStep / 2, pid(1), i + 1);
    }
    expect(made, static_cast<std::size_t>(100 - zeros), zeros);
  }
}

TEST(PossibleTimes, DropAKernelLongBeforeItsLaunch) {
  for (const int which : {1, 50, 100}) {
    MadeExport made;
    set(steady(made), "start", 0, which);
    expect(made, 99, 1);
  }
}

TEST(PossibleTimes, DropAnEndFarFromAllOthers) {
  for (const bool calls : {true, false}) {
    MadeExport made;
    set(steady(made, calls), "\"end\"", 1'000'000'000'000'000'000, 7);
    const LoadedView loaded(made.write());
    EXPECT_EQ(loaded.report().kernels->rows, 99U);
    EXPECT_EQ(loaded.issue("impossible_times"), 1);
    EXPECT_LT(loaded.report().window->end, 6 * kSecond);
  }
}

TEST(PossibleTimes, DropEqualTimesFarFromAllOthers) {
  MadeExport made;
  steady(made, false);
  for (const int which : {3, 4, 5}) set(made, "start", 0, which);
  expect(made, 97, 3);
}

TEST(PossibleTimes, DropOneAfterTheOther) {
  MadeExport made;
  set(set(steady(made, false), "start", 0, 3), "\"end\"", 1'000'000'000'000'000'000, 4);
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.report().kernels->rows, 98U);
}

TEST(PossibleTimes, DropCallsAndRangesThatLastForYears) {
  constexpr std::int64_t kYears = 900'000'000'000'000'000;
  MadeExport calls, ranges;
  set(steady(calls), "\"end\"", kYears, 9, "CUPTI_ACTIVITY_KIND_RUNTIME");
  EXPECT_EQ(LoadedView(calls.write()).report().calls->rows, 99U);
  steady(ranges).with_ranges();
  ranges.range(kBegin, kBegin + kStep, "a", tid(1, 1)).range(kBegin, kYears, "b", tid(1, 1));
  EXPECT_EQ(LoadedView(ranges.write()).report().ranges->rows, 1U);
}

TEST(PossibleTimes, OpenRangesEndWithWhatIsPossible) {
  MadeExport made;
  set(steady(made).with_ranges().range(kBegin, -1, "open", tid(1, 1)), "\"end\"", 1'000'000'000'000'000'000, 7);
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.report().ranges->end[0], kBegin + 99 * kStep + kStep / 2);
  EXPECT_EQ(loaded.issue("open_ranges"), 1);
}

TEST(PossibleTimes, DropEndsBeforeStarts) {
  MadeExport made;
  set(steady(made), "\"end\"", 17, 7);
  expect(made, 99, 1);
}

TEST(PossibleTimes, KeepAWarmUpThatACallOrRangeVouchesFor) {
  // The copy's own call, a call across the gap, a range across the gap.
  for (const std::string& host :
       {"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(1000000,1010000,0," + std::to_string(tid(1, 1)) + ",500,2,0);",
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(1000000,34000000000,0," + std::to_string(tid(1, 1)) +
            ",500,5,0);",
        "INSERT INTO NVTX_EVENTS VALUES(900000,34000000000,59,'load'," + std::to_string(tid(1, 1)) +
            ",NULL,NULL,0);"}) {
    MadeExport made;
    made.with_calls().with_ranges().with_kernels();
    for (int i = 0; i < 100; ++i)
      made.kernel(35 * kSecond + i * kStep, 35 * kSecond + i * kStep + kStep / 2, pid(1), i + 1);
    made.kernel(1'020'000, 1'520'000, pid(1), 500).add(host);
    expect(made, 101, std::nullopt);
  }
}

TEST(PossibleTimes, DropALoneKernelThatNothingVouchesFor) {
  MadeExport made;
  steady(made, false).kernel(1'000'000, 1'500'000, pid(1), 500);
  expect(made, 100, 1);
}

TEST(PossibleTimes, KeepKernelsOfWhichNoneIsTheRule) {
  MadeExport made;
  made.with_kernels().kernel(0, kStep / 2, pid(1), 1).kernel(9 * kSecond, 9 * kSecond + kStep / 2, pid(1), 2);
  expect(made, 2, std::nullopt);
}

class RecordedTimes : public ::testing::Test {
 protected:
  MadeExport& for_time(std::int64_t duration) {
    return made_.add(
        "CREATE TABLE ANALYSIS_DETAILS(globalVid INT, duration INT, startTime INT, stopTime INT);"
        "INSERT INTO ANALYSIS_DETAILS VALUES(1," +
        std::to_string(duration) + ",7," + std::to_string(7 + duration) + ");");
  }
  MadeExport made_;
};

TEST_F(RecordedTimes, DropsWhatLiesOutside) {
  steady(made_, false);
  set(set(made_, "\"end\"", 20 * kSecond, 7), "start", 0, 9);
  for_time(10 * kSecond);
  expect(made_, 98, 2);
}

TEST_F(RecordedTimes, KeepsWhatLiesApartInside) {
  steady(made_, false).kernel(1'000'000, 1'500'000, pid(1), 500);
  for_time(10 * kSecond);
  expect(made_, 101, std::nullopt);
}

TEST_F(RecordedTimes, KeepsRangesThatBeganBefore) {
  steady(made_).with_ranges().range(-9 * kSecond, 6 * kSecond, "old", tid(1, 1));
  for_time(10 * kSecond);
  EXPECT_EQ(LoadedView(made_.write()).report().ranges->rows, 1U);
}

TEST_F(RecordedTimes, IsNotBelievedAgainstMostRows) {
  steady(made_);
  for_time(1000);
  const LoadedView loaded(made_.write());
  EXPECT_EQ(loaded.report().kernels->rows, 100U);
  EXPECT_EQ(loaded.issue("recorded_time"), 200);
  EXPECT_EQ(loaded.issue("impossible_times"), std::nullopt);
}

TEST_F(RecordedTimes, IsNotBelievedAgainstATenthOfTheRows) {
  steady(made_, false);
  for (int i = 0; i < 12; ++i)
    set(set(made_, "\"end\"", 20 * kSecond + 100 * i + 50, i + 1), "start", 20 * kSecond + 100 * i, i + 1);
  for_time(10 * kSecond);
  const LoadedView loaded(made_.write());
  EXPECT_EQ(loaded.report().kernels->rows, 100U);
  EXPECT_EQ(loaded.issue("recorded_time"), 12);
  EXPECT_EQ(loaded.issue("impossible_times"), std::nullopt);
}

TEST(PossibleTimes, ClocksThatDifferLoseNoKernels) {
  MadeExport made;
  made.with_kernels().with_calls();
  for (int i = 0; i < 20; ++i)
    made.kernel(kBegin + i * kStep, kBegin + i * kStep + kStep / 2, pid(1), i + 1)
        .call(7 * kSecond + i * kStep, 7 * kSecond + i * kStep + 10, tid(1, 1), i + 1);
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.report().kernels->rows, 20U);
  EXPECT_EQ(loaded.issue("clocks_differ"), 20);
}

}  // namespace assay::possible_times_test
