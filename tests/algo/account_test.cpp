// The account of steps: every instant of a step belongs to one row, and why the device was idle.
#include "algo/account/account.hpp"

#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "algo/account/table.hpp"
#include "assay/detail/launching_calls.hpp"
#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"

namespace assay::account::account_test {

using namespace testing;

/// ns by kind, and by cause.
struct Sums {
  std::map<AccountKind, std::int64_t> kinds;
  std::map<IdleCause, std::int64_t> causes;
};

Sums sums_of(const Report& report) {
  Sums sums;
  const AccountRows rows = account_rows(report);
  for (std::size_t r = 0; r < rows.step.size(); ++r) {
    sums.kinds[rows.kind[r]] += rows.time[r];
    if (rows.kind[r] == AccountKind::kIdle) sums.causes[rows.cause[r]] += rows.time[r];
  }
  return sums;
}

/// A kernel of 20 us, 5 us behind the start of its launch of 4 us.
void add_kernel(ReportBuilder& b, std::int64_t launch, std::int64_t lag = 5000, std::int32_t stream = 7,
                std::uint32_t thread = 0) {
  const Row call = b.call(CallKind::kKernelLaunch, launch, launch + 4000, thread);
  b.kernel("gemm", launch + lag, launch + lag + 20'000, {.stream = stream, .call = call});
}

/// Steps with a range of that length, one a millisecond; `add(at)` adds what is in the one that begins there.
template <class Add>
void add_steps(ReportBuilder& b, std::int64_t count, std::int64_t length, const Add& add) {
  for (std::int64_t s = 0; s < count; ++s) {
    b.range("step_" + std::to_string(s), s * 1'000'000, s * 1'000'000 + length);
    add(s * 1'000'000);
  }
}

TEST(Account, TellsTheCausesOfIdleTimeApart) {
  ReportBuilder b;
  add_steps(b, 3, 900'000, [&](std::int64_t at) {
    b.range("data", at, at + 300'000);
    add_kernel(b, at + 300'000);
    b.call(CallKind::kDeviceSync, at + 310'000, at + 400'000, 0, {.name = "cudaDeviceSynchronize"});
    b.call(CallKind::kOther, at + 400'000, at + 500'000, 0, {.name = "cudaMalloc"});
    add_kernel(b, at + 500'000);
  });
  const Sums sums = sums_of(b.build());
  EXPECT_EQ(sums.kinds.at(AccountKind::kKernel), 3 * 40'000);
  EXPECT_EQ(sums.causes.at(IdleCause::kLaunch), 3 * 10'000);
  EXPECT_EQ(sums.causes.at(IdleCause::kBlocked), 3 * (75'000 + 100'000));
  // 300 us of data, what follows the last kernel within the range, and none of the 100 us after it but the last step's.
  EXPECT_EQ(sums.causes.at(IdleCause::kHost), 3 * (300'000 + 375'000));
  EXPECT_EQ(sums.causes.at(IdleCause::kBetween), 2 * 100'000);
}

TEST(Account, WorkLaunchedBeforeWaitsForItsStreamOrForAnother) {
  ReportBuilder b;
  add_steps(b, 3, 500'000, [&](std::int64_t at) {
    add_kernel(b, at);                       // 5 to 25 us
    add_kernel(b, at + 5'000, 24'000);       // 29 to 49 us: 4 us after the one before on its stream
    add_kernel(b, at + 10'000, 100'000, 8);  // 110 to 130 us, on a stream of its own
  });
  const Sums sums = sums_of(b.build());
  EXPECT_EQ(sums.causes.at(IdleCause::kQueued), 3 * 4'000);
  EXPECT_EQ(sums.causes.at(IdleCause::kStream), 3 * 61'000);
}

TEST(Account, TheProfilersOwnWorkIsARow) {
  ReportBuilder b;
  add_steps(b, 5, 1'000'000, [&](std::int64_t at) { add_kernel(b, at + 500'000); });
  b.overhead(2'100'000, 2'200'000);
  const Report& report = b.build();
  EXPECT_EQ(sums_of(report).causes.at(IdleCause::kProfiler), 100'000);
  EXPECT_EQ(report.steps->disturbed[2], Disturbance::kProfiler);
  EXPECT_EQ(step::steps_of(report).kept.size(), 4U);
  EXPECT_EQ(step::left_out_text(step::steps_of(report)), "1 step left out: the profiler's own work");
}

TEST(Account, WhatTheProfileStatesGoesBeforeCallsAndRanges) {
  ReportBuilder b;
  b.thread(1);
  b.thread(2);
  add_steps(b, 3, 900'000, [&](std::int64_t at) {
    b.range("data", at, at + 300'000);
    b.call(CallKind::kOther, at + 100'000, at + 150'000, 0, {.name = "cuModuleLoad"});
    add_kernel(b, at + 300'000);  // its launch begins at 300 us
    b.cause("compiling forward", at + 50'000, at + 250'000);
    b.cause("writing the cache", at + 200'000, at + 220'000);  // inside
    b.cause("elsewhere", at, at + 300'000, 1);                 // of a thread that launches nothing
  });
  const Report& report = b.build();
  const AccountRows rows = account_rows(report);
  std::map<std::string, std::int64_t> stated;
  for (std::size_t r = 0; r < rows.step.size(); ++r) {
    if (rows.cause[r] == IdleCause::kStated) stated[std::string(report.string(rows.name[r]))] += rows.time[r];
  }
  EXPECT_EQ(stated, (std::map<std::string, std::int64_t>{{"compiling forward", 3 * 180'000},
                                                         {"writing the cache", 3 * 20'000}}));
  const Sums sums = sums_of(report);
  EXPECT_EQ(sums.causes.at(IdleCause::kHost), 3 * (100'000 + 575'000)) << "data, and what follows the kernel";
  EXPECT_EQ(sums.causes.count(IdleCause::kBlocked), 0U);
}

TEST(Account, ALateDeviceClockIsTakenOff) {
  ReportBuilder b;
  constexpr std::int64_t kLate = 60'000;
  add_steps(b, 3, 900'000, [&](std::int64_t at) {
    add_kernel(b, at + 100'000, 5'000 + kLate);
    b.call(CallKind::kDeviceSync, at + 105'000, at + 128'500);  // returns 3.5 us after the kernel's end
  });
  const Report& report = b.build();
  const Account account(report, step::steps_of(report).kept);
  EXPECT_EQ(account.late().at(0), kLate);
  EXPECT_EQ(sums_of(report).causes.at(IdleCause::kLaunch), 3 * 5'000);
  EXPECT_EQ(report.steps->device_end[0], 125'000);
}

TEST(Account, APersistentKernelYieldsToAllOtherWork) {
  ReportBuilder b;
  const Row call = b.call(CallKind::kKernelLaunch, 1, 2);
  b.kernel("poll", 10, 3'000'000, {.stream = 9, .call = call});
  add_steps(b, 3, 1'000'000, [&](std::int64_t at) {
    const Row copy = b.call(CallKind::kCopy, at + 100'000, at + 104'000);
    b.copy(CopyDirection::kHostToDevice, 1, at + 110'000, at + 160'000, {.call = copy});
  });
  const Sums sums = sums_of(b.build());
  EXPECT_EQ(sums.kinds.at(AccountKind::kCopy), 3 * 50'000);
}

/// Steps with random work of two streams, two threads and a device clock that may be late.
void add_random(ReportBuilder& b, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](int below) { return std::uniform_int_distribution<std::int64_t>(0, below - 1)(random); };
  b.process(1);
  b.thread(1);
  b.thread(2);
  std::int64_t at = number(100);
  for (int s = 0; s < 6; ++s) {
    const std::int64_t length = 200 + number(800);
    b.range("step_" + std::to_string(s), at, at + length);
    if (number(2) == 0) b.range("inner", at + 10, at + length / 2);
    for (std::int64_t i = number(12); i >= 0; --i) {
      const std::int64_t launch = at + number(static_cast<int>(length)), start = launch + number(120);
      const Row call = number(6) == 0 ? kNone
                                      : b.call(CallKind::kKernelLaunch, launch, launch + number(20),
                                               static_cast<std::uint32_t>(number(2)));
      const std::int64_t end = start + number(90);
      const auto stream = static_cast<std::int32_t>(number(2));
      if (number(3) > 0)
        b.kernel("gemm", start, end, {.stream = stream, .call = call});
      else
        b.copy(CopyDirection::kHostToDevice, 1, start, end, {.stream = stream, .call = call});
    }
    if (number(2) == 0) b.call(CallKind::kDeviceSync, at + length - 10, at + length);
    if (number(4) == 0) b.overhead(at + number(100), at + 150 + number(20));
    at += length + number(150) - 5 * (number(3) == 0 ? 1 : 0);
  }
}

TEST(Account, SumsToEachStepToTheNanosecond) {
  std::size_t steps = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    ReportBuilder b;
    add_random(b, seed);
    const Report& report = b.build();
    const AccountRows rows = account_rows(report);
    std::map<Row, std::int64_t> sums, kernels;
    for (std::size_t r = 0; r < rows.step.size(); ++r) {
      sums[rows.step[r]] += rows.time[r];
      kernels[rows.step[r]] += rows.kind[r] == AccountKind::kKernel ? rows.time[r] : 0;
    }
    for (const auto& [step, sum] : sums) {
      const std::int64_t start = report.steps->start[step], end = report.steps->end[step];
      ASSERT_EQ(sum, end - start) << "seed " << seed << ", step " << step;
      Intervals busy;
      for (std::size_t k = 0; report.kernels != nullptr && k < report.kernels->rows; ++k)
        busy.push_back({report.kernels->start[k], report.kernels->end[k]});
      ASSERT_EQ(kernels[step], measure(clip(merge(busy), {start, end}))) << "seed " << seed << ", step " << step;
      ++steps;
    }
  }
  EXPECT_GT(steps, 1000U);
}

using Piece = std::tuple<bool, std::size_t, std::int64_t, std::int64_t, std::int64_t>;

/// What `each` says of one step: kind of piece, device, and its time, or where it lies and what came before.
std::vector<Piece> pieces_of(const Account& account, std::size_t step, std::size_t only) {
  std::vector<Piece> pieces;
  account.each(
      [&](std::size_t of, std::size_t device, const DeviceWork& work, std::int64_t ns) {
        if (of == step) pieces.emplace_back(true, device, work.start, work.end, ns);
      },
      [&](std::size_t of, std::size_t device, const Idle& idle) {
        if (of == step) pieces.emplace_back(false, device, idle.time.start, idle.time.end, idle.since);
      },
      only);
  return pieces;
}

TEST(Account, OfOneStepIsItsPartOfTheAccountOfAll) {
  std::size_t pieces = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    ReportBuilder b;
    add_random(b, seed);
    const Report& report = b.build();
    const std::vector<step::Step> steps = step::steps_of(report).kept;
    const Account account(report, steps);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::vector<Piece> own = pieces_of(account, s, s);
      ASSERT_EQ(own, pieces_of(account, s, Account::kEvery)) << "seed " << seed << ", step " << s;
      pieces += own.size();
    }
  }
  EXPECT_GT(pieces, 5000U);
}

TEST(LaunchingCalls, AreNumberedByRow) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    ReportBuilder b;
    add_random(b, seed);
    for (std::int64_t i = 0; i < 200; ++i) b.call(CallKind::kOther, 7 * i, 7 * i + 3);  // more than a word of rows
    const Report& report = b.build();
    std::set<Row> launch;
    const auto add = [&](const auto* work) {
      for (std::size_t w = 0; work != nullptr && w < work->rows; ++w) {
        if (work->call[w] >= 0) launch.insert(work->call[w]);
      }
    };
    add(report.kernels);
    add(report.copies);
    const detail::LaunchingCalls launching(report);
    ASSERT_EQ(launching.size(), launch.size());
    std::size_t number = 0;
    for (Row c = 0; c < static_cast<Row>(report.calls->rows); ++c) {
      ASSERT_EQ(launching.contains(c), launch.contains(c)) << "call " << c;
      if (!launching.contains(c)) continue;
      ASSERT_EQ(launching.number(c), number++) << "call " << c;
    }
    ASSERT_GT(number, 0U);
  }
}

}  // namespace assay::account::account_test
