// Trees, pages and records that contradict themselves or do not fit, and rows that are read all the same.
#include "refused.hpp"

namespace assay::btree_test::refused_pages_test {

TEST_F(Refusals, DamagedTrees) {
  make_events();
  const Bytes good = read_bytes(file_);
  const std::size_t top = root();
  ASSERT_EQ(good[top], 5);
  const std::size_t first_pointer = top + big_endian(good, top + 12, 2);
  const auto with = [&](std::size_t at, std::size_t size, std::uint32_t value, Reason reason = Reason::kPage) {
    SCOPED_TRACE("byte " + std::to_string(at) + " set to " + std::to_string(value));
    Bytes bytes = good;
    set_big_endian(bytes, at, size, value);
    write_bytes(file_, bytes);
    expect(reason);
  };
  const auto root_number = static_cast<std::uint32_t>(top / kPage + 1);
  with(first_pointer, 4, root_number);                   // a cycle
  with(first_pointer, 4, big_endian(good, top + 8, 4));  // a page reached twice
  with(first_pointer, 4, 0);                             // no such page
  with(first_pointer, 4, 0xffffffff);                    // beyond the file
  with(top + 8, 4, static_cast<std::uint32_t>(good.size() / kPage + 1));
  with(first_pointer, 4, 1);                           // the schema's page, not one of this depth
  with(top + 3, 2, 0xffff);                            // more cells than fit
  with(top + 3, 2, 0);                                 // none
  with(top + 3, 2, big_endian(good, top + 3, 2) - 1);  // children that are there and not counted
  with(top + 12, 2, 1023);                             // a cell that begins at the end
  with(top + 12, 2, 3);                                // a cell in the header
  with(top, 1, 13);                                    // a leaf with an interior page's cells
  with(top, 1, 7);
  const std::size_t leaf = first_leaf(good, top);
  with(leaf, 1, 5);
  with(leaf, 1, 10, Reason::kWithoutRowId);
  with(leaf + 3, 2, 0);
  with(leaf + 3, 2, 0xffff);
  with(leaf + 8, 2, 0);
  with(leaf + 8, 2, 0xffff);
  with(leaf + 8, 2, 1021);
  with(leaf + 3, 2, 1);                               // rows that are there and not counted
  with(leaf + 8, 2, big_endian(good, leaf + 10, 2));  // a row twice, another not at all
  with(leaf + 7, 1, 9);                               // fragments that are not there
  with(leaf + 5, 2, big_endian(good, leaf + 5, 2) - 4);
  with(leaf + 1, 2, big_endian(good, leaf + 5, 2));  // a row for a free block

  write_bytes(file_, good);  // a leaf with fewer rows than ids is sound where they were deleted
  execute(open_database(file_, false).get(), "DELETE FROM events WHERE rowid IN (3, 4, 7)");
  expect_read();
}

TEST_F(Refusals, LeavesThatChangedPlaces) {
  make_events();
  const std::size_t top = root();
  change([top](Bytes& bytes) {
    const std::size_t first = top + big_endian(bytes, top + 12, 2), second = top + big_endian(bytes, top + 14, 2);
    const std::uint32_t one = big_endian(bytes, first, 4), other = big_endian(bytes, second, 4);
    set_big_endian(bytes, first, 4, other);
    set_big_endian(bytes, second, 4, one);
  });
  expect(Reason::kPage);
}

TEST_F(Refusals, TreesOfUnequalDepth) {
  // The last child of the root of a tree of three levels is replaced by a leaf.
  make_database(file_, events_sql(512, 20000));
  Bytes bytes = read_bytes(file_);
  const std::size_t top = (root_page(file_, "events") - 1) * std::size_t{512};
  const std::size_t child = (big_endian(bytes, top + 8, 4) - 1) * std::size_t{512};
  ASSERT_EQ(bytes[child], 5);
  const std::uint32_t grandchild = big_endian(bytes, child + 8, 4);
  set_big_endian(bytes, top + 8, 4, grandchild);
  write_bytes(file_, bytes);
  expect(Reason::kPage);
}

TEST_F(Refusals, DamagedRecords) {
  make_events();
  const Bytes good = read_bytes(file_);
  const std::size_t cell = first_cell(good, root());
  ASSERT_LT(good[cell], 0x80);   // the record's size in one byte
  ASSERT_EQ(good[cell + 1], 1);  // the row id
  const std::size_t header = cell + 2;
  ASSERT_EQ(good[header], 8);  // its size and seven columns
  const auto with = [&](std::size_t at, unsigned char value, Reason reason = Reason::kRecord) {
    SCOPED_TRACE("byte " + std::to_string(at - cell) + " of the cell set to " + std::to_string(value));
    Bytes bytes = good;
    bytes[at] = value;
    write_bytes(file_, bytes);
    expect(reason);
  };
  with(cell, static_cast<unsigned char>(good[cell] - 1));
  with(cell, static_cast<unsigned char>(good[cell] + 1));
  with(cell, 0);
  with(header, 0);
  with(header, 7);
  with(header, 9);
  with(header, 126);
  with(header, 0x88, Reason::kLongHeader);
  with(header + 1, 10);
  with(header + 1, 11);
  with(header + 1, 0x7f);
  with(header + 7, 0xff);  // a number that runs over the header's end
}

TEST_F(Refusals, LongHeaders) {
  std::string columns = "c0 INTEGER", values = "0";
  for (int i = 1; i < 126; ++i) {
    columns += ", c" + std::to_string(i) + " INTEGER";
    values += ", " + std::to_string(i);
  }
  make("CREATE TABLE events (" + columns + "); INSERT INTO events VALUES (" + values + ")");
  expect_read();
  make("CREATE TABLE events (" + columns + ", z INTEGER); INSERT INTO events VALUES (" + values + ", 1)");
  expect(Reason::kLongHeader);
}

TEST_F(Refusals, LongTexts) {
  make(
      "CREATE TABLE events (a INTEGER, b TEXT, c INTEGER); INSERT INTO events VALUES (1, 'short', 2),"
      " (3, replace(hex(zeroblob(5000)), '00', 'xy'), 4)");
  expect(Reason::kOverflow);
  expect(Reason::kOverflow, "events", {"b"});
  expect_read("events", {"b", "c"});
  for (int length = 980; length < 1000; ++length) {  // around the longest that fits, and with rests of all sizes
    make(
        "CREATE TABLE events (a INTEGER, b TEXT);"
        "INSERT INTO events VALUES (7, substr(hex(zeroblob(9000)), 1, " +
        std::to_string(length) +
        ")),"
        " (7, substr(hex(zeroblob(9000)), 1, " +
        std::to_string(length * 7) + "))");
    expect_read("events", {"b"});
  }
}

TEST_F(Refusals, ColumnsThatCannotBeWanted) {
  make("CREATE TABLE events (id INTEGER PRIMARY KEY, a INTEGER); INSERT INTO events VALUES (300, 1)");
  const auto layout = std::get<TableLayout>(describe_table(open_database(file_, true).get(), "events"));
  const auto scan = std::get<TableScan>(TableScan::plan(std::get<PageFile>(PageFile::open(file_)), layout));
  for (const WantedColumn wanted : {WantedColumn{0, FieldKind::kText}, WantedColumn{2}}) {
    const auto read = scan.read(std::vector<WantedColumn>{wanted}, 0, {});
    ASSERT_TRUE(std::holds_alternative<Refusal>(read));
    EXPECT_EQ(std::get<Refusal>(read).reason, Reason::kLayout);
  }
}

}  // namespace assay::btree_test::refused_pages_test
