#include <nlohmann/json.hpp>

#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"
#include "timeline/timeline_command.hpp"
#include "timeline/trace_tracks.hpp"

namespace assay::chrome_trace_test {

using testing::ReportBuilder;
using Json = nlohmann::json;

/// The events of a report; fails when the text is no JSON.
Json events_of(const Report& report, const DerivedTracks& derived = {}, const TraceRange& range = {}) {
  std::ostringstream text;
  write_chrome_trace(report, derived, text, range);
  const Json document = Json::parse(text.str());
  return document.at("traceEvents");
}

std::vector<Json> of_category(const Json& events, std::string_view category) {
  std::vector<Json> out;
  for (const Json& event : events) {
    if (event.value("cat", "") == category && event["ph"] == "X") out.push_back(event);
  }
  return out;
}

/// Name of the track that an event stands on.
std::string track_of(const Json& events, const Json& event) {
  for (const Json& e : events) {
    if (e["ph"] == "M" && e["name"] == "thread_name" && e["pid"] == event["pid"] && e["tid"] == event["tid"])
      return e["args"]["name"];
  }
  return "no such track";
}

/// As a damaged export would have it, were the loader to let it through.
TEST(ChromeTrace, AShapeOfWhichOneSizeIsMissingIsLeftOut) {
  ReportBuilder b;
  b.kernel("k", 100, 200, {.grid = {4, 2, 1}, .block = {64, 1, 1}});
  Report report = b.build();
  KernelTable kernels = *report.kernels;
  EXPECT_EQ(of_category(events_of(report), "kernel")[0]["args"]["grid"], Json::array({4, 2, 1}));
  kernels.grid_y = {};
  kernels.block_z = {};
  report.kernels = &kernels;
  const Json arguments = of_category(events_of(report), "kernel")[0]["args"];
  EXPECT_FALSE(arguments.contains("grid") || arguments.contains("block"));
}

TEST(ChromeTrace, AllocationsAreACounterOfEachDevice) {
  ReportBuilder b;
  b.kernel("k", 100, 200);
  b.allocation(64, 110, {.device = 0, .allocated = 64, .reserved = 256});
  b.allocation(32, 120, {.device = 1, .allocated = 32});
  b.allocation(8, 130, {.device = kNone, .allocated = 8});
  std::vector<Json> counters;
  for (const Json& event : events_of(b.build())) {
    if (event["ph"] == "C") counters.push_back(event);
  }
  ASSERT_EQ(counters.size(), 2U) << "memory of the host is none of a device";
  EXPECT_EQ(counters[0]["name"], "memory of GPU 0");
  EXPECT_EQ(counters[0]["args"], (Json{{"allocated", 64}, {"reserved and free", 192}}));
  EXPECT_EQ(counters[1]["args"], (Json{{"allocated", 32}, {"reserved and free", 0}}))
      << "what is not said is not drawn";
}

/// Two iterations, each with a call that launches a kernel; that of the first ends behind its iteration.
void add_two_iterations(ReportBuilder& b) {
  b.iteration(0, 100, 200);
  b.iteration(1, 300, 400);
  const Row first = b.call(CallKind::kKernelLaunch, 110, 120, 0, {.name = "cudaLaunchKernel"});
  b.kernel("first", 210, 250, {.call = first});
  const Row second = b.call(CallKind::kKernelLaunch, 310, 320, 0, {.name = "cudaLaunchKernel"});
  b.kernel("second", 330, 350, {.call = second});
}

TEST(ChromeTrace, OneIterationIsShownWithWhatItLaunchedAndNothingElse) {
  ReportBuilder b;
  add_two_iterations(b);
  const Report report = b.build();
  const Result<TraceRange> range = range_of_iteration(report, 1);
  ASSERT_TRUE(range.ok());
  EXPECT_EQ(range->start, 100);
  EXPECT_EQ(range->end, 250);
  const Json events = events_of(report, {}, *range);
  ASSERT_EQ(of_category(events, "kernel").size(), 1U);
  EXPECT_EQ(of_category(events, "kernel")[0]["name"], "first");
  EXPECT_EQ(of_category(events, "iteration").size(), 1U);
  EXPECT_EQ(of_category(events, "call").size(), 1U);
  EXPECT_EQ(of_category(events_of(report), "kernel").size(), 2U);
}

TEST(ChromeTrace, AnIterationThatIsNotThereIsAMistake) {
  ReportBuilder b;
  add_two_iterations(b);
  const Report report = b.build();
  const Result<TraceRange> range = range_of_iteration(report, 3);
  ASSERT_FALSE(range.ok());
  EXPECT_EQ(range.error().sentence, "--only 3: there are 2 iterations inside the window, from 1 on");
}

TEST(ChromeTrace, KernelsHaveTheirTimesToTheNanosecondAndAnArrowFromTheirLaunch) {
  ReportBuilder b;
  const Row launch = b.call(CallKind::kKernelLaunch, 1'000'000'001, 1'000'002'003, 0, {.name = "cudaLaunchKernel"});
  b.kernel("gemm \"quoted\"", 1'000'003'007, 1'000'013'009, {.stream = 7, .call = launch});
  const Json events = events_of(b.build());
  const auto kernels = of_category(events, "kernel");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0]["name"], "gemm \"quoted\"");
  EXPECT_EQ(kernels[0]["ts"].dump(), "1000003.007");
  EXPECT_EQ(kernels[0]["dur"].dump(), "10.002");
  EXPECT_EQ(track_of(events, kernels[0]), "stream 7");
  const auto calls = of_category(events, "call");
  ASSERT_EQ(calls.size(), 1U);
  std::size_t starts = 0, ends = 0;
  for (const Json& event : events) {
    if (event["ph"] == "s" && event["pid"] == calls[0]["pid"] && event["ts"] == calls[0]["ts"]) ++starts;
    if (event["ph"] == "f" && event["pid"] == kernels[0]["pid"] && event["ts"] == kernels[0]["ts"]) ++ends;
  }
  EXPECT_EQ(starts, 1U);
  EXPECT_EQ(ends, 1U);
}

TEST(ChromeTrace, ATimeBeforeTheOriginKeepsItsSign) {
  ReportBuilder b;
  b.kernel("early", -1'500, -300);
  const auto kernels = of_category(events_of(b.build()), "kernel");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_DOUBLE_EQ(kernels[0]["ts"].get<double>(), -1.5);
  EXPECT_DOUBLE_EQ(kernels[0]["dur"].get<double>(), 1.2);
}

TEST(ChromeTrace, EveryKindOfRowIsThereOnce) {
  ReportBuilder b;
  b.kernel("k", 10, 20);
  b.graph(5, 30, 40);
  b.copy(CopyDirection::kHostToDevice, 4096, 50, 60);
  b.set(64, 70, 80);
  b.range("forward", 0, 100);
  b.span("epoch", 0, 90);
  b.op(OpKind::kOperator, "aten::mm", 5, 15);
  b.iteration(3, 0, 100);
  b.call(CallKind::kOther, 1, 2);
  const Json events = events_of(b.build());
  for (const char* category : {"kernel", "graph", "copy", "set", "operator", "iteration", "call"})
    EXPECT_EQ(of_category(events, category).size(), 1U) << category;
  EXPECT_EQ(of_category(events, "nvtx").size(), 2U);
  EXPECT_EQ(of_category(events, "copy")[0]["args"]["bytes"], 4096);
  EXPECT_EQ(of_category(events, "copy")[0]["name"], "copy h2d");
  EXPECT_EQ(of_category(events, "iteration")[0]["name"], "iteration 3");
}

TEST(ChromeTrace, KernelsOfOneStreamThatOverlapStandOnTwoTracks) {
  ReportBuilder b;
  b.kernel("a", 0, 100, {.stream = 7});
  b.kernel("b", 50, 150, {.stream = 7});
  b.kernel("c", 100, 200, {.stream = 7});
  const Json events = events_of(b.build());
  std::map<std::string, std::string> track;
  for (const Json& kernel : of_category(events, "kernel")) track[kernel["name"]] = track_of(events, kernel);
  EXPECT_EQ(track["a"], "stream 7");
  EXPECT_EQ(track["b"], "stream 7 (2)");
  EXPECT_EQ(track["c"], "stream 7");
}

TEST(ChromeTrace, NestedRangesShareATrackAndCrossingOnesDoNot) {
  TraceTracks tracks;
  const auto named = tracks.host(0, "NVTX");
  const auto outer = tracks.track_for(named, 0, 100, Overlap::kNests);
  const auto inner = tracks.track_for(named, 10, 50, Overlap::kNests);
  const auto crossing = tracks.track_for(named, 40, 120, Overlap::kNests);
  EXPECT_EQ(outer.thread, inner.thread);
  EXPECT_NE(outer.thread, crossing.thread);
}

TEST(ChromeTrace, OverlapWithoutEndUsesBoundedTracks) {
  TraceTracks tracks;
  const auto named = tracks.device(0, "stream 1");
  for (int i = 0; i < 1000; ++i) tracks.track_for(named, i, 10'000 + i, Overlap::kNever);
  ASSERT_EQ(tracks.groups().size(), 1U);
  EXPECT_EQ(tracks.groups()[0].tracks.size(), TraceTracks::kMaxLanes);
}

TEST(ChromeTrace, IdleTimesBecomeTracksOfTheirDevice) {
  ReportBuilder b;
  b.kernel("k", 0, 10, {.device = 2});
  OwnedTable gaps;
  gaps.columns.resize(6);
  const char* names[] = {"device", "start", "end", "gaps", "idle", "cause"};
  for (std::size_t c = 0; c < 6; ++c) gaps.columns[c].name = names[c];
  for (std::size_t c = 0; c < 5; ++c) gaps.columns[c].type = CellType::kInteger;
  gaps.columns[0].integers = {2};
  gaps.columns[1].integers = {10};
  gaps.columns[2].integers = {30};
  gaps.columns[3].integers = {1};
  gaps.columns[4].integers = {20};
  gaps.columns[5].texts = {"host"};
  const Json events = events_of(b.build(), {&gaps, nullptr});
  const auto idle = of_category(events, "idle");
  ASSERT_EQ(idle.size(), 1U);
  EXPECT_EQ(idle[0]["name"], "host");
  EXPECT_EQ(track_of(events, idle[0]), "idle");
  EXPECT_EQ(idle[0]["pid"], of_category(events, "kernel")[0]["pid"]);
}

/// Four steps: two launches, of which the second one's kernel begins `early` ns before its call does, a wait, and code.
void add_replayable_steps(ReportBuilder& b, std::int64_t early) {
  for (int step = 0; step < 4; ++step) {
    const std::int64_t at = 1'000'000 + step * 100'000 + step * step * 7;
    b.iteration(10 + step, at, at + 90'000);
    const Row first = b.call(CallKind::kKernelLaunch, at + 300, at + 2'000, 0, {.name = "cudaLaunchKernel"});
    b.kernel("gemm", at + 4'000, at + 24'000, {.call = first});
    const Row second = b.call(CallKind::kKernelLaunch, at + 30'000, at + 32'000, 0, {.name = "cudaLaunchKernel"});
    b.kernel("softmax", at + 30'000 - early, at + 64'000, {.call = second});
    const Row wait = b.call(CallKind::kStreamSync, at + 33'000, at + 65'001, 0, {.name = "cudaStreamSynchronize"});
    b.sync(3, at + 33'000, at + 65'001, {.call = wait});
  }
}

/// Of each iteration its slices, with their tracks checked.
std::map<std::int64_t, std::vector<Json>> path_by_iteration(const Report& report) {
  const PathTrack path(report);
  EXPECT_EQ(path.lacking(), "");
  const Json events = events_of(report, {nullptr, nullptr, &path});
  std::map<std::int64_t, std::vector<Json>> out;
  for (const Json& slice : of_category(events, "path")) {
    EXPECT_EQ(track_of(events, slice), "critical path");
    out[slice["args"]["iteration"]].push_back(slice);
  }
  return out;
}

std::int64_t ns(const Json& us) { return std::llround(us.get<double>() * 1000); }

TEST(ChromeTrace, TheCriticalPathOfAnIterationTouchesAndSumsToIt) {
  for (const std::int64_t early : {std::int64_t{-2'000}, std::int64_t{0}, std::int64_t{3'000}}) {
    ReportBuilder b;
    add_replayable_steps(b, early);
    const Report report = b.build();
    const auto paths = path_by_iteration(report);
    ASSERT_EQ(paths.size(), 3U) << "from start to start";
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<Json>& path = paths.at(10 + static_cast<std::int64_t>(i));
      std::int64_t at = report.iterations->start[i];
      for (const Json& slice : path) {
        EXPECT_EQ(ns(slice["ts"]), at);
        EXPECT_GT(ns(slice["dur"]), 0);
        at += ns(slice["dur"]);
      }
      EXPECT_EQ(at, report.iterations->start[i + 1]) << early;
    }
  }
}

TEST(ChromeTrace, APieceOfTheCriticalPathHasItsKindAndName) {
  ReportBuilder b;
  add_replayable_steps(b, -2'000);
  const Report report = b.build();
  std::map<std::string, std::int64_t> times;
  const auto paths = path_by_iteration(report);
  for (const Json& slice : paths.at(10))
    times[slice["name"].get<std::string>() + "/" + slice["args"].value("name", "")] += ns(slice["dur"]);
  // The first kernel is done before the second launch begins, so the host's code is on the path there; the second
  // launch at 30 us returns at 32, its kernel begins at once and ends at 64, and the wait returns 1,001 ns later.
  EXPECT_EQ(times.at("kernels/softmax"), 32'000);
  EXPECT_EQ(times.count("kernels/gemm"), 0U);
  EXPECT_EQ(times.at("launch latency/"), 1'001);
  EXPECT_EQ(times.at("host code/"), report.iterations->start[1] - report.iterations->start[0] - 32'000 - 1'001)
      << "with its calls, which are in the track of their thread";
  EXPECT_EQ(times.size(), 3U);
}

TEST(ChromeTrace, SaysWhyThereIsNoCriticalPath) {
  ReportBuilder b;
  b.iteration(0, 0, 50);
  b.iteration(1, 60, 90);
  for (int i = 0; i < 9; ++i) b.kernel("k", 10 * i, 10 * i + 5);
  const PathTrack path(b.build());
  EXPECT_EQ(path.iterations().size(), 0U);
  EXPECT_FALSE(path.lacking().empty());
  ReportBuilder without;
  EXPECT_EQ(PathTrack(without.build()).lacking(), "") << "without iterations nothing is missing";
}

TEST(ChromeTrace, NothingCapturedIsAnEmptyTrace) {
  ReportBuilder b;
  EXPECT_TRUE(events_of(b.build()).empty());
}

}  // namespace assay::chrome_trace_test
