#include <random>

#include "algo/idle/idle.hpp"
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::idle::idle_causes_test {

using namespace under_test::idle_causes;
using namespace testing;

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
  const auto r = analyzed(b.build());
  EXPECT_EQ(cause(r, "sync"), 20);
  EXPECT_EQ(cause(r, "host"), 5 + 10);
  EXPECT_EQ(cause(r, "api"), 5);
  EXPECT_EQ(cause(r, "launch"), 10);
  EXPECT_EQ(cause(r, "queued"), 10);
  EXPECT_EQ(cause(r, "unknown"), 10);
  EXPECT_EQ(cause(r, "tail"), 60);
  EXPECT_TRUE(has_values(r, {{"idle.window_ns", 200}, {"idle.gap_count{cause=sync}", 1}}));
}

TEST(IdleCauses, CompilationIsTheUnionOfTheRangesOfAllThreads) {
  ReportBuilder b;
  b.window("w", {0, 1000});
  b.kernel("k", 900, 950, {.call = launch(b, 890, 895)});
  b.range("XlaCompile:#module=jit_step#", -100, 400);
  b.range("XlaCompileBackend:#module=a#", 300, 500, {.thread = 1});
  b.range("train 3", 0, 900);
  EXPECT_EQ(analyzed(b.build()).value("compile.time_ns"), 500) << "within the window, once";
  EXPECT_EQ(analyzed(b.build()).value("compile.capture_ns"), 1000);
  ReportBuilder whole;
  whole.kernel("k", 900, 950, {.call = launch(whole, 890, 895)});
  whole.range("XlaCompile:#module=jit_step#", 50, 850);
  EXPECT_EQ(analyzed(whole.build()).value("compile.time_ns"), 800) << "before any work on a device";
  EXPECT_EQ(analyzed(whole.build()).value("compile.capture_ns"), 900);
  ReportBuilder without;
  without.window("w", {0, 1000}).kernel("k", 900, 950);
  without.range("compiled_step", 0, 900);
  EXPECT_EQ(analyzed(without.build()).value("compile.time_ns"), std::nullopt);
}

TEST(IdleCauses, NamesTheCallThatTakesMostOfTheLongGaps) {
  constexpr std::int64_t kMs = 1'000'000;
  const auto in_call = [](std::int64_t length) {
    ReportBuilder b;
    b.window("w", {0, 60 * kMs});
    b.thread(1);
    b.thread(2);
    b.kernel("first", 0, kMs, {.call = b.call(CallKind::kKernelLaunch, -5, -1, 0, {.name = "cudaLaunchKernel"})});
    b.call(CallKind::kOther, 2 * kMs, 2 * kMs + length, 0, {.name = "cudaMalloc"});
    b.call(CallKind::kOther, 2 * kMs, 60 * kMs, 1, {.name = "cudaFree", .in_window = false});
    b.kernel("late", 50 * kMs, 60 * kMs,
             {.call = b.call(CallKind::kKernelLaunch, 49 * kMs, 50 * kMs, 0, {.name = "cudaLaunchKernel"})});
    return analyzed(b.build());
  };
  EXPECT_TRUE(has_values(in_call(40 * kMs), {{"idle.long_gap_call_ns{call=cudaMalloc}", 40 * kMs}}));
  EXPECT_FALSE(in_call(5 * kMs).value("idle.long_gap_call_ns", "call=cudaMalloc")) << "a tenth of the gap";
}

TEST(IdleCauses, CountAWaitIfWorkStartsLongAfterItsLaunch) {
  constexpr std::int64_t kMs = 1'000'000;
  ReportBuilder b;
  b.window("w", {0, 20 * kMs});
  b.kernel("first", 0, 10, {.call = launch(b, -5, -1)});
  const Row copy = b.call(CallKind::kBlockingCopy, 2 * kMs, 8 * kMs);  // 6 ms, behind what was launched
  b.copy(CopyDirection::kDeviceToHost, 1, 19 * kMs, 20 * kMs, {.call = copy});
  b.kernel("waited", 9 * kMs, 20 * kMs, {.call = launch(b, kMs, kMs + 10)});
  const auto r = analyzed(b.build());
  EXPECT_EQ(cause(r, "host"), kMs - 10);
  EXPECT_EQ(cause(r, "launch"), 10) << "the call";
  EXPECT_EQ(cause(r, "sync"), 6 * kMs);
  EXPECT_EQ(cause(r, "queued"), 2 * kMs - 10) << "1 ms to the copy, 1 ms behind it, without the call";
}

TEST(IdleCauses, ACopyThatWaitsForItsOwnWorkIsNotALaunch) {
  constexpr std::int64_t kMs = 1'000'000;
  ReportBuilder b;
  b.window("w", {0, 9 * kMs});
  b.kernel("first", 0, 10, {.call = launch(b, -5, -1)});
  b.copy(CopyDirection::kDeviceToHost, 1, 8 * kMs, 9 * kMs, {.call = b.call(CallKind::kBlockingCopy, 20, 9 * kMs)});
  const auto r = analyzed(b.build());
  EXPECT_EQ(cause(r, "launch"), 0);
  EXPECT_EQ(cause(r, "host"), 10);
  EXPECT_EQ(cause(r, "sync"), 8 * kMs - 20);
}

TEST(IdleCauses, IdleTimeBetweenStepsBelongsToNoStep) {
  ReportBuilder b;
  b.window("w", {0, 400});
  for (std::int64_t s = 0; s < 4; ++s) {
    b.range("step_" + std::to_string(s), 100 * s, 100 * s + 60);
    b.kernel("k", 100 * s + 30, 100 * s + 60, {.call = launch(b, 100 * s + 20, 100 * s + 25)});
  }
  const auto r = analyzed(b.build());
  EXPECT_TRUE(has_values(
      r, {{"idle.step_window_ns", 240}, {"idle.step_ns{cause=host}", 4 * 20}, {"idle.step_ns{cause=launch}", 4 * 10}}));
  EXPECT_EQ(cause(r, "host"), 20 + 3 * 60);
  EXPECT_EQ(r.value("idle.step_ns", "cause=tail"), 0);
}

TEST(IdleCauses, ADriverCallInsideARuntimeCallCountsOnce) {
  ReportBuilder b;
  b.window("w", {0, 100});
  b.kernel("first", 0, 10, {.call = launch(b, -5, -1)});
  b.call(CallKind::kDeviceSync, 12, 40);
  b.call(CallKind::kOther, 14, 20);  // what the runtime call does inside
  launch(b, 50, 70);                 // the runtime's launch around the driver's, which is the one recorded
  b.kernel("late", 80, 100, {.call = launch(b, 55, 65)});
  const auto r = analyzed(b.build());
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
  const auto r = analyzed(b.build());
  EXPECT_EQ(cause(r, "sync"), 0);
  EXPECT_EQ(cause(r, "host"), 75);
}

TEST(IdleCauses, WithoutCallsOnlyTheTailIsKnown) {
  ReportBuilder b;
  b.window("w", {0, 50});
  b.kernel("a", 10, 20);
  const auto r = analyzed(b.build());
  EXPECT_EQ(cause(r, "unknown"), 10);
  EXPECT_EQ(cause(r, "tail"), 30);
}

TEST(IdleCauses, ADeviceThatRanNothingInTheWindowIsSkipped) {
  ReportBuilder b;
  b.window("w", {100, 200});
  b.kernel("before", 0, 50, {.membership = Membership::kOutside});
  const auto r = analyzed(b.build());
  EXPECT_EQ(r.value("idle.window_ns"), std::nullopt);
  ASSERT_EQ(r.skips.size(), 1U);
}

double waiting(const testing::Recorder& r, const char* what, std::string_view wait) {
  return r.value("host_wait." + std::string(what), "wait=" + std::string(wait)).value();
}

TEST(HostWaits, CallsThatHoldTheHostUpAreThoseOfTheExpertRulesOfNsys) {
  constexpr std::int64_t kKb = 1024;
  constexpr MemoryKind kPageable = MemoryKind::kPageable, kPinned = MemoryKind::kPinned, kDevice = MemoryKind::kDevice;
  ReportBuilder b;
  b.window("w", {0, 1000});
  const auto call = [&](CallKind kind, std::int64_t start, const char* name) {
    return b.call(kind, start, start + 10, 0, {.name = name});
  };
  const auto copy = [&](CopyDirection way, std::int64_t bytes, Row from, MemoryKind source, MemoryKind target) {
    b.copy(way, bytes, 900, 901, {.call = from, .source_kind = source, .target_kind = target});
  };
  using enum CopyDirection;
  copy(kHostToDevice, 1, call(CallKind::kCopy, 0, "cudaMemcpyAsync"), kPageable, kDevice);
  copy(kDeviceToHost, 1, call(CallKind::kCopy, 20, "cudaMemcpyAsync"), kDevice, kPageable);
  copy(kHostToDevice, 1, call(CallKind::kCopy, 40, "cudaMemcpyAsync"), kPinned, kDevice);
  copy(kHostToDevice, 64 * kKb, call(CallKind::kBlockingCopy, 60, "cudaMemcpy"), kPageable, kDevice);
  copy(kHostToDevice, 64 * kKb + 1, call(CallKind::kBlockingCopy, 80, "cudaMemcpy"), kPageable, kDevice);
  copy(kDeviceToHost, 1, call(CallKind::kBlockingCopy, 100, "cudaMemcpy"), kDevice, kPinned);
  copy(kDeviceToDevice, 1 << 20, call(CallKind::kBlockingCopy, 120, "cudaMemcpy"), kDevice, kDevice);
  b.set(1, 902, 903, {.call = call(CallKind::kSet, 140, "cudaMemset"), .target_kind = kPinned});
  b.set(1, 904, 905, {.call = call(CallKind::kSet, 160, "cudaMemsetAsync"), .target_kind = kPinned});
  b.set(1, 906, 907, {.call = call(CallKind::kSet, 260, "cudaMemset"), .target_kind = kDevice});
  call(CallKind::kDeviceSync, 180, "cudaDeviceSynchronize");
  call(CallKind::kStreamSync, 200, "cudaStreamSynchronize");
  b.call(CallKind::kStreamSync, 220, 230, 0, {.name = "cudaStreamSynchronize", .in_window = false});
  call(CallKind::kEventSync, 240, "cudaEventSynchronize");
  const auto r = analyzed(b.build());
  const std::map<std::string_view, double> expected = {{"device_sync", 1},   {"stream_sync", 1},   {"event_sync", 1},
                                                       {"pageable_copy", 2}, {"blocking_copy", 2}, {"blocking_set", 1}};
  for (const auto& [wait, calls] : expected) {
    EXPECT_EQ(waiting(r, "call_count", wait), calls) << wait;
    EXPECT_EQ(waiting(r, "time_ns", wait), 10 * calls) << wait;
  }
}

TEST(HostWaits, CostTheIdleTimeDuringThem) {
  ReportBuilder b;
  b.window("w", {0, 300});
  b.kernel("first", 0, 10, {.call = launch(b, -5, -1)});
  b.call(CallKind::kStreamSync, 5, 30);  // idle 10..30
  b.kernel("late", 60, 100, {.call = launch(b, 50, 55)});
  const Row staged =
      b.call(CallKind::kCopy, 110, 150, 0, {.name = "cudaMemcpyAsync"});  // the launch of what ends the gap
  b.copy(CopyDirection::kHostToDevice, 8, 140, 200,
         {.call = staged, .source_kind = MemoryKind::kPageable, .target_kind = MemoryKind::kDevice});
  b.kernel("queued", 210, 220, {.call = launch(b, 160, 170)});  // launched before the gap: nobody's wait
  b.call(CallKind::kDeviceSync, 205, 300);  // until the window ends: the tail has no launching thread
  const auto r = analyzed(b.build());
  EXPECT_EQ(waiting(r, "idle_ns", "stream_sync"), 20);
  EXPECT_EQ(waiting(r, "idle_ns", "pageable_copy"), 30) << "110..140";
  EXPECT_EQ(waiting(r, "idle_ns", "device_sync"), 0);
  EXPECT_EQ(waiting(r, "time_ns", "device_sync"), 95);
}

TEST(HostWaits, IncludeCallsInsideARuntimeCall) {
  ReportBuilder b;
  b.window("w", {0, 100});
  b.kernel("first", 0, 10, {.call = launch(b, -5, -1)});
  b.call(CallKind::kOther, 12, 40);       // a library's call
  b.call(CallKind::kStreamSync, 14, 20);  // that waits inside
  b.kernel("late", 80, 100, {.call = launch(b, 55, 65)});
  const auto r = analyzed(b.build());
  EXPECT_EQ(waiting(r, "idle_ns", "stream_sync"), 28) << "as idle.time_ns, by the call that no other is around";
}

TEST(HostWaits, AreSkippedRatherThanZeroIfUnknown) {
  ReportBuilder b;
  b.window("w", {0, 100});
  b.copy(CopyDirection::kHostToDevice, 8, 10, 20,
         {.call = b.call(CallKind::kCopy, 0, 5, 0, {.name = "cudaMemcpyAsync"})});
  const auto r = analyzed(b.build());
  EXPECT_EQ(r.value("host_wait.call_count", "wait=pageable_copy"), std::nullopt);
  EXPECT_EQ(r.value("host_wait.call_count", "wait=blocking_copy"), 0);
  ASSERT_EQ(r.skips.size(), 1U);
  ReportBuilder without;
  without.window("w", {0, 100});
  without.kernel("a", 10, 20);
  EXPECT_EQ(analyzed(without.build()).value("host_wait.call_count", "wait=stream_sync"), std::nullopt);
}

TEST(HostWaits, AreSaidWithTheirCostAndWhatHelps) {
  testing::StudyBuilder study;
  const auto add = [&](const char* name, double idle) {
    auto& report = study.report(name).fact("idle.window_ns", 1e9).fact("idle.time_ns", 4e8, "cause=sync");
    report.fact("host_wait.idle_ns", idle, "wait=pageable_copy");
    report.fact("host_wait.call_count", 12, "wait=pageable_copy").fact("host_wait.time_ns", 2e8, "wait=pageable_copy");
  };
  add("a", 1e8);
  add("b", 2e8);
  add("c", 0);
  const auto r = concluded(study.build());
  const auto found = std::find_if(r.findings.begin(), r.findings.end(), [](const auto& f) {
    return f.title.starts_with("Async copies from pageable memory");
  });
  ASSERT_NE(found, r.findings.end());
  EXPECT_TRUE(contains(found->title, "25.0 to 50.0 % of its idle time, in 2 of 3 profiles"));
  EXPECT_TRUE(contains_all(found->text,
                           {"24 such calls block the host for 400 ms in all", "200 ms, is in b", "pinned memory"}));
  EXPECT_EQ(found->evidence.size(), 2U);
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
    const auto r = analyzed(report);
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

}  // namespace assay::idle::idle_causes_test
