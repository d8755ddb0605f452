#include "memory/made_pickle.hpp"
#include "support/test.hpp"

namespace assay {
namespace memory_snapshot_test {

using testing::Outcome;
using testing::run_assay;

/// Four steps, each of which keeps 512 bytes.
std::string leak() {
  const std::vector<test::PickleBytes> keeper = {test::frame("log", "/a/train.py", 7)};
  const std::vector<test::PickleBytes> step = {test::frame("main", "/a/train.py", 9)};
  test::MadeSnapshot made{.traces = {{{"segment_alloc", 0, 0, 1 << 21}}}, .segments = {{0, 1 << 21}}};
  for (std::int64_t i = 0; i < 4; ++i) {
    const std::int64_t time = 10 + 10 * i, kept = 4096 + 512 * i;
    made.traces[0].insert(made.traces[0].end(), {{"alloc", time, 0, 2048, step},
                                                 {"free_requested", time + 4, 0, 2048},
                                                 {"free_completed", time + 4, 0, 2048},
                                                 {"alloc", time + 5, kept, 512, keeper}});
    made.segments[0].blocks.push_back({kept, 512, 512});
    made.marks.insert(made.marks.end(),
                      {{"START", "Optimizer.step#SGD.step", time + 6}, {"END", "Optimizer.step#SGD.step", time + 7}});
  }
  return made.text();
}

/// What the allocator holds, without a history.
test::MadeSnapshot made_of_segments() { return {.traces = {{}}, .segments = {{0, 1 << 21, {{0, 4096, 4096}}}}}; }

TEST(MemorySnapshot, LookNamesThePeakAndWhatGrows) {
  const TempFolder folder;
  folder.write("leak.pickle", leak());
  const Outcome look = run_assay(folder.path(), {"look", "leak.pickle"});
  EXPECT_EQ(look.exit, 0) << look.err;
  EXPECT_TRUE(contains(look.out, "3584 bytes")) << look.out;
  EXPECT_TRUE(contains(look.out, "train.py:7 log"));
  EXPECT_FALSE(contains(look.out, "Not known")) << "kernels are not expected of a snapshot";
}

/// 40 blocks within 0.4 ms; one is freed `pause` us later.
test::MadeSnapshot blocks(std::int64_t pause) {
  test::MadeSnapshot made{.traces = {{}}};
  for (std::int64_t i = 0; i < 40; ++i)
    made.traces[0].push_back({"alloc", 10'000'000 + 10 * i, i * 512, 512, {test::frame("f", "/a/b.py", 1)}});
  made.traces[0].push_back({"free_completed", 10'000'400 + pause, 39 * 512, 512});
  return made;
}

TEST(MemorySnapshot, APauseOrAWrongTimeLeavesThePeak) {
  const TempFolder folder;
  folder.write("pause.pickle", blocks(2'000'000).text());
  test::MadeSnapshot damaged = blocks(100);
  damaged.traces[0][5].time += 188'000'000'000;
  folder.write("damaged.pickle", damaged.text());
  for (const char* file : {"pause.pickle", "damaged.pickle"}) {
    const Outcome look = run_assay(folder.path(), {"look", file});
    EXPECT_EQ(look.exit, 0) << look.err;
    EXPECT_TRUE(contains(look.out, "20480 bytes")) << look.out;
    EXPECT_EQ(contains(look.out, "Caveats"), std::string(file) == "damaged.pickle") << look.out;
  }
}

TEST(MemorySnapshot, WhatCannotBeReadOrWasNotRecordedHasNoPeak) {
  const TempFolder folder;
  test::MadeSnapshot unread = blocks(100), bare = made_of_segments();
  unread.traces[0][20].size = -5;
  folder.write("unread.pickle", unread.text());
  folder.write("bare.pickle", bare.text());
  for (const char* file : {"unread.pickle", "bare.pickle"}) {
    const Outcome look = run_assay(folder.path(), {"look", file});
    EXPECT_EQ(look.exit, 0) << look.err;
    EXPECT_TRUE(contains(look.out, "not known")) << look.out;
    EXPECT_FALSE(contains(look.out, "Memory peaks at")) << look.out;
  }
}

TEST(MemorySnapshot, ItsTablesAreAskedInSql) {
  const TempFolder folder;
  folder.write("leak.pickle", leak());
  const Outcome asked = run_assay(
      folder.path(), {"query", "leak.pickle", "--format", "csv",
                      "SELECT s.line, count(*), sum(a.size) FROM memory_allocations a JOIN memory_stacks s ON s.id = "
                      "a.stack WHERE a.freed_by IS NULL GROUP BY 1"});
  EXPECT_EQ(asked.exit, 0) << asked.err;
  EXPECT_TRUE(contains(asked.out, "7,4,2048")) << asked.out;
}

TEST(MemorySnapshot, TwoAreHeldAgainstEachOther) {
  const TempFolder folder;
  folder.write("a.pickle", leak());
  test::MadeSnapshot other{.traces = {{{"alloc", 1, 0, 512, {test::frame("f", "/a/b.py", 1)}}}}};
  folder.write("b.pickle", other.text());
  const Outcome look = run_assay(folder.path(), {"look", "a.pickle", "b.pickle"});
  EXPECT_EQ(look.exit, 0) << look.err;
  EXPECT_TRUE(contains(look.out, "Memory at the peak of both")) << look.out;
  EXPECT_TRUE(contains(look.out, "b.py:1 f"));
}

TEST(MemorySnapshot, CompareTakesTheSidesInTheirOrder) {
  const TempFolder folder;
  folder.write("b.pickle", leak());
  test::MadeSnapshot other{.traces = {{{"alloc", 1, 0, 512, {test::frame("f", "/a/b.py", 1)}}}}};
  folder.write("c.pickle", other.text());
  const Outcome compared = run_assay(folder.path(), {"compare", "c.pickle", "b.pickle"});
  EXPECT_EQ(compared.exit, 0) << compared.err;
  EXPECT_TRUE(contains(compared.out, "(600.0 %)")) << compared.out;
  EXPECT_TRUE(contains_all(compared.out, {"Memory at the peak, by stack", "train.py:7 log"}));
  EXPECT_EQ(run_assay(folder.path(), {"compare", "c.pickle", "b.pickle", "--gate"}).exit, 2);
}

/// Four steps of a trace from 10 us on, of 9 us each.
std::string trace(const std::string& epoch) {
  std::string events;
  for (int i = 0; i < 4; ++i) {
    events += R"j({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#)j" + std::to_string(i) +
              R"j(", "pid": 9, "tid": 9, "ts": )j" + std::to_string(10 + 10 * i) + ", \"dur\": 9},\n";
  }
  return "{\"baseTimeNanoseconds\": " + epoch + ", \"traceEvents\": [" + events +
         R"j({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 12, "dur": 2}]})j";
}

TEST(MemorySnapshot, NextToATraceOfItsRunItJoinsOnItsClock) {
  const TempFolder folder;
  folder.write("run.pickle", leak());
  folder.write("run.pt.trace.json", trace("0"));
  const Outcome asked = run_assay(folder.path(), {"query", "run.pt.trace.json", "--format", "csv",
                                                  "SELECT min(\"begin\"), count(*) FROM memory_allocations"});
  EXPECT_TRUE(contains(asked.out, "\n0,8")) << "10000 by the snapshot's clock: " << asked.out << asked.err;
  const Outcome look = run_assay(folder.path(), {"look", "."});
  EXPECT_EQ(look.exit, 0) << look.err;
  EXPECT_TRUE(contains(look.out, "3584 bytes) in step 3 (0 to 3)")) << look.out;
  const Outcome alone = run_assay(folder.path(), {"look", "run.pickle"});
  EXPECT_TRUE(contains(alone.out, "3584 bytes")) << "without the trace it is a profile itself";
}

TEST(MemorySnapshot, DoesNotJoinATraceOfAnotherTime) {
  const TempFolder folder;
  folder.write("run.pickle", leak());
  folder.write("run.pt.trace.json", trace("1700000000000000000"));
  const Outcome asked = run_assay(folder.path(), {"query", "run.pt.trace.json", "--format", "csv",
                                                  "SELECT name FROM issues WHERE name LIKE 'beside%'"});
  EXPECT_EQ(asked.out, "name\nbeside_not_joined\n") << asked.err;
  EXPECT_EQ(run_assay(folder.path(), {"query", "run.pt.trace.json", "SELECT * FROM memory_allocations"}).exit, 2);
}

TEST(MemorySnapshot, ADamagedOneLeavesTheTraceReadable) {
  const TempFolder folder;
  const std::string whole = leak();
  folder.write("run.pickle", whole.substr(0, whole.size() / 2));
  folder.write("run.pt.trace.json", trace("0"));
  const Outcome asked =
      run_assay(folder.path(), {"query", "run.pt.trace.json", "--format", "csv",
                                "SELECT (SELECT count(*) FROM ops), name FROM issues WHERE name LIKE 'beside%'"});
  EXPECT_EQ(asked.exit, 0);
  EXPECT_TRUE(contains(asked.out, "5,beside_unreadable")) << asked.out << asked.err;
}

TEST(MemorySnapshot, RejectsPicklesWithCallsByName) {
  const TempFolder folder;
  folder.write("bad.pickle", test::whole("}X" + test::little_endian(std::uint32_t{8}) + "segmentscos\nsystem\n"));
  const Outcome look = run_assay(folder.path(), {"look", "bad.pickle"});
  EXPECT_NE(look.exit, 0);
  EXPECT_TRUE(contains(look.out + look.err, "GLOBAL os.system")) << look.out << look.err;
}

}  // namespace memory_snapshot_test
}  // namespace assay
