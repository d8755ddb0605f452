// Every way in which real exports differ (kept in the words of their numbered list), on databases made for it.
#include "load/made_export.hpp"
#include "load/window_columns.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::load_variants_test {

template <class T>
std::vector<T> values(Column<T> column) {
  return {column.begin(), column.end()};
}

TEST(Load, CorrelationIsUniquePerProcessOnly) {
  MadeExport made;
  made.with_calls().with_kernels();
  made.call(10, 20, tid(1, 1), 5).call(100, 120, tid(2, 9), 5);
  made.kernel(130, 140, pid(2), 5).kernel(30, 40, pid(1), 5);
  const LoadedView loaded(made.write());
  const Report& report = loaded.report();
  EXPECT_TRUE(equals(values(report.kernels->start), {30, 130})) << "sorted by start";
  EXPECT_TRUE(equals(values(report.kernels->call), {0, 1}));
  EXPECT_EQ(report.processes->rows, 2U);
}

TEST(Load, ReadsDoubledCallsOnceAndDropsVersionsOfNames) {
  MadeExport made;
  made.with_calls().call(10, 20, tid(1, 1), 1).call(10, 20, tid(1, 1), 1, 1, 67).call(30, 31, tid(1, 1), 2, 5, 1);
  const LoadedView loaded(made.write());
  const CallTable& calls = *loaded.report().calls;
  ASSERT_EQ(calls.rows, 2U);
  EXPECT_EQ(loaded.report().string(calls.name[0]), "cudaLaunchKernel");
  EXPECT_EQ(calls.kind[0], CallKind::kKernelLaunch);
  EXPECT_EQ(calls.kind[1], CallKind::kDeviceSync);
  EXPECT_EQ(loaded.issue("doubled_calls"), 1);
}

TEST(Load, PrefersTheLaunchingCallAmongEqualIds) {
  MadeExport made;
  made.with_calls().with_kernels();
  made.call(10, 20, tid(1, 1), 7, 5).call(12, 15, tid(1, 1), 7, 1, 1).kernel(30, 40, pid(1), 7);
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.report().kernels->call[0], 1);
}

TEST(Load, IdsFarApartAreLinkedToo) {
  MadeExport made;
  made.with_calls().with_kernels();
  made.call(10, 20, tid(1, 1), 3)
      .call(11, 21, tid(1, 1), 4'000'000'000'000)
      .kernel(30, 40, pid(1), 4'000'000'000'000)
      .kernel(50, 60, pid(1), 4);
  const LoadedView loaded(made.write());
  EXPECT_TRUE(equals(values(loaded.report().kernels->call), {1, kNone}));
}

/// Of 32 bits, of more, and below 0, in rows that are sorted after they were read.
TEST(Load, IdsAreWhatTheFileSays) {
  for (const std::int64_t last : {std::int64_t{4'294'967'295}, std::int64_t{4'294'967'296}, std::int64_t{-1}}) {
    SCOPED_TRACE(last);
    MadeExport made;
    made.with_calls().with_kernels();
    made.call(20, 21, tid(1, 1), last).call(10, 11, tid(1, 1), 3);
    made.kernel(50, 60, pid(1), last).kernel(30, 40, pid(1), 3);
    const LoadedView loaded(made.write());
    EXPECT_TRUE(equals(values(loaded.report().calls->correlation), {3, last}));
    EXPECT_TRUE(equals(values(loaded.report().kernels->correlation), {3, last}));
    EXPECT_TRUE(equals(values(loaded.report().kernels->call), {0, last < 0 ? kNone : 1}));
    EXPECT_FALSE(loaded.issue("bad_cells"));
  }
}

TEST(Load, NullEmptyAndAbsentStayThree) {
  MadeExport made;
  made.with_calls().with_kernels().call(10, 20, tid(1, 1), 1);
  const LoadedView loaded(made.write());
  const Report& report = loaded.report();
  ASSERT_NE(report.kernels, nullptr);
  EXPECT_EQ(report.kernels->rows, 0U);
  EXPECT_TRUE(report.kernels->start.present());
  EXPECT_FALSE(report.kernels->registers.present()) << "this export has no such column";
  EXPECT_EQ(report.copies, nullptr) << "not captured";
}

TEST(Load, CallsOfUnknownNamesAreTold) {
  for (const char* damage : {"", "UPDATE StringIds SET value = 'abc';", "UPDATE StringIds SET value = value || id;"}) {
    MadeExport made;
    made.with_calls().with_kernels().call(10, 20, tid(1, 1), 1).kernel(30, 40, pid(1), 1).add(damage);
    const LoadedView loaded(made.write());
    EXPECT_EQ(loaded.issue("unknown_calls").has_value(), *damage == 'U' && std::string_view(damage).ends_with("'abc';"))
        << damage;
  }
}

TEST(Load, LaunchesWithoutAKernelTableAreSaidAndNotShownAsIdle) {
  MadeExport made;
  made.with_calls()
      .call(10, 20, tid(1, 1), 1)
      .add(
          "CREATE TABLE DIAGNOSTIC_EVENT(timestamp INT, severity INT, text TEXT);"
          "INSERT INTO DIAGNOSTIC_EVENT VALUES(1,3,'CUDA driver too new');");
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.report().kernels, nullptr);
  EXPECT_EQ(loaded.issue("no_kernel_table"), 1);
  const IssueTable& issues = *loaded.report().issues;
  EXPECT_TRUE(contains(std::string(issues.text[0].view()), "driver too new"));
}

// 4 is "verbose", and unified memory has nothing to do with kernels: neither explains why there are none.
/// One may be cut off by the end of the capture, and so may fewer than one in a hundred.
TEST(Load, LaunchesWithoutKernelsAreSaidFromTheSecondOn) {
  for (const auto& [launches, lost, said] :
       {std::tuple(100, 1, std::optional<std::int64_t>()), std::tuple(100, 2, std::optional<std::int64_t>(2)),
        std::tuple(300, 2, std::optional<std::int64_t>())}) {
    MadeExport made;
    made.with_calls().with_kernels();
    for (int i = 1; i <= launches; ++i) {
      made.call(100 * i, 100 * i + 5, tid(1, 1), i);
      if (i > lost) made.kernel(100 * i + 10, 100 * i + 20, pid(1), i);
    }
    EXPECT_EQ(LoadedView(made.write()).issue("launches_without_kernels"), said) << lost << " of " << launches;
  }
}

/// Found by tests/torture: it was looked up among no processes.
TEST(Load, WorkThatNamesNoProcessIsOfOne) {
  MadeExport made;
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, streamId INT, correlationId INT,"
      " globalPid INT, bytes INT, memKind INT);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(100, 200, 0, 7, 1, NULL, 64, 2);");
  const LoadedView loaded(made.write());
  ASSERT_EQ(loaded.report().sets->rows, 1U);
  EXPECT_EQ(loaded.report().processes->rows, 1U);
}

TEST(Load, TheDiagnosisIsTheWorstRowAboutCollectingCuda) {
  const auto issues_text = [](const std::string& rows) {
    MadeExport made;
    made.with_calls()
        .call(10, 20, tid(1, 1), 1)
        .add(
            "CREATE TABLE DIAGNOSTIC_EVENT(timestamp INT, severity INT, text TEXT);"
            "INSERT INTO DIAGNOSTIC_EVENT VALUES" +
            rows + ";");
    const LoadedView loaded(made.write());
    return std::string(loaded.report().issues->text[0].view());
  };
  const std::string verbose = "(1,4,'CUDA library loaded')",
                    memory = "(2,3,'CUDA device 0: Unified Memory not traced')";
  const std::string none = "(9,2,'No CUDA events collected.')", started = "(8,2,'CUDA profiling was not started.')";
  const char* reason = "; the profiler says: ";
  EXPECT_TRUE(contains_all(issues_text(verbose + "," + memory), {reason, "Unified Memory"}));
  EXPECT_TRUE(
      contains(issues_text(memory + "," + verbose + "," + none + "," + started), "CUDA profiling was not started"));
  EXPECT_TRUE(contains(issues_text(started + "," + none + "," + memory), "CUDA profiling was not started"))
      << "any order";
  EXPECT_TRUE(contains(issues_text(none + ",(99,3,'CUDA events were lost.')"), "were lost"))
      << "an error before a warning";
  EXPECT_FALSE(contains(issues_text("(1,2,'/usr/local/cuda/lib was not found')," + verbose), reason));
}

// An event is waited for as it was recorded last before the wait, in the same process.
TEST(Load, AWaitKnowsTheRecordingOfItsEvent) {
  MadeExport made;
  made.with_calls().add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(deviceId INT, contextId INT, streamId INT, correlationId INT,"
      " globalPid INT, eventId INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start INT, end INT, deviceId INT, streamId INT, globalPid INT,"
      " correlationId INT, syncType INT, eventId INT);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(1,2,0,16777217,10,1,0),(3,4,0,16777217,15,1,0),"
      "(5,6,0,16777217,20,1,0),(7,8,0,16777217,25,1,0),(7,8,0,33554434,22,1,0);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES(0,1,13,20,16777216,4),(0,1,7,10,16777216,4),"
      "(0,1,9,22,33554432,4);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES(3,4,0,17,16777216,15,2,4),(7,8,0,17,16777216,25,2,4),"
      "(9,9,0,17,16777216,26,2,5),(9,10,0,17,16777216,27,3,NULL);");
  const LoadedView loaded(made.write());
  const SyncTable& syncs = *loaded.report().syncs;
  ASSERT_EQ(syncs.rows, 4U);
  EXPECT_EQ(loaded.report().calls->start[syncs.record[0]], 1);
  EXPECT_EQ(syncs.record_stream[0], 7);
  EXPECT_EQ(loaded.report().calls->start[syncs.record[1]], 5);
  EXPECT_EQ(syncs.record_stream[1], 13);
  EXPECT_EQ(syncs.record[2], kNone) << "no recording of event 5 is in the export";
  EXPECT_EQ(syncs.record[3], kNone) << "a stream is waited for, no event";
}

// nsys writes the stream of what belongs to no stream as 4294967295.
TEST(Load, AcceptsAMissingStream) {
  MadeExport made;
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start INT, end INT, deviceId INT, streamId INT, globalPid INT,"
      " correlationId INT, syncType INT);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES(10,20,0,4294967295,16777216,1,4),"
      "(30,40,0,7,16777216,2,3);");
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.issue("bad_cells"), std::nullopt);
  EXPECT_EQ(loaded.report().syncs->stream[0], kNone);
  EXPECT_EQ(loaded.report().syncs->stream[1], 7);
  made.add("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES(50,60,0,4294967296,16777216,3,3);");
  const LoadedView odd(made.write());
  EXPECT_EQ(odd.issue("bad_cells"), 1) << "any other number that is none is one";
}

TEST(Load, GraphLaunchesAreRowsOfTheirOwn) {
  MadeExport made;
  made.with_calls().call(10, 20, tid(1, 1), 9);
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INT, end INT, deviceId INT, streamId INT, correlationId INT, "
      "globalPid INT,"
      " graphId INT); INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES(30,90,0,7,9," +
      std::to_string(pid(1)) + ",10);");
  const LoadedView loaded(made.write());
  ASSERT_NE(loaded.report().graphs, nullptr);
  EXPECT_EQ(loaded.report().graphs->call[0], 0);
  EXPECT_EQ(loaded.report().graphs->graph[0], 10);
}

TEST(Load, CallsAreReadWhenSomebodyAsksForThemOrTheyTellWhatTheWorkDoesNot) {
  MadeExport made;
  made.with_calls().with_kernels().call(10, 20, tid(1, 1), 1).kernel(30, 90, pid(1), 1);
  const auto file = made.write();
  const std::set<ColumnId> kernels{col::kernels, col::kernel_name};
  const LoadedView alone(file, {}, {}, kernels);
  EXPECT_EQ(alone.report().calls, nullptr);
  EXPECT_EQ(alone.report().kernels->call[0], kNone);
  EXPECT_EQ(alone.issue("unlinked"), std::nullopt) << "nobody looked for its call";
  EXPECT_EQ(alone.report().window->start, 30);
  for (const ColumnId asked : {col::calls, col::call_name, col::iterations, col::collectives}) {
    std::set<ColumnId> wanted = kernels;
    wanted.insert(asked);
    const LoadedView linked(file, {}, {}, wanted);
    EXPECT_EQ(linked.report().kernels->call[0], 0);
    EXPECT_EQ(linked.report().window->start, 10);
  }
  EXPECT_EQ(with_window(kernels, {}), kernels);
  EXPECT_TRUE(with_window(kernels, {.nvtx = "step"}).contains(col::calls));

  MadeExport lost;
  lost.with_calls().call(10, 20, tid(1, 1), 1);
  EXPECT_EQ(LoadedView(lost.write(), {}, {}, kernels).issue("no_kernel_table"), 1) << "a launch without a kernel table";
  MadeExport old;
  old.with_calls()
      .call(10, 20, tid(5, 1), 1)
      .add(
          "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, streamId INT, correlationId INT);"
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(30, 90, 0, 7, 1);");
  const LoadedView processes(old.write(), {}, {}, {col::kernels});
  ASSERT_EQ(processes.report().processes->rows, 1U) << "which only the calls name";
  EXPECT_EQ(processes.report().kernels->process[0], 0U);
}

TEST(Load, UnifiedMemoryCopiesHaveADirectionAndNoCall) {
  MadeExport made;
  made.with_calls().call(10, 20, tid(1, 1), 0);
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, streamId INT, correlationId INT, "
      "globalPid INT, bytes INT,"
      " copyKind INT); INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(30,90,0,0,0," +
      std::to_string(pid(1)) + ",4096,11);");
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.report().copies->direction[0], CopyDirection::kUnifiedToDevice);
  EXPECT_EQ(loaded.report().copies->call[0], kNone);
  EXPECT_EQ(loaded.issue("unlinked"), 1);
}

TEST(Load, RangesAreNamedByTextOrByIdAndCarryTheirDomain) {
  MadeExport made;
  made.with_ranges().range(-50, -1, "NCCL", tid(1, 1), 75);
  made.add("UPDATE NVTX_EVENTS SET domainId=3;").range(10, 90, "plain", tid(1, 1));
  made.add("INSERT INTO NVTX_EVENTS VALUES(20,30,59,NULL," + std::to_string(tid(1, 1)) + ",NULL,6,3);");
  made.add("INSERT INTO NVTX_EVENTS VALUES(25,60,60,NULL," + std::to_string(tid(1, 1)) + "," +
           std::to_string(tid(1, 2)) + ",900000,0);");
  const LoadedView loaded(made.write());
  const Report& report = loaded.report();
  ASSERT_EQ(report.ranges->rows, 2U);
  EXPECT_EQ(report.string(report.ranges->name[0]), "plain");
  EXPECT_EQ(report.string(report.ranges->name[1]), "registered");
  EXPECT_EQ(report.string(report.ranges->domain[1]), "NCCL");
  EXPECT_TRUE(equals(values(report.ranges->parent), {kNone, 0}));
  EXPECT_TRUE(equals(values(report.ranges->depth), {0, 1}));
  ASSERT_EQ(report.spans->rows, 1U);
  EXPECT_EQ(report.string(report.spans->name[0]), "far away") << "string ids may be sparse";
  EXPECT_NE(report.spans->thread[0], report.spans->end_thread[0]);
}

TEST(Load, OpenRangesEndWithTheCapture) {
  MadeExport made;
  made.with_calls().with_ranges().call(10, 777, tid(1, 1), 1).range(5, -1, "open", tid(1, 1));
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.report().ranges->end[0], 777);
  EXPECT_EQ(loaded.report().ranges->open[0], 1);
}

TEST(Load, CallsFindTheInnermostRangeOfTheirThread) {
  MadeExport made;
  made.with_calls().with_ranges();
  made.range(0, 100, "outer", tid(1, 1)).range(10, 50, "inner", tid(1, 1)).range(0, 100, "elsewhere", tid(1, 2));
  made.call(20, 30, tid(1, 1), 1)
      .call(45, 60, tid(1, 1), 2)
      .call(60, 70, tid(1, 1), 3)
      .call(90, 110, tid(1, 1), 4)
      .call(200, 210, tid(1, 2), 5);
  const LoadedView loaded(made.write());
  const Report& report = loaded.report();
  std::vector<std::string> names;
  for (const Row range : values(report.calls->range)) {
    names.emplace_back(range == kNone ? "none" : report.string(report.ranges->name[static_cast<std::size_t>(range)]));
  }
  EXPECT_TRUE(equals(names, {"inner", "outer", "outer", "none", "none"}));
}

TEST(Load, UnsortedRowsBadEndsAndMissingStarts) {
  MadeExport made;
  made.with_calls().call(50, 40, tid(1, 1), 1).call(10, 20, tid(1, 1), 2);
  made.add("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(NULL,5,0,1,3,1,0),('x',5,0,1,3,1,0);");
  const LoadedView loaded(made.write());
  EXPECT_TRUE(equals(values(loaded.report().calls->start), {10}));
  EXPECT_TRUE(equals(values(loaded.report().calls->end), {20}));
  EXPECT_EQ(loaded.issue("no_start"), 2);
  EXPECT_EQ(loaded.issue("impossible_times"), 1);
  EXPECT_EQ(loaded.issue("bad_cells"), 1);
}

TEST(Load, WithoutProcessColumnRowsAreLinkedWhenThereIsOnlyOneProcess) {
  const std::string kernels =
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, streamId INT, correlationId INT);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(30,40,0,7,5);";
  MadeExport one, two;
  one.with_calls().call(10, 20, tid(1, 1), 5).add(kernels);
  two.with_calls().call(10, 20, tid(1, 1), 5).call(12, 20, tid(2, 1), 5).add(kernels);
  EXPECT_EQ(LoadedView(one.write()).report().kernels->call[0], 0);
  EXPECT_EQ(LoadedView(two.write()).report().kernels->call[0], kNone);
}

TEST(Load, OnlyWhatIsWantedIsRead) {
  MadeExport made;
  made.with_calls().with_kernels().call(10, 20, tid(1, 1), 1).kernel(30, 40, pid(1), 1);
  const auto profile = require(load_profile({made.write(), kind::kNsys}, "made", {col::kernels, col::calls}, 1));
  const auto view = (*profile).view({}, {});
  const Report& report = (*view).report();
  EXPECT_FALSE(report.kernels->name.present());
  EXPECT_FALSE(report.kernels->grid_x.present());
  EXPECT_FALSE(report.calls->name.present());
}

/// One process; the range holds the launches of kernels at 30 and 95, the third was launched before and the fourth
/// after it.
MadeExport& windowed(MadeExport& made) {
  made.with_calls().with_kernels().with_ranges().range(10, 100, "measured", tid(1, 1));
  made.call(1, 5, tid(1, 1), 1).call(20, 25, tid(1, 1), 2).call(90, 92, tid(1, 3), 3).call(101, 102, tid(1, 1), 4);
  return made.kernel(8, 15, pid(1), 1)
      .kernel(30, 40, pid(1), 2)
      .kernel(95, 130, pid(1), 3)
      .kernel(140, 150, pid(1), 4)
      .kernel(50, 55, pid(1), 0);
}

TEST(Window, ProjectedFollowsTheLaunches) {
  MadeExport made;
  const LoadedView loaded(windowed(made).write(), {"measured", WindowMode::kProjected, false});
  const Report& report = loaded.report();
  EXPECT_EQ(report.window->start, 10);
  EXPECT_EQ(report.window->end, 130) << "the last kernel that was launched inside";
  EXPECT_EQ(report.window->host_end, 100);
  EXPECT_TRUE(equals(values(report.calls->in_window), {0, 1, 1, 0})) << "any thread of the process";
  EXPECT_TRUE(equals(
      values(report.kernels->membership),
      {Membership::kForeign, Membership::kInside, Membership::kInside, Membership::kInside, Membership::kOutside}))
      << "the third in time has no launch and belongs by its start";
  EXPECT_EQ(loaded.issue("unlinked"), 1);
}

TEST(Window, HostKeepsRowsThatLieWhollyInside) {
  MadeExport made;
  const LoadedView loaded(windowed(made).write(), {"measured", WindowMode::kHost, false});
  EXPECT_EQ(loaded.report().window->end, 100);
  EXPECT_TRUE(equals(
      values(loaded.report().kernels->membership),
      {Membership::kOutside, Membership::kInside, Membership::kInside, Membership::kOutside, Membership::kOutside}));
}

TEST(Window, AMissingNameIsAnErrorUnlessTheWholeCaptureMayStandIn) {
  MadeExport made;
  const auto file = windowed(made).write();
  const LoadedView refused(file, {"Measured", WindowMode::kProjected, false});
  ASSERT_FALSE(refused.view.ok()) << "names are case-sensitive";
  EXPECT_TRUE(contains(refused.view.error().sentence, "range is named 'Measured'"));
  EXPECT_TRUE(contains(refused.view.error().sentence, "; the nearest is 'measured'; name another"));
  const LoadedView whole(file, {"Measured", WindowMode::kProjected, true});
  EXPECT_EQ(whole.report().window->named, 0U);
  EXPECT_EQ(whole.report().window->start, 1);
  EXPECT_EQ(whole.issue("window_missing"), 0);
}

TEST(Window, SeveralRangesOfTheNameSpanOneWindowAProcess) {
  MadeExport made;
  made.with_calls()
      .with_ranges()
      .range(10, 20, "w", tid(1, 1))
      .range(50, 60, "w", tid(1, 1))
      .range(15, 30, "w", tid(2, 1));
  made.call(30, 31, tid(1, 1), 1).call(55, 56, tid(2, 1), 2).call(58, 60, tid(1, 1), 3).call(59, 61, tid(1, 1), 4);
  const LoadedView loaded(made.write(), {"w", WindowMode::kProjected, false});
  EXPECT_EQ(loaded.report().window->matches, 3U);
  EXPECT_EQ(loaded.report().window->start, 10);
  EXPECT_EQ(loaded.report().window->end, 60);
  EXPECT_TRUE(equals(values(loaded.report().calls->in_window), {1, 0, 1, 0}))
      << "process 2's window ended at 30; that of process 1 holds what ends with it";
}

TEST(Iterations, AreTheRangesOfThePatternInsideTheWindow) {
  MadeExport made;
  made.with_ranges().range(10, 100, "measured", tid(1, 1));
  made.range(2, 8, "step_0", tid(1, 1))
      .range(40, 50, "step_2", tid(1, 1))
      .range(20, 30, "step_1", tid(1, 1))
      .range(60, 70, "step_x", tid(1, 1));
  made.range(45, 55, "step_7", tid(1, 2)).range(80, 90, "step_", tid(1, 1)).range(80, 90, "step_-3", tid(1, 1));
  const LoadedView loaded(made.write(), {"measured", WindowMode::kProjected, false}, {"step_{i}"});
  ASSERT_NE(loaded.report().iterations, nullptr);
  EXPECT_TRUE(equals(values(loaded.report().iterations->number), {1, 2, 7}));
  EXPECT_TRUE(equals(values(loaded.report().iterations->overlapping), {0, 1, 1}));
  EXPECT_EQ(loaded.issue("overlapping_iterations"), 2);
}

TEST(Iterations, UseTheFirstPatternWithRanges) {
  MadeExport made;
  made.with_ranges().range(10, 20, "step_1", tid(1, 1)).range(12, 18, "ProfilerStep#5", tid(1, 1));
  IterationSpec both("absent_{i}");
  both.nvtx.insert(both.nvtx.end(), {"ProfilerStep#{i}", "step_{i}"});
  const LoadedView loaded(made.write(), {}, both);
  ASSERT_NE(loaded.report().iterations, nullptr);
  EXPECT_TRUE(equals(values(loaded.report().iterations->number), {5})) << "and not both, one within the other";
}

TEST(Iterations, NoneOfTheNameIsAnIssue) {
  MadeExport made;
  made.with_ranges().range(10, 100, "measured", tid(1, 1));
  const LoadedView loaded(made.write(), {}, {"step_{i}"});
  EXPECT_EQ(loaded.report().iterations, nullptr);
  EXPECT_EQ(loaded.issue("no_iterations"), 0);
  const IssueTable& issues = *loaded.report().issues;
  std::string said;
  for (std::size_t i = 0; i < issues.rows; ++i) {
    if (issues.name[i].view() == "no_iterations") said = issues.text[i].view();
  }
  EXPECT_TRUE(
      contains(said, "has a name like 'step_{i}'; the nearest is 'measured'; there are no values per iteration"));
}

TEST(Devices, AreThoseNamedAndThoseThatRan) {
  MadeExport made;
  made.with_kernels().kernel(1, 2, pid(1), 1);
  made.add(
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId=3;"
      "CREATE TABLE TARGET_INFO_GPU(deviceId INT, name TEXT); INSERT INTO TARGET_INFO_GPU VALUES(1,'B'),(0,'A');");
  const LoadedView loaded(made.write());
  EXPECT_TRUE(equals(values(loaded.report().devices->id), {0, 1, 3}));
  EXPECT_EQ(loaded.report().devices->name[0], "A");
  EXPECT_EQ(loaded.report().devices->sm_count[0], kNone);
}

}  // namespace assay::load_variants_test
