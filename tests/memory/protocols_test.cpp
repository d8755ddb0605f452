// Snapshots that Python's own pickler wrote, of an allocator that knows its blocks.
#include "history.hpp"
#include "pickle.hpp"
#include "support/test.hpp"

namespace assay {
namespace protocols_test {

using memory_snapshot::History;
using memory_snapshot::Snapshot;

struct SnapshotContents {
  std::vector<std::int64_t> columns[10];
  std::vector<std::uint32_t> context;
  std::vector<std::int64_t> time, bytes, allocated, reserved;
  std::vector<std::int32_t> device;
  std::vector<std::string> stacks;  ///< of each allocation
  std::int64_t unknown_sizes = 0, unexplained = 0;
};

SnapshotContents read(const std::filesystem::path& file) {
  Snapshot snapshot = memory_snapshot::read_snapshot(file, std::size_t{64} << 20U);
  History history(snapshot);
  SnapshotContents r;
  for (auto& column : r.columns) column.resize(history.allocation_rows());
  r.context.resize(history.allocation_rows());
  for (auto* column : {&r.time, &r.bytes, &r.allocated, &r.reserved}) column->resize(history.change_rows());
  r.device.resize(history.change_rows());
  auto& c = r.columns;
  history.write({c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], r.context, c[8], c[9]},
                {r.time, r.device, r.bytes, r.allocated, r.reserved});
  for (std::int64_t& stack : c[7]) {
    std::string text;
    for (const std::uint32_t number : snapshot.stack(static_cast<std::uint32_t>(stack))) {
      const memory_snapshot::Frame frame = snapshot.frame(number);
      text += std::string(snapshot.text(frame.function)) + std::to_string(frame.line);
    }
    r.stacks.push_back(text);
    stack = 0;  // numbers follow the order of the file
  }
  r.unknown_sizes = history.doubts().unknown_sizes;
  r.unexplained = history.doubts().unexplained;
  return r;
}

/// Bytes, allocated and reserved of each change, as Python has them.
std::vector<std::array<std::int64_t, 3>> rows_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::array<std::int64_t, 3>> rows;
  for (std::array<std::int64_t, 3> row{}; in >> row[0] >> row[1] >> row[2];) rows.push_back(row);
  return rows;
}

/// Blocks from before the history may be counted up to 1 MiB too small each, and it says how many.
void compare(const SnapshotContents& read, const std::filesystem::path& rows_file) {
  const auto rows = rows_of(rows_file);
  ASSERT_EQ(rows.size(), read.bytes.size());
  ASSERT_GT(rows.size(), 100U);
  const std::int64_t open = read.unknown_sizes << 20U;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    ASSERT_LE(read.allocated[r], rows[r][1]) << r;
    ASSERT_GE(read.allocated[r], rows[r][1] - open) << r;
    ASSERT_EQ(read.reserved[r], rows[r][2]) << r;
    if (open == 0) {
      ASSERT_EQ(read.bytes[r], rows[r][0]) << r;
    }
  }
  EXPECT_EQ(read.allocated.back(), rows.back()[1]) << "what is there at the end is known";
  EXPECT_EQ(read.unexplained, 0);
}

void expect_equal_protocols(const TempFolder& folder) {
  const SnapshotContents first = read(folder / "2.pickle");
  for (const char* other : {"3.pickle", "4.pickle", "5.pickle"}) {
    const SnapshotContents next = read(folder / other);
    for (std::size_t c = 0; c < std::size(first.columns); ++c) EXPECT_EQ(first.columns[c], next.columns[c]) << other;
    EXPECT_EQ(first.stacks, next.stacks) << other;
    EXPECT_EQ(first.time, next.time) << other;
    EXPECT_EQ(first.allocated, next.allocated) << other;
  }
}

bool write(const TempFolder& folder, const std::string& arguments) {
  const testing::Outcome made = testing::run_shell(
      folder.path(), "python3 " ASSAY_SOURCE_DIR "/tests/memory/caching_allocator.py . " + arguments);
  EXPECT_EQ(made.exit, 0) << made.err;
  return made.exit == 0;
}

TEST(Protocols, TablesAreEqualAndWhatTheAllocatorHeld) {
  std::size_t exact = 0;
  for (int seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const TempFolder folder;
    ASSERT_TRUE(write(folder, std::to_string(seed)));
    expect_equal_protocols(folder);
    const SnapshotContents read_here = read(folder / "4.pickle");
    exact += read_here.unknown_sizes == 0 ? 1 : 0;
    compare(read_here, folder / "rows.txt");
  }
  EXPECT_GE(exact, 4U) << "whole histories say all";
}

class RealSnapshot : public ::testing::TestWithParam<const char*> {};

TEST_P(RealSnapshot, HasTheRowsOfASecondReadingInEachProtocol) {
  const auto file = testing::data_file("memory", GetParam());
  if (!file) GTEST_SKIP() << "ASSAY_DATA has no memory";
  const TempFolder folder;
  ASSERT_TRUE(write(folder, "0 " + file->string()));
  expect_equal_protocols(folder);
  compare(read(*file), folder / "rows.txt");
}

INSTANTIATE_TEST_SUITE_P(Data, RealSnapshot, ::testing::Values("base.pickle", "leak.pickle", "mosaic/output.pickle"),
                         [](const auto& of) { return std::string(of.param).substr(0, 4); });

}  // namespace protocols_test
}  // namespace assay
