#include "databases.hpp"

#include <unistd.h>

#include "support/test.hpp"

namespace assay::btree_test {

Database open_database(const fs::path& file, bool immutable) {
  sqlite3* db = nullptr;
  const std::string uri = "file:" + file.native() + (immutable ? "?immutable=1&mode=ro" : "");
  const int flags = immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  EXPECT_EQ(sqlite3_open_v2(uri.c_str(), &db, flags | SQLITE_OPEN_URI, nullptr), SQLITE_OK) << file;
  return Database(db);
}

void execute(sqlite3* db, const std::string& sql) {
  char* problem = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &problem), SQLITE_OK) << problem << " in " << sql;
  sqlite3_free(problem);
}

void make_database(const fs::path& file, const std::string& sql) {
  fs::remove(file);
  const Database db = open_database(file, false);
  execute(db.get(), "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF");
  execute(db.get(), sql);
}

std::string events_sql(int page_size, int rows) {
  const std::string n = std::to_string(rows);
  return "PRAGMA page_size = " + std::to_string(page_size) +
         "; CREATE TABLE names (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
         "CREATE TABLE events (start INTEGER NOT NULL, 'end' INTEGER, device INTEGER, text TEXT, thread INTEGER,"
         " grid INTEGER, payload);"
         "BEGIN;"
         "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
         n +
         ")"
         " INSERT INTO events SELECT i * 1000003, CASE WHEN i % 7 THEN i * 1000003 + i % 997 END, i % 3,"
         " CASE WHEN i % 5 THEN 'range ' || (i % 11) END, 281474976710656 + i % 4, (i * 37) % 70000 - 300,"
         " CASE i % 6 WHEN 0 THEN 'text' WHEN 1 THEN x'00ff' WHEN 2 THEN 1.5 WHEN 3 THEN i END FROM n;"
         "INSERT INTO names SELECT rowid * 3, 'name ' || rowid FROM events WHERE rowid % 2;"
         "COMMIT;";
}

std::vector<unsigned char> read_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_bytes(const fs::path& file, const std::vector<unsigned char>& bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(out.flush().good()) << file;
}

std::uint32_t big_endian(const std::vector<unsigned char>& bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes.at(at + i);
  return value;
}

void set_big_endian(std::vector<unsigned char>& bytes, std::size_t at, std::size_t size, std::uint32_t value) {
  for (std::size_t i = size; i-- > 0; value >>= 8) bytes.at(at + i) = static_cast<unsigned char>(value);
}

std::uint32_t root_page(const fs::path& file, const std::string& table) {
  const Database db = open_database(file, true);
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(db.get(), "SELECT rootpage FROM sqlite_master WHERE name = ?1", -1, &statement, nullptr);
  sqlite3_bind_text(statement, 1, table.c_str(), -1, SQLITE_TRANSIENT);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW) << table;
  const int root = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return static_cast<std::uint32_t>(root);
}

std::vector<fs::path> real_databases() {
  std::vector<fs::path> files;
  for (const char* variable : {"h200", "public", "ddp", "step", "hostile", "rocpd"}) {
    const char* folder = real_data(variable);
    if (folder == nullptr) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".sqlite" || entry.path().extension() == ".db") files.push_back(entry.path());
    }
  }
  return files;
}

}  // namespace assay::btree_test
