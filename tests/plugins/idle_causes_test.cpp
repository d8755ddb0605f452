#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "assay/testing/report_builder.hpp"
#include "idle.hpp"
#include "plugin_under_test.hpp"

namespace assay::idle {
namespace {

using testing::OptionMap;
using testing::ReportBuilder;

Row launch(ReportBuilder& b, std::int64_t start, std::int64_t end, std::uint32_t thread = 0) {
  return b.call(CallKind::kKernelLaunch, start, end, thread);
}

std::int64_t cause(const testing::Recorder& r, std::string_view name) {
  return static_cast<std::int64_t>(*r.value("idle.time_ns", "cause=" + std::string(name)));
}

TEST(IdleCauses, EveryInstantOfAGapHasTheCauseThatTheReadmeSays) {
  ReportBuilder b;
  b.window("w", {0, 200});
  b.kernel("first", 0, 10, {.call = launch(b, -5, -1)});
  b.call(CallKind::kStreamSync, 5, 30);                       // sync: 10..30
  b.call(CallKind::kOther, 35, 40);                           // host 30..35, api 35..40, host 40..50
  b.kernel("late", 60, 100, {.call = launch(b, 50, 55)});     // launch 50..60
  b.kernel("queued", 110, 120, {.call = launch(b, 70, 80)});  // 100..110
  b.kernel("unlinked", 130, 140);                             // 120..130
  const auto r = testing::analyzed(b.build());
  EXPECT_EQ(cause(r, "sync"), 20);
  EXPECT_EQ(cause(r, "host"), 5 + 10);
  EXPECT_EQ(cause(r, "api"), 5);
  EXPECT_EQ(cause(r, "launch"), 10);
  EXPECT_EQ(cause(r, "queued"), 10);
  EXPECT_EQ(cause(r, "unknown"), 10);
  EXPECT_EQ(cause(r, "tail"), 60);
  EXPECT_EQ(r.value("idle.window_ns"), 200);
  EXPECT_EQ(r.value("idle.gap_count", "cause=sync"), 1);
}

TEST(IdleCauses, ADriverCallInsideARuntimeCallCountsOnce) {
  ReportBuilder b;
  b.window("w", {0, 100});
  b.kernel("first", 0, 10, {.call = launch(b, -5, -1)});
  b.call(CallKind::kDeviceSync, 12, 40);
  b.call(CallKind::kOther, 14, 20);  // what the runtime call does inside
  launch(b, 50, 70);                 // the runtime's launch around the driver's, which is the one recorded
  b.kernel("late", 80, 100, {.call = launch(b, 55, 65)});
  const auto r = testing::analyzed(b.build());
  EXPECT_EQ(cause(r, "sync"), 28);
  EXPECT_EQ(cause(r, "api"), 0);
  EXPECT_EQ(cause(r, "host"), 2 + 10);
  EXPECT_EQ(cause(r, "launch"), 30);
}

TEST(IdleCauses, OnlyTheLaunchingThreadIsAsked) {
  ReportBuilder b;
  b.thread(1);
  const std::uint32_t other = b.thread(2);
  b.window("w", {0, 100});
  b.kernel("first", 0, 10, {.call = launch(b, -5, -1)});
  b.call(CallKind::kDeviceSync, 10, 80);
  b.kernel("late", 90, 100, {.call = launch(b, 85, 90, other)});
  const auto r = testing::analyzed(b.build());
  EXPECT_EQ(cause(r, "sync"), 0);
  EXPECT_EQ(cause(r, "host"), 75);
}

TEST(IdleCauses, WithoutCallsOnlyTheTailIsKnown) {
  ReportBuilder b;
  b.window("w", {0, 50});
  b.kernel("a", 10, 20);
  const auto r = testing::analyzed(b.build());
  EXPECT_EQ(cause(r, "unknown"), 10);
  EXPECT_EQ(cause(r, "tail"), 30);
}

TEST(IdleCauses, ADeviceThatRanNothingInTheWindowIsSkipped) {
  ReportBuilder b;
  b.window("w", {100, 200});
  b.kernel("before", 0, 50, {.membership = Membership::kOutside});
  const auto r = testing::analyzed(b.build());
  EXPECT_EQ(r.value("idle.window_ns"), std::nullopt);
  ASSERT_EQ(r.skips.size(), 1U);
}

/// Cause of one instant, by looking at everything.
Cause slow_cause(const Report& report, std::int64_t instant, std::int32_t device) {
  const KernelTable& k = *report.kernels;
  std::size_t next = k.rows;
  std::int64_t gap_start = report.window->start;
  for (std::size_t i = 0; i < k.rows; ++i) {
    if (k.device[i] != device) continue;
    if (k.end[i] <= instant) gap_start = std::max(gap_start, k.end[i]);
    if (k.start[i] > instant && next == k.rows) next = i;
  }
  if (next == k.rows) return Cause::kTail;
  if (k.call[next] < 0) return Cause::kUnknown;
  const CallTable& c = *report.calls;
  const auto call = static_cast<std::size_t>(k.call[next]);
  if (c.end[call] <= gap_start) return Cause::kQueued;
  if (instant >= c.start[call]) return Cause::kLaunch;
  for (std::size_t i = 0; i < c.rows; ++i) {
    if (c.thread[i] != c.thread[call] || c.start[i] > instant || c.end[i] <= instant) continue;
    return c.kind[i] == CallKind::kStreamSync ? Cause::kSync : Cause::kApi;
  }
  return Cause::kHost;
}

bool busy(const Report& report, std::int64_t instant, std::int32_t device) {
  for (std::size_t i = 0; i < report.kernels->rows; ++i) {
    if (report.kernels->device[i] == device && report.kernels->start[i] <= instant && report.kernels->end[i] > instant)
      return true;
  }
  return false;
}

TEST(IdleCauses, AgreesWithAskingEveryInstant) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    ReportBuilder b;
    b.thread(1);
    b.thread(2);
    b.window("w", {0, 300});
    std::vector<Row> calls;
    std::vector<std::int64_t> call_starts;
    for (std::uint32_t thread = 0; thread < 2; ++thread) {
      for (std::int64_t at = 0; at < 280;) {
        const std::int64_t start = at + static_cast<std::int64_t>(random() % 12);
        const std::int64_t end = start + 1 + static_cast<std::int64_t>(random() % 15);
        calls.push_back(
            b.call(random() % 3 == 0 ? CallKind::kStreamSync : CallKind::kKernelLaunch, start, end, thread));
        call_starts.push_back(start);
        at = end;
      }
    }
    for (int k = 0; k < 12; ++k) {
      const std::size_t c = random() % calls.size();
      const std::int64_t start = call_starts[c] + static_cast<std::int64_t>(random() % 40);
      b.kernel("k", start, start + 1 + static_cast<std::int64_t>(random() % 20),
               {.device = static_cast<std::int32_t>(random() % 2), .call = random() % 8 == 0 ? Row{-1} : calls[c]});
    }
    const Report& report = b.build();
    std::map<Cause, std::int64_t> expected;
    std::int64_t idle = 0;
    for (std::int32_t device = 0; device < 2; ++device) {
      for (std::int64_t t = 0; t < 300; ++t) {
        if (busy(report, t, device)) continue;
        ++idle;
        ++expected[slow_cause(report, t, device)];
      }
    }
    const auto r = testing::analyzed(report);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < kCauses; ++i) {
      EXPECT_EQ(cause(r, kCauseNames[i]), expected[static_cast<Cause>(i)]) << kCauseNames[i] << " in round " << round;
      sum += cause(r, kCauseNames[i]);
    }
    EXPECT_EQ(sum, idle);
  }
}

TEST(IdleCauses, StretchesJoinGapsOfOneCauseWithLittleWorkBetween) {
  const std::vector<Gap> gaps = {{{0, 10}}, {{15, 20}}, {{40, 50}}, {{52, 60}}};
  CauseTimes host{}, queued{};
  host[static_cast<std::size_t>(Cause::kHost)] = 5;
  queued[static_cast<std::size_t>(Cause::kQueued)] = 5;
  const auto joined = stretches(3, gaps, {host, host, host, queued}, 5);
  ASSERT_EQ(joined.size(), 3U);
  EXPECT_EQ(joined[0].start, 0);
  EXPECT_EQ(joined[0].end, 20);
  EXPECT_EQ(joined[0].gaps, 2);
  EXPECT_EQ(joined[0].idle, 15);
  EXPECT_EQ(joined[1].cause, Cause::kHost);
  EXPECT_EQ(joined[2].cause, Cause::kQueued);
  EXPECT_EQ(joined[2].device, 3);
}

}  // namespace
}  // namespace assay::idle
