// Damaged files: refused, or read exactly as sqlite3 reads them. The sanitizers watch over the rest.
#include <random>

#include "comparison.hpp"
#include "databases.hpp"
#include "support/test.hpp"

namespace assay::btree_test::btree_damage_test {

using Bytes = std::vector<unsigned char>;

struct Tally {
  unsigned equal = 0, refused = 0;
};

/// Compares all tables of `file`: refused, or read by SQLite without failure and equal.
void check(const std::filesystem::path& file, Tally& tally) {
  for (const char* table : {"events", "names", "sqlite_master"}) {
    const Comparison result = compare(file, table, 2);
    if (result.refusal) {
      ++tally.refused;
      continue;
    }
    EXPECT_FALSE(result.sqlite_failed) << table;
    EXPECT_EQ(result.difference, "") << table;
    ++tally.equal;
  }
}

TEST(Damage, CutAtEveryPage) {
  const TempFolder folder;
  const auto file = folder / "a.sqlite";
  make_database(file, events_sql(512, 600));
  const Bytes good = read_bytes(file);
  Tally tally;
  for (std::size_t size = 0; size < good.size(); size += 512) {
    for (const std::size_t more : {0U, 1U, 100U, 511U}) {
      write_bytes(file, Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size + more)));
      check(file, tally);
    }
  }
  EXPECT_EQ(tally.equal, 0U);
}

TEST(Damage, CutAtEveryPageWithAHeaderThatAgrees) {
  const TempFolder folder;
  const auto file = folder / "a.sqlite";
  make_database(file, events_sql(512, 600));
  const Bytes good = read_bytes(file);
  Tally tally;
  for (std::size_t size = 512; size <= good.size(); size += 512) {
    Bytes bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    set_big_endian(bytes, 28, 4, static_cast<std::uint32_t>(size / 512));
    write_bytes(file, bytes);
    check(file, tally);
  }
  EXPECT_GT(tally.refused, 50U);
  EXPECT_GT(tally.equal, 3U);
}

/// A few random bytes anywhere, in a page's first bytes, or in the file's header; sometimes a whole stretch.
void damage(Bytes& bytes, std::mt19937& random, std::size_t page_size) {
  const auto below = [&random](std::size_t n) { return random() % n; };
  for (std::size_t flips = 1 + below(4); flips > 0; --flips) {
    std::size_t at = below(bytes.size());
    if (below(3) == 0) at = below(bytes.size() / page_size) * page_size + below(40);
    if (below(40) == 0) at = below(100);
    const std::size_t kind = below(4);
    if (kind == 0) bytes[at] = static_cast<unsigned char>(random());
    if (kind == 1) bytes[at] = static_cast<unsigned char>(bytes[at] ^ 1U << below(8));
    if (kind == 2) bytes[at] = static_cast<unsigned char>(below(2) == 0 ? 0xff : 0);
    if (kind == 3) bytes[at] = static_cast<unsigned char>(bytes[at] + (below(2) == 0 ? 1 : 255));
  }
  if (below(20) != 0) return;
  const std::size_t from = below(bytes.size()), to = below(bytes.size());
  for (std::size_t i = 0; i < 64 && from + i < bytes.size() && to + i < bytes.size(); ++i)
    bytes[to + i] = bytes[from + i];
}

class RandomDamage : public ::testing::TestWithParam<int> {};

TEST_P(RandomDamage, IsRefusedOrReadAsSqliteReadsIt) {
  const auto page_size = static_cast<std::size_t>(GetParam());
  const TempFolder folder;
  const auto file = folder / "a.sqlite";
  make_database(file, events_sql(GetParam(), GetParam() <= 1024 ? 150 : 600));
  const Bytes good = read_bytes(file);
  const unsigned seeds = page_size > 4096 ? 300 : 2000;  // large pages take long, and hold nothing else
  Tally tally;
  for (unsigned seed = 0; seed < seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Bytes bytes = good;
    damage(bytes, random, page_size);
    write_bytes(file, bytes);
    check(file, tally);
  }
  std::printf("page size %zu: %u tables equal, %u refused\n", page_size, tally.equal, tally.refused);
  EXPECT_GT(tally.equal, seeds / 2);
  EXPECT_GT(tally.refused, seeds / 2);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RandomDamage, ::testing::Values(512, 1024, 4096, 65536));

}  // namespace assay::btree_test::btree_damage_test
