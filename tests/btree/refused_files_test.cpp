// Files that are refused before any table is looked at, each with its reason.
#include <sys/stat.h>

#include "refused.hpp"

namespace assay::btree_test::refused_files_test {

TEST_F(Refusals, NotWithoutCause) {
  make_events();
  expect_read();
}

TEST_F(Refusals, MissingFolderPipe) {
  expect_file(Reason::kUnreadable);
  fs::create_directory(file_);
  expect_file(Reason::kUnreadable);
  fs::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  expect_file(Reason::kUnreadable);
}

TEST_F(Refusals, RejectsNonDatabases) {
  write_bytes(file_, {});
  expect_file(Reason::kHeader);
  write_bytes(file_, Bytes(5000, 'x'));
  expect_file(Reason::kHeader);
  make_events();
  change([](Bytes& bytes) { bytes.resize(99); });
  expect_file(Reason::kHeader);
}

TEST_F(Refusals, HeadersOfNoKnownFormat) {
  make_events();
  const Bytes good = read_bytes(file_);
  const auto with = [&](std::size_t at, unsigned char value) {
    Bytes bytes = good;
    bytes[at] = value;
    write_bytes(file_, bytes);
    expect_file(Reason::kHeader);
  };
  with(16, 0x05);  // page size 0x500
  with(16, 0x00);  // page size 0
  with(18, 3);
  with(19, 3);
  with(21, 65);
  with(47, 5);
  with(47, 0);
}

TEST_F(Refusals, LogOrHotJournalBeside) {
  make_events();
  const fs::path log = folder_ / "a.sqlite-wal", journal = folder_ / "a.sqlite-journal";
  write_bytes(log, {1});
  expect_file(Reason::kJournal);
  write_bytes(log, {});
  expect_read();
  write_bytes(journal, {0xd9, 0xd5});
  expect_file(Reason::kJournal);
  write_bytes(journal, {0, 0, 0});
  expect_read();
  fs::create_symlink(file_, folder_ / "link.sqlite");
  write_bytes(log, {1});
  EXPECT_TRUE(std::holds_alternative<Refusal>(PageFile::open(folder_ / "link.sqlite")));
}

TEST_F(Refusals, ReservedBytes) {
  const Database db = open_database(file_, false);
  int reserved = 8;
  sqlite3_file_control(db.get(), "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  execute(db.get(), events_sql(kPage, 100));
  expect(Reason::kReservedBytes);
}

TEST_F(Refusals, OtherEncodings) {
  for (const char* encoding : {"UTF-16le", "UTF-16be"}) {
    make(std::string("PRAGMA encoding = '") + encoding + "'; CREATE TABLE events (a INTEGER, b TEXT)");
    expect(Reason::kEncoding);  // of the text; numbers are read
  }
  make_events();
  for (const Byte encoding : {Byte{0}, Byte{4}}) {
    change([&](Bytes& bytes) { bytes[59] = encoding; });
    expect_file(Reason::kHeader);
  }
}

TEST_F(Refusals, FileSizesThatContradictTheHeader) {
  make_events();
  const Bytes good = read_bytes(file_);
  for (const std::ptrdiff_t by : {-1, -1024, 1, 1024}) {
    Bytes bytes = good;
    bytes.resize(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(good.size()) + by));
    write_bytes(file_, bytes);
    expect_file(Reason::kFileSize);
  }
  write_bytes(file_, good);
  change([](Bytes& bytes) { ++bytes[27]; });  // the change counter
  expect_file(Reason::kFileSize);
}

TEST_F(Refusals, DamagedFreeLists) {
  make_events();
  execute(open_database(file_, false).get(), "CREATE TABLE gone AS SELECT * FROM events; DROP TABLE gone");
  expect_read();
  const Bytes good = read_bytes(file_);
  const std::uint32_t trunk = big_endian(good, 32, 4);
  ASSERT_GT(trunk, 0U);
  const std::size_t at = (trunk - 1) * kPage;
  const auto with = [&](std::size_t offset, std::uint32_t value) {
    Bytes bytes = good;
    set_big_endian(bytes, offset, 4, value);
    write_bytes(file_, bytes);
    expect(Reason::kFreeList);
  };
  with(32, 0x7fffffff);
  with(36, 0x7fffffff);
  with(36, 1);
  with(at, trunk);  // a cycle
  with(at + 4, 0xffffffff);
  with(at + 8, trunk);
  with(at + 8, 1);
  Bytes bytes = good;
  set_big_endian(bytes, at + 8, 4, root_page(file_, "events"));
  write_bytes(file_, bytes);
  expect(Reason::kPage);
}

class RefusedChange : public Refusals {
 protected:
  /// Reads events, with `meddle` between the opening and the reading.
  Outcome<TableRows> read_after(const std::function<void()>& meddle) {
    auto file = PageFile::open(file_);
    const auto layout = std::get<TableLayout>(describe_table(open_database(file_, true).get(), "events"));
    auto scan = std::get<TableScan>(TableScan::plan(std::get<PageFile>(file), layout));
    meddle();
    return scan.read(std::vector<WantedColumn>{{0}}, 0, {}, 2);
  }
  /// Larger than what is read whole when it is opened, which no later change reaches.
  void make_large() {
    make_events();
    execute(open_database(file_, false).get(),
            "CREATE TABLE padding(x); INSERT INTO padding VALUES (zeroblob(5000000))");
  }
  void expect_change(const std::function<void()>& meddle) {
    make_large();
    const auto read = read_after(meddle);
    ASSERT_TRUE(std::holds_alternative<Refusal>(read));
    EXPECT_EQ(std::get<Refusal>(read).reason, Reason::kChanged) << std::get<Refusal>(read).sentence;
  }
};

TEST_F(RefusedChange, IsAbsentIfAnOpenFileIsRenamed) {
  make_events();
  ASSERT_TRUE(std::holds_alternative<TableRows>(read_after([this] { fs::resize_file(file_, 4096); })));
}

TEST_F(RefusedChange, ByAnotherProcess) {
  make_large();
  ASSERT_TRUE(std::holds_alternative<TableRows>(read_after([] {})));
  expect_change([this] { execute(open_database(file_, false).get(), "INSERT INTO names VALUES (1000001, 'new')"); });
  expect_change([this] { fs::last_write_time(file_, fs::file_time_type::clock::now() + std::chrono::hours(1)); });
  expect_change([this] {  // replaced by an equal one
    fs::copy_file(file_, folder_ / "b.sqlite", fs::copy_options::overwrite_existing);
    fs::rename(folder_ / "b.sqlite", file_);
  });
  expect_change([this] { fs::resize_file(file_, 4096); });
  expect_change([this] { fs::remove(file_); });
  expect_change([this] { write_bytes(folder_ / "a.sqlite-wal", {1}); });
}

}  // namespace assay::btree_test::refused_files_test
