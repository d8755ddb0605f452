#include "history.hpp"

#include "made_pickle.hpp"
#include "pickle.hpp"
#include "support/test.hpp"

namespace assay {
namespace history_test {

using memory_snapshot::History;
using memory_snapshot::Snapshot;
using test::MadeEvent;
using test::MadeSnapshot;

using Cells = std::vector<std::int64_t>;
constexpr std::int64_t kMiB = 1 << 20;

/// The columns of a history.
struct Tables {
  Cells begin, end, address, size, requested, stream, device, stack, allocated_by, freed_by;
  std::vector<std::uint32_t> context;
  Cells time, bytes, allocated, reserved;
  std::vector<std::int32_t> change_device;
  memory_snapshot::HistoryDoubts doubts;
  std::vector<memory_snapshot::Failure> failures;
};

Tables tables_of(const MadeSnapshot& made) {
  const test::MadeFile file(made.text());
  Snapshot snapshot = memory_snapshot::read_snapshot(file.path(), std::size_t{64} << 20U);
  History history(snapshot);
  Tables t;
  for (Cells* column : {&t.begin, &t.end, &t.address, &t.size, &t.requested, &t.stream, &t.device, &t.stack,
                        &t.allocated_by, &t.freed_by})
    column->resize(history.allocation_rows());
  t.context.resize(history.allocation_rows());
  for (Cells* column : {&t.time, &t.bytes, &t.allocated, &t.reserved}) column->resize(history.change_rows());
  t.change_device.resize(history.change_rows());
  history.write({t.begin, t.end, t.address, t.size, t.requested, t.stream, t.device, t.stack, t.context, t.allocated_by,
                 t.freed_by},
                {t.time, t.change_device, t.bytes, t.allocated, t.reserved});
  t.doubts = history.doubts();
  t.failures = history.failures();
  return t;
}

TEST(History, AllocationsAreIntervalsAndChangesSayWhatIsInUse) {
  const Tables t = tables_of({.traces = {{{"segment_alloc", 100, 0, 2 * kMiB},
                                          {"alloc", 101, 0, 1000},
                                          {"alloc", 102, 1024, 512},
                                          {"free_requested", 104, 0, 1000},
                                          {"free_completed", 105, 0, 1000}}},
                              .segments = {{0, 2 * kMiB, {{1024, 512, 512}}}}});
  EXPECT_EQ(t.begin, (Cells{1000, 2000}));
  EXPECT_EQ(t.end, (Cells{4000, 5000})) << "freed when that was requested; in use to the end";
  EXPECT_EQ(t.size, (Cells{1024, 512}));
  EXPECT_EQ(t.requested, (Cells{1000, 512}));
  EXPECT_EQ(t.allocated_by, (Cells{0, 1}));
  EXPECT_EQ(t.freed_by, (Cells{2, kNone}));
  EXPECT_EQ(t.time, (Cells{1000, 2000, 4000}));
  EXPECT_EQ(t.bytes, (Cells{1024, 512, -1024}));
  EXPECT_EQ(t.allocated, (Cells{1024, 1536, 512}));
  EXPECT_EQ(t.reserved, (Cells{2 * kMiB, 2 * kMiB, 2 * kMiB}));
  EXPECT_EQ(t.doubts.unexplained, 0);
}

TEST(History, BlocksFromBeforeItBelongToEveryTotal) {
  const Tables t = tables_of({.traces = {{{"alloc", 10, 4096, 100},
                                          {"free_requested", 11, 0, 700},
                                          {"free_completed", 11, 0, 700},
                                          {"free_completed", 12, 8192, 512}}},
                              .segments = {{0, 2 * kMiB, {{2048, 512, 100}, {4096, 512, 100}}}}});
  EXPECT_EQ(t.address, (Cells{0, 2048, 4096})) << "one freed in the history, one there to the end; one freed before";
  EXPECT_EQ(t.allocated_by, (Cells{kNone, kNone, 0}));
  EXPECT_EQ(t.freed_by, (Cells{1, kNone, kNone}));
  EXPECT_EQ(t.size, (Cells{1024, 512, 512}));
  EXPECT_EQ(t.allocated, (Cells{2048, 1024}));
  EXPECT_EQ(t.reserved, (Cells{2 * kMiB, 2 * kMiB}));
}

TEST(History, OldBlocksTakeTheGapThatIsTooSmallForAnother) {
  const Tables t = tables_of({.traces = {{{"free_requested", 1, 0, 7 * kMiB},
                                          {"free_completed", 1, 0, 7 * kMiB},
                                          {"free_requested", 2, 10 * kMiB, 2 * kMiB},
                                          {"free_completed", 2, 10 * kMiB, 2 * kMiB}}},
                              .segments = {{0, 20 * kMiB, {{8 * kMiB, 2 * kMiB, 2 * kMiB}}}}});
  EXPECT_EQ(t.size, (Cells{8 * kMiB, 2 * kMiB, 2 * kMiB}));
  EXPECT_EQ(t.doubts.unknown_sizes, 1) << "the last may have taken up to 1 MiB of the 8 behind it";
}

TEST(History, SegmentsThatComeAndGoAreReserved) {
  const Tables t = tables_of({.traces = {{{"alloc", 1, 0, 512},
                                          {"segment_alloc", 2, 8 * kMiB, 2 * kMiB},
                                          {"alloc", 3, 8 * kMiB, 512},
                                          {"segment_free", 4, 32 * kMiB, 4 * kMiB},
                                          {"segment_map", 5, 64 * kMiB, 6 * kMiB},
                                          {"alloc", 6, 64 * kMiB, 5 * kMiB + 1},
                                          {"segment_unmap", 7, 68 * kMiB, kMiB},
                                          {"alloc", 8, 512, 512}}},
                              .segments = {{0, 2 * kMiB, {{0, 512, 512}, {512, 512, 512}}},
                                           {8 * kMiB, 2 * kMiB, {{8 * kMiB, 512, 512}}},
                                           {64 * kMiB, 5 * kMiB, {}, true}}});
  EXPECT_EQ(t.reserved, (Cells{6 * kMiB, 8 * kMiB, 10 * kMiB, 9 * kMiB}));
  EXPECT_EQ(t.size[2], 5 * kMiB + 512) << "an expandable segment cuts to size";
}

TEST(History, EventsOfOneTimeKeepTheirOrder) {
  const Tables t = tables_of({.traces = {{{"alloc", 5, 0, 512},
                                          {"free_completed", 5, 0, 512},
                                          {"alloc", 5, 0, 1024},
                                          {"free_completed", 5, 0, 1024},
                                          {"alloc", 5, 0, 512}}}});
  EXPECT_EQ(t.allocated, (Cells{512, 0, 1024, 0, 512}));
  EXPECT_EQ(t.freed_by, (Cells{1, 3, kNone}));
}

TEST(History, DevicesAreMergedByTime) {
  const Tables t = tables_of({.traces = {{{"alloc", 1, 0, 512}, {"free_completed", 4, 0, 512}},
                                         {{"alloc", 2, 0, 1024}, {"alloc", 3, 2048, 512}}}});
  EXPECT_EQ(t.time, (Cells{0, 1000, 2000, 3000}));
  EXPECT_EQ(t.change_device, (std::vector<std::int32_t>{0, 1, 1, 0}));
  EXPECT_EQ(t.allocated, (Cells{512, 1024, 1536, 0}));
  EXPECT_EQ(t.device, (Cells{0, 1, 1}));
  EXPECT_EQ(t.allocated_by, (Cells{0, 1, 2}));
  EXPECT_EQ(t.freed_by, (Cells{3, kNone, kNone}));
}

TEST(History, CountsMissingValues) {
  const Tables t = tables_of({.traces = {{{"alloc", 1, 0, 512},
                                          {"alloc", 2, 0, 1024},
                                          {"snapshot", 3, 0, 0},
                                          {"alloc", 4, -5, 512},
                                          {"alloc", 5, 8, std::int64_t{1} << 60}}},
                              .segments = {{4096, 2 * kMiB, {{4096, 512, 512, "active_awaiting_free"}}}}});
  EXPECT_EQ(t.allocated, (Cells{512, 0, 1024}));
  EXPECT_EQ(t.doubts.allocated_twice, 1);
  EXPECT_EQ(t.doubts.unknown_actions, 1);
  EXPECT_EQ(t.doubts.unread, 2);
  EXPECT_EQ(t.doubts.unexplained, 1) << "address 0 is in use, and no block says so";
}

TEST(History, RequestsWithoutMemoryAreFailures) {
  const std::vector<test::PickleBytes> here = {test::frame("f", "a.py", 1)},
                                       empty_cache = {test::frame("g", "b.py", 2)};
  const Tables t = tables_of({.traces = {{{"segment_free", 1, 0, 2 * kMiB, here},
                                          {"segment_free", 1, 2 * kMiB, 2 * kMiB, here},
                                          {"segment_alloc", 2, 0, 3 * kMiB, here},
                                          {"segment_free", 3, 0, 3 * kMiB, empty_cache},
                                          {"segment_alloc", 4, 0, 2 * kMiB, here},
                                          {"oom", 5, 77, 900, here}}}});
  ASSERT_EQ(t.failures.size(), 2U);
  EXPECT_TRUE(t.failures[0].retried);
  EXPECT_EQ(t.failures[0].requested, 3 * kMiB);
  EXPECT_EQ(t.failures[0].free, 4 * kMiB);
  EXPECT_FALSE(t.failures[1].retried);
  EXPECT_EQ(t.failures[1].requested, 900);
  EXPECT_EQ(t.failures[1].free, 77);
}

TEST(Snapshot, RefusesOtherPickles) {
  const auto refusal = [](const std::string& bytes) -> std::string {
    const test::MadeFile file(bytes);
    try {
      memory_snapshot::read_snapshot(file.path(), std::size_t{64} << 20U);
    } catch (const memory_snapshot::Refusal& refused) {
      return refused.what();
    }
    return {};
  };
  EXPECT_TRUE(contains(refusal(test::whole(test::list({}))), "is not a memory snapshot"));
  EXPECT_TRUE(contains(refusal(test::whole(test::dict({{"weights", test::pickled(1)}}))), "is not a memory snapshot"));
  const test::PickleBytes event = test::pickled(MadeEvent{"alloc", 1, 0, 512});
  EXPECT_TRUE(contains(refusal(test::whole(test::dict({{"device_traces", test::list({event, test::pickled(1)})}}))),
                       "also holds something else"));
}

}  // namespace history_test
}  // namespace assay
