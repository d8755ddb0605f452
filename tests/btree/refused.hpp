// A database to damage, and what is expected of reading it directly.
#pragma once

#include "comparison.hpp"
#include "databases.hpp"
#include "support/test.hpp"

namespace assay::btree_test {

using namespace load::btree;
using Bytes = std::vector<unsigned char>;

inline constexpr std::size_t kPage = 1024;

class Refusals : public ::testing::Test {
 protected:
  const TempFolder folder_;
  const fs::path file_ = folder_ / "a.sqlite";

  void make(const std::string& sql) { make_database(file_, "PRAGMA page_size = 1024;" + sql); }
  void make_events() { make_database(file_, events_sql(kPage, 5000)); }

  void expect(Reason reason, const std::string& table = "events", const std::set<std::string>& left_out = {}) {
    const Comparison result = compare(file_, table, 2, left_out);
    ASSERT_TRUE(result.refusal);
    EXPECT_EQ(result.refusal->reason, reason) << result.refusal->sentence;
    EXPECT_NE(result.refusal->sentence, "");
  }
  void expect_read(const std::string& table = "events", const std::set<std::string>& left_out = {}) {
    const Comparison result = compare(file_, table, 2, left_out);
    EXPECT_FALSE(result.refusal) << result.refusal->sentence;
    EXPECT_EQ(result.difference, "");
  }
  void change(const std::function<void(Bytes&)>& edit) {
    Bytes bytes = read_bytes(file_);
    edit(bytes);
    write_bytes(file_, bytes);
  }
  /// Offset in the file of the root of `table`.
  std::size_t root(const std::string& table = "events") { return (root_page(file_, table) - 1) * kPage; }
  /// Offset in the file of the first leaf of events.
  std::size_t first_leaf(const Bytes& bytes, std::size_t page) {
    while (bytes[page] == 5) page = (big_endian(bytes, page + big_endian(bytes, page + 12, 2), 4) - 1) * kPage;
    return page;
  }
  /// Offset in the file of the first cell of the first leaf of events.
  std::size_t first_cell(const Bytes& bytes, std::size_t page) {
    const std::size_t leaf = first_leaf(bytes, page);
    return leaf + big_endian(bytes, leaf + 8, 2);
  }
  /// PageFile::open alone, where sqlite3 could not open the file either.
  void expect_file(Reason reason) {
    const auto file = PageFile::open(file_);
    ASSERT_TRUE(std::holds_alternative<Refusal>(file));
    EXPECT_EQ(std::get<Refusal>(file).reason, reason) << std::get<Refusal>(file).sentence;
  }
};

}  // namespace assay::btree_test
