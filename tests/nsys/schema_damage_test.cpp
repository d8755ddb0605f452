// Damage that SQLite reads past: to the list of tables, to the texts that describe them, to pages. A table that is
// there and cannot be read is never one that was not captured, and both readers say the same.
#include <sqlite3.h>

#include "load/made_export.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::schema_damage_test {

constexpr Reader kReaders[] = {Reader::kDirect, Reader::kSqlite};
constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";

/// Every kind of table, a few rows each, and one of which nothing is read.
MadeExport& filled(MadeExport& made) {
  made.with_calls().with_kernels().with_ranges();
  for (int i = 1; i <= 300; ++i) {
    made.call(100 * i, 100 * i + 20, tid(1, 1), i).kernel(100 * i + 30, 100 * i + 40, pid(1), i);
    made.range(100 * i - 5, 100 * i + 50, "step", tid(1, 1));
  }
  return made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, streamId INT, correlationId INT,"
      " globalPid INT, bytes INT, copyKind INT);"
      "CREATE TABLE TARGET_INFO_GPU(id INT, name TEXT); INSERT INTO TARGET_INFO_GPU VALUES(0, 'GPU');"
      "CREATE TABLE ENUM_OF_NO_USE(id INTEGER PRIMARY KEY, label TEXT);");
}

/// Runs `sql` on the list of tables of a written export.
std::filesystem::path with_schema(MadeExport& made, const std::string& sql) {
  const auto file = made.write();
  run_sql(file, "PRAGMA writable_schema = ON;" + sql);
  return file;
}

std::string refusal(const std::filesystem::path& file, Reader reader) {
  const auto profile = load_profile({file, kind::kNsys}, "x", all_columns(), 2, reader);
  return profile ? "was read" : profile.error().sentence;
}

/// Texts of the errors that reading gives, by name; both readers have to agree.
std::string errors(const std::filesystem::path& file, std::string_view name) {
  std::string of_reader[2];
  for (const Reader reader : kReaders) {
    const auto profile = load_profile({file, kind::kNsys}, "x", all_columns(), 2, reader);
    EXPECT_TRUE(profile.ok()) << profile.error().sentence;
    if (!profile) return "refused";
    const auto view = profile->view({}, {});
    const IssueTable& issues = *view->report().issues;
    for (std::size_t i = 0; i < issues.rows; ++i) {
      if (issues.severity[i] == Severity::kError && issues.name[i] == name)
        of_reader[static_cast<int>(reader)] += std::string(issues.text[i].view()) + "\n";
    }
  }
  EXPECT_EQ(of_reader[0], of_reader[1]);
  return of_reader[0];
}

TEST(SchemaDamage, NotWithoutCause) {
  MadeExport made;
  const auto file = filled(made).write();
  for (const Reader reader : kReaders) EXPECT_EQ(refusal(file, reader), "was read");
  for (const char* name : {"damaged_schema", "damaged_pages", "missing_columns", "truncated"})
    EXPECT_EQ(errors(file, name), "") << name;
}

TEST(SchemaDamage, ATableWhoseDescriptionIsDamagedIsNotOneThatWasNotCaptured) {
  for (const std::string table : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME",
                                  "CUPTI_ACTIVITY_KIND_MEMCPY", "NVTX_EVENTS", "StringIds", "TARGET_INFO_GPU"}) {
    MadeExport made;
    const auto file =
        with_schema(filled(made), "UPDATE sqlite_master SET sql = replace(sql, '(', ' ') WHERE name = '" + table + "'");
    for (const Reader reader : kReaders)
      EXPECT_TRUE(contains_all(refusal(file, reader),
                               {"made.sqlite", "table " + table + " exists", "describes its columns is damaged"}));
  }
}

TEST(SchemaDamage, EveryPartOfARowOfTheListOfTables) {
  const std::pair<const char*, const char*> cases[] = {
      {"type = 'tacle'", "of an unknown kind"},
      {"rootpage = 0", "names no page"},
      {"rootpage = NULL", "names no page"},
      {"name = 'CUPTI_ACTIVITY_KIND_KESNEL'", "calls it 'CUPTI_ACTIVITY_KIND_KERNEL' too"},
      {"tbl_name = 'CUPTI_ACTIVITY_KIND_KESNEL'", "calls it 'CUPTI_ACTIVITY_KIND_KESNEL' too"},
      {"sql = replace(sql, '_KERNEL', '_KESNEL')", "describes its columns is damaged"},
      {"name = 'KERNEL', tbl_name = 'KERNEL'", "describes its columns is damaged"},
      {"sql = NULL", "describes its columns is damaged"},
  };
  for (const auto& [change, why] : cases) {
    SCOPED_TRACE(change);
    MadeExport made;
    const auto file = with_schema(
        filled(made), std::string("UPDATE sqlite_master SET ") + change + " WHERE name = '" + kKernels + "'");
    for (const Reader reader : kReaders) EXPECT_TRUE(contains_all(refusal(file, reader), {kKernels, why}));
  }
}

TEST(SchemaDamage, DamageToAnUnreadTableIsReported) {
  MadeExport made;
  const auto file =
      with_schema(filled(made), "UPDATE sqlite_master SET tbl_name = 'ENUM_OF_MO_USE' WHERE name = 'ENUM_OF_NO_USE'");
  EXPECT_TRUE(contains(errors(file, "damaged_schema"), "ENUM_OF_NO_USE"));
}

TEST(SchemaDamage, RootsThatAnotherTableHas) {
  MadeExport made;
  const auto file = with_schema(filled(made),
                                "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name ="
                                " 'CUPTI_ACTIVITY_KIND_RUNTIME') WHERE name = 'CUPTI_ACTIVITY_KIND_MEMCPY'");
  for (const Reader reader : kReaders)
    EXPECT_TRUE(contains_all(refusal(file, reader),
                             {"is claimed twice", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME"}));
}

/// Some page of the kernels, which a small table then has for its root.
TEST(SchemaDamage, RootsThatAreLeavesOfAnotherTable) {
  MadeExport made;
  auto file = filled(made).write();
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  int pages = 0, roots_refused = 0;
  sqlite3_exec(
      db, "PRAGMA page_count",
      [](void* to, int, char** values, char**) {
        *static_cast<int*>(to) = std::atoi(values[0]);
        return 0;
      },
      &pages, nullptr);
  sqlite3_close(db);
  for (int page = 1; page <= pages; ++page) {
    file = with_schema(made, "UPDATE sqlite_master SET rootpage = " + std::to_string(page) +
                                 " WHERE name = 'CUPTI_ACTIVITY_KIND_MEMCPY'");
    if (refusal(file, Reader::kDirect) == "was read") continue;
    EXPECT_EQ(refusal(file, Reader::kDirect), refusal(file, Reader::kSqlite));
    ++roots_refused;
  }
  EXPECT_GE(roots_refused, pages - 1) << "only its own root, and pages of no tree";
}

TEST(SchemaDamage, AColumnLostFromTheDescriptionShiftsAllBehindIt) {
  MadeExport made;
  const auto file = with_schema(filled(made), std::string("UPDATE sqlite_master SET sql = replace(sql, 'end INT,', '')"
                                                          " WHERE name = '") +
                                                  kKernels + "'");
  EXPECT_TRUE(contains_all(errors(file, "damaged_pages"), {kKernels, "more values than the table has"}));
}

TEST(SchemaDamage, DropsAShapeWithAMissingSize) {
  for (const std::string column : {"gridX", "gridY", "gridZ"}) {
    MadeExport made;
    const auto file = with_schema(filled(made), "UPDATE sqlite_master SET sql = replace(sql, '" + column +
                                                    "', 'grib') WHERE name = '" + kKernels + "'");
    EXPECT_TRUE(contains(errors(file, "missing_columns"), "some of gridX, gridY and gridZ but not all"));
    const LoadedView loaded(file);
    const KernelTable& kernels = *loaded.report().kernels;
    EXPECT_EQ(kernels.rows, 300U);
    EXPECT_FALSE(kernels.grid_x.present() || kernels.grid_y.present() || kernels.grid_z.present()) << column;
    EXPECT_THROW((void)kernels.grid_y[0], std::out_of_range);
  }
}

TEST(SchemaDamage, ColumnsThatEveryVersionWritesAreMissed) {
  MadeExport made;
  const auto file = with_schema(filled(made), std::string("UPDATE sqlite_master SET sql = replace(sql, 'streamId',"
                                                          " 'streaaId') WHERE name = '") +
                                                  kKernels + "'");
  EXPECT_EQ(LoadedView(file).issue("missing_columns"), 0);
  MadeExport calls;
  const auto other = with_schema(filled(calls),
                                 "UPDATE sqlite_master SET sql = replace(sql, 'start', 'staat') WHERE name ="
                                 " 'CUPTI_ACTIVITY_KIND_RUNTIME'");
  EXPECT_TRUE(contains(errors(other, "missing_columns"), "CUPTI_ACTIVITY_KIND_RUNTIME has no column start"));
}

/// A letter that became another renames a column: what rests on it was missing without a word, or was that of a
/// neighbour.
TEST(SchemaDamage, ALetterOfADescription) {
  const std::tuple<const char*, const char*, const char*, const char*> cases[] = {
      {kKernels, "shortName", "shortnName", ""},  // another column, as a later version may have
      {kKernels, "contextId", "conuextId", "has no column contextId but one named conuextId"},
      {kKernels, "demangledName", "demangledNamE", "has no column demangledName but one named demangledNamE"},
      {kKernels, "correlationId INT", "correlationId , INTEGER", "has a column of the name INTEGER"},
      {kKernels, ", gridX", ",\xa0gridX", "holds bytes that are not plain text"},
      {kKernels, "correlationId INT", "correlationId INTEG,R", "has a column of the type INTEG"},
      {"NVTX_EVENTS", "eventType INT,", "eventType INT, -- its kind\x0e\n", "holds bytes that are not plain text"},
      {"TARGET_INFO_GPU", "name", "nane", "has no column name but one named nane"},
  };
  for (const auto& [table, from, to, why] : cases) {
    SCOPED_TRACE(to);
    MadeExport made;
    const auto file = with_schema(filled(made), std::string("UPDATE sqlite_master SET sql = replace(sql, '") + from +
                                                    "', '" + to + "') WHERE name = '" + table + "'");
    const std::string said = errors(file, "damaged_schema");
    if (*why == '\0')
      EXPECT_EQ(said, "");
    else
      EXPECT_TRUE(contains_all(said, {table, why}));
  }
}

TEST(SchemaDamage, UnresolvedNamesAreReported) {
  MadeExport made;
  filled(made).add("UPDATE StringIds SET id = id + 1000;");
  const LoadedView loaded(made.write());
  EXPECT_GT(loaded.issue("missing_names"), 0);
  MadeExport whole;
  EXPECT_EQ(LoadedView(filled(whole).write()).issue("missing_names"), std::nullopt);
}

TEST(SchemaDamage, BothNamesOfKernelsAreThere) {
  MadeExport made;
  filled(made).add("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME COLUMN demangledName TO NVTX_EVENTS__;");
  EXPECT_TRUE(LoadedView(made.write()).issue("missing_columns").has_value());
}

TEST(SchemaDamage, SizesOfDevicesAreAllThereOrNone) {
  constexpr const char* kSizes[] = {"computeMajor",  "computeMinor",   "smCount",           "threadsPerWarp",
                                    "maxWarpsPerSm", "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm",
                                    "totalMemory",   "memoryBandwidth"};
  for (const std::string_view left_out : {"", "computeMajor", "maxShmemPerSm"}) {
    std::string columns;
    for (const std::string_view column : kSizes)
      columns += column == left_out ? std::string() : ", " + std::string(column) + " INTEGER";
    MadeExport made;
    filled(made).add("DROP TABLE TARGET_INFO_GPU; CREATE TABLE TARGET_INFO_GPU(id INT, name TEXT" + columns + ");");
    EXPECT_EQ(LoadedView(made.write()).issue("missing_columns").has_value(), !left_out.empty()) << left_out;
  }
}

/// Writes bytes over those of the first page of a table, from `at` on.
void change_root(const std::filesystem::path& file, const std::string& table, std::size_t at, const std::string& to) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  std::size_t place[2] = {};  // page, its size
  const std::string ask = "SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'";
  for (int i = 0; i < 2; ++i) {
    sqlite3_exec(
        db, i == 0 ? ask.c_str() : "PRAGMA page_size",
        [](void* number, int, char** values, char**) {
          *static_cast<std::size_t*>(number) = std::stoul(values[0]);
          return 0;
        },
        &place[i], nullptr);
  }
  sqlite3_close(db);
  ASSERT_GT(place[0], 1U);
  std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
  bytes.seekp(static_cast<std::streamoff>((place[0] - 1) * place[1] + at))
      .write(to.data(), static_cast<std::streamsize>(to.size()));
}

TEST(SchemaDamage, TheListOfDevicesIsLookedAtAsTablesAre) {
  MadeExport made;
  const auto file = filled(made).write();
  change_root(file, "TARGET_INFO_GPU", 4, {'\0'});  // the count of rows
  EXPECT_TRUE(contains_all(errors(file, "damaged_pages"), {"TARGET_INFO_GPU", "than in use"}));
}

/// The page of pointers to the rows became a leaf without any: the table looks as if nothing had happened.
TEST(SchemaDamage, RowsThatNoTableLeadsTo) {
  MadeExport made;
  const auto file = filled(made).write();
  change_root(file, kKernels, 0, {13, 0, 0, 0, 0, 16, 0, 0});
  EXPECT_TRUE(contains(errors(file, "damaged_pages"), "holds rows that belong to no table"));
}

/// A list of tables of several pages, of which the first counts one fewer: some tables are not listed.
TEST(SchemaDamage, TheListOfTablesIsLookedAtAsTablesAre) {
  MadeExport made;
  filled(made);
  for (int i = 0; i < 200; ++i) made.add("CREATE TABLE ENUM_" + std::to_string(i) + "(id INTEGER PRIMARY KEY, name);");
  const auto file = made.write();
  EXPECT_EQ(errors(file, "damaged_pages"), "");
  std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
  constexpr std::streamoff kKind = 100, kCount = 104;
  ASSERT_EQ(bytes.seekg(kKind).get(), 5) << "one page holds the whole list";
  const int count = bytes.seekg(kCount).get();
  bytes.seekp(kCount).put(static_cast<char>(count - 1));
  bytes.close();
  EXPECT_TRUE(contains_all(errors(file, "damaged_pages"), {"the list of tables", "than in use"}));
}

/// Where the header is wrong the pages are not decoded, and nothing would say what SQLite reads past.
TEST(SchemaDamage, PagesThatCannotBeCheckedAreSaid) {
  MadeExport made;
  const auto file = filled(made).write();
  std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
  constexpr std::streamoff kVersionValidFor = 95;
  const int last = bytes.seekg(kVersionValidFor).get();
  bytes.seekp(kVersionValidFor).put(static_cast<char>(last ^ 1));
  bytes.close();
  EXPECT_TRUE(contains(errors(file, "damaged_header"), "page count is out of date"));
}

/// Every bit of the first bytes of every page flipped: what SQLite reads past is said, or nothing changed.
TEST(SchemaDamage, NoBitOfAPageHeaderLosesRowsInSilence) {
  MadeExport made;
  const auto file = filled(made).write();
  std::string good;
  {
    std::ifstream in(file, std::ios::binary);
    good.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::size_t page = static_cast<unsigned char>(good[16]) * 256U + static_cast<unsigned char>(good[17]);
  std::size_t said = 0, same = 0;
  for (std::size_t at = page; at < good.size(); at += page) {
    for (std::size_t bit = 0; bit < 8 * std::size_t{12}; ++bit) {
      std::string bytes = good;
      bytes[at + bit / 8] = static_cast<char>(bytes[at + bit / 8] ^ (1 << bit % 8));
      std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      const auto profile = load_profile({file, kind::kNsys}, "x", all_columns(), 1);
      bool error = !profile;
      if (profile) {
        const auto view = profile->view({}, {});
        const Report& report = view->report();
        for (const Severity severity : report.issues->severity) error = error || severity == Severity::kError;
        bool whole = report.kernels->rows == 300 && report.calls->rows == 300 && report.ranges->rows == 300;
        for (const StringId name : report.kernels->name) whole = whole && report.string(name) == "kernel_a";
        EXPECT_TRUE(whole || error) << "page " << at / page + 1 << ", bit " << bit;
      }
      ++(error ? said : same);
    }
  }
  EXPECT_GT(said, same / 4);
}

/// What a report says of its rows in one number, and whether it says that something is wrong.
std::pair<std::int64_t, bool> sum_of_times(const std::filesystem::path& file) {
  const auto profile = load_profile({file, kind::kNsys}, "x", all_columns(), 1);
  if (!profile) return {0, true};
  const auto view = profile->view({}, {});
  const Report& report = view->report();
  std::int64_t sum = 0;
  bool error = false;
  for (const std::int64_t start : report.kernels->start) sum += start;
  for (const std::int64_t start : report.calls->start) sum += start;
  for (const std::int64_t start : report.ranges->start) sum += start;
  for (const Severity severity : report.issues->severity) error = error || severity == Severity::kError;
  return {sum, error};
}

/// A pointer of a leaf to another place in it: a byte beside a row may be read as an old, shorter row.
TEST(SchemaDamage, APointerBesideItsRowIsNotFollowedInSilence) {
  MadeExport made;
  const auto file = filled(made).write();
  std::ifstream in(file, std::ios::binary);
  const std::string good(std::istreambuf_iterator<char>(in), {});
  const auto number = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(good[at]) * 256 +
                                    static_cast<unsigned char>(good[at + 1]));
  };
  const std::int64_t whole = sum_of_times(file).first;
  const std::size_t page = number(16);
  int damaged = 0;
  for (std::size_t at = page; at < good.size(); at += page) {
    constexpr char kLeaf = 13;
    if (good[at] != kLeaf || number(at + 3) < 8) continue;
    for (std::size_t cell = 0; cell < number(at + 3); cell += cell < 12 ? 1 : 64) {
      const std::size_t pointer = at + 8 + 2 * cell;
      for (const int by : {-3, -2, -1, 1, 2, 3}) {
        const std::size_t to = number(pointer) + static_cast<std::size_t>(by);
        std::string bytes = good;
        bytes[pointer] = static_cast<char>(to / 256);
        bytes[pointer + 1] = static_cast<char>(to % 256);
        std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        const auto [sum, error] = sum_of_times(file);
        EXPECT_TRUE(sum == whole || error) << "page " << at / page + 1 << ", cell " << cell << ", by " << by;
        damaged += error ? 1 : 0;
      }
    }
  }
  EXPECT_GT(damaged, 100);
}

TEST(SchemaDamage, RowsThatNameNoDeviceAreNotLeftOutInSilence) {
  for (const char* row : {"'EXPORT_ARCH', 'x64'", "1765008149091427284, NULL", "NULL, 'GPU'", "1, ''"}) {
    MadeExport made;
    filled(made).add(std::string("INSERT INTO TARGET_INFO_GPU VALUES(") + row + ");");
    EXPECT_TRUE(contains(errors(made.write(), "bad_devices"), "1 row of TARGET_INFO_GPU names no GPU")) << row;
  }
}

TEST(SchemaDamage, ColumnsOfCopiesThatEveryVersionWritesAreMissed) {
  for (const char* column : {"bytes", "copyKind"}) {
    MadeExport made;
    filled(made).add(std::string("ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY RENAME COLUMN ") + column + " TO NOT_____;");
    EXPECT_TRUE(LoadedView(made.write()).issue("missing_columns").has_value()) << column;
  }
}

TEST(SchemaDamage, SizesThatNoDeviceCanMove) {
  MadeExport made;
  filled(made);
  for (int i = 0; i < 12; ++i)
    made.add("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(50,60,0,7,0,0,9223372036854775807,1);");
  made.add("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(70,80,0,7,0,0,4096,1);");
  const LoadedView loaded(made.write());
  const CopyTable& copies = *loaded.report().copies;
  ASSERT_EQ(copies.rows, 13U);
  EXPECT_EQ(copies.bytes[0], kNone);
  EXPECT_EQ(copies.bytes[12], 4096);
  EXPECT_EQ(loaded.issue("impossible_bytes"), 12);
}

TEST(SchemaDamage, AValueLongerThanAnyNameEndsItsTable) {
  MadeExport made;
  filled(made).add("INSERT INTO NVTX_EVENTS VALUES(1,2,59,printf('%.17000000c','x'),1,NULL,NULL,0);");
  EXPECT_TRUE(contains_all(errors(made.write(), "truncated"), {"NVTX_EVENTS", "first 300 rows"}));
}

TEST(SchemaDamage, AViewOrAnotherCaseInThePlaceOfATableIsSaid) {
  const std::string moved = "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY RENAME TO zz;";
  const std::pair<std::string, const char*> cases[] = {
      {moved + "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS SELECT * FROM zz", "it is a view"},
      {moved + "CREATE VIEW Cupti_Activity_Kind_Memcpy AS SELECT * FROM zz", "it is a view"},
      {moved + "ALTER TABLE zz RENAME TO cupti_activity_kind_memcpy", "it is called 'cupti_activity_kind_memcpy'"},
  };
  for (const auto& [change, why] : cases) {
    SCOPED_TRACE(change);
    MadeExport made;
    const auto file = filled(made).add(change + ";").write();
    for (const Reader reader : kReaders)
      EXPECT_TRUE(
          contains_all(refusal(file, reader), {"table CUPTI_ACTIVITY_KIND_MEMCPY exists but cannot be read", why}));
  }
  MadeExport others;
  const auto file = filled(others)
                        .add(
                            "CREATE VIEW TARGET_INFO_SYSTEM_ENV AS SELECT 1; CREATE TABLE meta_data_capture(name);"
                            "CREATE VIEW own AS SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL;")
                        .write();
  {
    const auto text = errors(file, "damaged_schema");
    EXPECT_TRUE(contains_all(text, {"TARGET_INFO_SYSTEM_ENV", "'meta_data_capture'"}));
    EXPECT_FALSE(contains(text, "own"));
  }
}

/// Lowers the number of rows of each leaf page in turn, which hides one, and counts how often nobody says so.
std::size_t silent_losses(const std::filesystem::path& file, std::size_t& tried) {
  const std::string good = read_text(file);
  const std::size_t page_size = static_cast<std::size_t>(static_cast<unsigned char>(good[16])) << 8;
  constexpr char kLeaf = 0x0D;
  std::size_t silent = 0;
  for (std::size_t page = page_size; page < good.size(); page += page_size) {
    if (good[page] != kLeaf || good[page + 3] != 0 || static_cast<unsigned char>(good[page + 4]) < 2) continue;
    std::string bad = good;
    --bad[page + 4];
    std::ofstream(file, std::ios::binary) << bad;
    ++tried;
    const bool refused = refusal(file, Reader::kDirect) != "was read";
    if (!refused && errors(file, "damaged_pages").empty()) ++silent;
  }
  return silent;
}

TEST(SchemaDamage, TextsInUtf16AreCheckedLikeOthers) {
  for (const char* encoding : {"UTF-8", "UTF-16le", "UTF-16be"}) {
    SCOPED_TRACE(encoding);
    MadeExport made;
    const auto file = filled(made.encoded(encoding)).write();
    const auto profile = require(load_profile({file, kind::kNsys}, "x", all_columns()));
    const auto view = profile->view({}, {});
    EXPECT_EQ(view->report().kernels->rows, 300U);
    EXPECT_EQ(view->report().string(view->report().ranges->name[0]), "step");
    for (const char* name : {"damaged_schema", "damaged_pages", "damaged_header", "checked_less"})
      EXPECT_EQ(errors(file, name), "") << name;
    std::size_t tried = 0;
    EXPECT_EQ(silent_losses(file, tried), 0U);
    EXPECT_GT(tried, 5U);
  }
}

TEST(SchemaDamage, ATextThatGoesOnElsewhereLeavesTheRestChecked) {
  MadeExport made;
  const auto file = filled(made).range(1, 2, std::string(10000, 'x'), tid(1, 1)).write();
  EXPECT_EQ(errors(file, "damaged_pages") + errors(file, "checked_less"), "");
  std::size_t tried = 0;
  EXPECT_EQ(silent_losses(file, tried), 0U);
  EXPECT_GT(tried, 5U);
}

TEST(SchemaDamage, RowsInAnIndexAreSaidToBeCheckedLess) {
  MadeExport made;
  const auto file = filled(made)
                        .add(
                            "CREATE TABLE other(start INT PRIMARY KEY, end INT, deviceId INT, streamId INT,"
                            " correlationId INT, globalPid INT) WITHOUT ROWID;"
                            "INSERT INTO other SELECT start, end, deviceId, streamId, correlationId, globalPid FROM "
                            "CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL;"
                            "ALTER TABLE other RENAME TO CUPTI_ACTIVITY_KIND_KERNEL;")
                        .write();
  EXPECT_TRUE(contains_all(errors(file, "checked_less"), {kKernels, "no row ids"}));
  EXPECT_EQ(errors(file, "damaged_pages"), "");
}

}  // namespace assay::schema_damage_test
