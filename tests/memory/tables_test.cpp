// What the format fills, without the host.
#include "assay/testing/table_recorder.hpp"
#include "made_pickle.hpp"
#include "support/test.hpp"

extern "C" const assay::FormatDescriptor assay_format;

namespace assay {
namespace tables_test {

using Cells = std::vector<std::int64_t>;

std::vector<std::string> texts(testing::TableRecorder& tables, const std::string& table, const std::string& column) {
  std::vector<std::string> all;
  for (const StringId id : tables.declared<StringId>(table, column)) all.push_back(tables.string(id));
  return all;
}

const test::MadeSnapshot& made() {
  static const test::PickleBytes outer = test::frame("main", "/a/train.py", 3),
                                 inner = test::frame("f", "/a/net.py", 9);
  static const test::MadeSnapshot kMade{
      .traces = {{{"segment_alloc", 10, 0, 1 << 21},
                  {"alloc", 11, 0, 600, {inner, outer}},
                  {"alloc", 12, 1024, 512, {outer}},
                  {"free_requested", 14, 0, 600},
                  {"free_completed", 14, 0, 600}}},
      .segments = {{0, 1 << 21, {{0, 1024, 600, "inactive"}, {1024, 512, 512}}}},
      .marks = {{"END", "first", 9}, {"START", "step", 10}, {"START", "step", 11}, {"END", "step", 13}}};
  return kMade;
}

TEST(SnapshotTables, HoldStacksAsATreeAndAllocationsThatNameTheirFrames) {
  const test::MadeFile file(made().text());
  testing::TableRecorder tables(assay_format);
  ASSERT_EQ(tables.load(file.path().string(), 10000), "");
  EXPECT_EQ(texts(tables, "memory_stacks", "function"), (std::vector<std::string>{"main", "f"}));
  EXPECT_EQ(tables.declared<std::int64_t>("memory_stacks", "parent"), (Cells{kNone, 0}));
  EXPECT_EQ(tables.declared<std::int64_t>("memory_stacks", "line"), (Cells{3, 9}));
  EXPECT_EQ(tables.declared<std::int64_t>("memory_allocations", "stack"), (Cells{1, 0}));
  EXPECT_EQ(tables.declared<std::int64_t>("memory_allocations", "begin"), (Cells{2000, 3000})) << "from the first mark";
  EXPECT_EQ(tables.cells(col::allocations, &AllocationTable::allocated), (Cells{1024, 1536, 512}));
  EXPECT_EQ(tables.cells(col::allocations, &AllocationTable::device), (std::vector<std::int32_t>{0, 0, 0}));
}

TEST(SnapshotTables, HoldSegmentsBlocksAndAnnotations) {
  const test::MadeFile file(made().text());
  testing::TableRecorder tables(assay_format);
  ASSERT_EQ(tables.load(file.path().string(), 10000), "");
  EXPECT_EQ(tables.declared<std::int64_t>("memory_segments", "size"), (Cells{1 << 21}));
  EXPECT_EQ(tables.declared<std::int64_t>("memory_blocks", "size"), (Cells{1024, 512}));
  EXPECT_EQ(texts(tables, "memory_blocks", "state"), (std::vector<std::string>{"inactive", "allocated"}));
  EXPECT_EQ(texts(tables, "memory_annotations", "name"), (std::vector<std::string>{"first", "step", "step"}));
  EXPECT_EQ(tables.declared<std::int64_t>("memory_annotations", "begin"), (Cells{0, 1000, 2000}));
  EXPECT_EQ(tables.declared<std::int64_t>("memory_annotations", "end"), (Cells{0, 5000, 4000}))
      << "an end belongs to the last begin; one without an end goes to the end";
  EXPECT_EQ(texts(tables, "memory_peaks", "name"),
            (std::vector<std::string>{"0.0 MB net.py:9 f", "0.0 MB train.py:3 main"}));
}

/// 40 blocks, one each 10 us, and a free of the first after `pause` us.
test::MadeSnapshot blocks(std::int64_t pause) {
  test::MadeSnapshot made{.traces = {{{"segment_alloc", 10'000'000, 0, 1 << 21}}}, .segments = {{0, 1 << 21}}};
  for (std::int64_t i = 0; i < 40; ++i) made.traces[0].push_back({"alloc", 10'000'010 + 10 * i, i * 1024, 1024});
  made.traces[0].push_back({"free_completed", 10'000'400 + pause, 0, 1024});
  return made;
}

struct Reading {
  std::vector<std::string> issues;
  Cells allocated, times, freed_by;
};
Reading read(const std::string& bytes) {
  const test::MadeFile file(bytes);
  testing::TableRecorder tables(assay_format);
  EXPECT_EQ(tables.load(file.path().string(), 100'000), "");
  return {tables.issues, tables.cells(col::allocations, &AllocationTable::allocated),
          tables.cells(col::allocations, &AllocationTable::time),
          tables.declared<std::int64_t>("memory_allocations", "freed_by")};
}
bool has(const Reading& reading, const char* code) { return std::ranges::count(reading.issues, code) > 0; }

TEST(SnapshotTimes, APauseLongerThanAllBeforeIsNoDamage) {
  for (const std::int64_t pause : {2'000'000LL, 3'600'000'000LL}) {
    const Reading reading = read(blocks(pause).text());
    EXPECT_FALSE(has(reading, "impossible_times"));
    EXPECT_EQ(reading.times.back(), (400 + pause) * 1000);
    EXPECT_EQ(reading.freed_by.front(), 40);
  }
}

TEST(SnapshotTimes, OneThatDoesNotFitBetweenItsNeighboursIsTheirs) {
  for (const std::size_t at : {std::size_t{1}, std::size_t{5}, std::size_t{20}, std::size_t{41}}) {
    for (const std::int64_t step : {-188'000'000'000LL, -900'000LL, 188'000'000'000LL, 200'000'000'000LL}) {
      test::MadeSnapshot made = blocks(100);
      test::MadeEvent& event = made.traces[0][at];
      event.time = std::max<std::int64_t>(event.time + step, 0);
      const Reading reading = read(made.text());
      EXPECT_EQ(has(reading, "impossible_times"), step != -900'000) << "up to a second is the clock of a thread";
      EXPECT_EQ(reading.allocated.size(), 41U);
      EXPECT_EQ(std::ranges::max(reading.allocated), 40 * 1024);
      EXPECT_LT(reading.times.back(), 2'000'000'000);
    }
  }
}

TEST(SnapshotTimes, NoneAtAllAreTold) {
  std::string text = blocks(100).text();
  for (std::size_t at; (at = text.find("time_us")) != std::string::npos;) text.replace(at, 7, "tine_us");
  const Reading reading = read(text);
  EXPECT_TRUE(has(reading, "no_start"));
  EXPECT_EQ(std::ranges::max(reading.allocated), 40 * 1024) << "their order is known";
}

TEST(SnapshotEvents, ThatCannotBeReadLeaveTheRestUnknown) {
  for (const std::int64_t size : {std::int64_t{-5}, std::numeric_limits<std::int64_t>::max()}) {
    test::MadeSnapshot made = blocks(100);
    made.traces[0][20].size = size;
    const Reading reading = read(made.text());
    EXPECT_TRUE(has(reading, "unread_events"));
    EXPECT_EQ(reading.allocated[18], 19 * 1024);
    EXPECT_EQ(reading.allocated[19], kNone) << "nobody knows how much is in use from there on";
  }
}

TEST(SnapshotSegments, SmallerThanTheirBlocksAreTold) {
  test::MadeSnapshot whole = made(), made_smaller = made();
  made_smaller.segments[0].size = 0;
  EXPECT_FALSE(has(read(whole.text()), "segment_sizes"));
  EXPECT_TRUE(has(read(made_smaller.text()), "segment_sizes"));
}

TEST(SnapshotTables, AreRefusedWithTheSentenceOfThePickle) {
  const test::MadeFile file(test::whole("cos\nsystem\n"));
  testing::TableRecorder tables(assay_format);
  EXPECT_TRUE(contains(tables.load(file.path().string(), 100), "GLOBAL os.system"));
}

TEST(SnapshotFormat, KnowsItsOwnFilesAlone) {
  const auto sniff = [](const std::string& head) {
    return assay_format.sniff({.path = "x.pickle", .size = head.size(), .head = head});
  };
  EXPECT_TRUE(sniff(made().text().substr(0, 512)));
  EXPECT_FALSE(sniff(test::whole(test::dict({{"weights", test::pickled(1)}}))));
  EXPECT_FALSE(sniff("{\"segments\": []}"));
  EXPECT_FALSE(sniff(""));
}

struct Constants {
  const char* file;
  std::int64_t peak, before;
};

/// torch.cuda.memory_stats of the runs, and the constant that Mosaic publishes of its own snapshot, which leaves out
/// what was there before.
class RealPeak : public ::testing::TestWithParam<Constants> {};

TEST_P(RealPeak, IsRightToTheByte) {
  const auto file = testing::data_file("memory", GetParam().file);
  if (!file) GTEST_SKIP() << "ASSAY_DATA has no memory";
  testing::TableRecorder tables(assay_format);
  ASSERT_EQ(tables.load(file->string(), std::filesystem::file_size(*file)), "");
  EXPECT_EQ(std::ranges::max(tables.cells(col::allocations, &AllocationTable::allocated)), GetParam().peak);
  std::int64_t before = 0;
  const auto size = tables.declared<std::int64_t>("memory_allocations", "size");
  const auto by = tables.declared<std::int64_t>("memory_allocations", "allocated_by");
  for (std::size_t a = 0; a < size.size(); ++a) before += by[a] == kNone ? size[a] : 0;
  EXPECT_EQ(before, GetParam().before);
  EXPECT_TRUE(tables.issues.empty());
}

INSTANTIATE_TEST_SUITE_P(Data, RealPeak,
                         ::testing::Values(Constants{"base.pickle", 2487875072, 0},
                                           Constants{"leak.pickle", 2567763456, 68157440},
                                           Constants{"mosaic/output.pickle", 2255398132 + 8704, 8704}),
                         [](const auto& of) { return std::string(of.param.file).substr(0, 4); });

}  // namespace tables_test
}  // namespace assay
