// Databases made on the spot, and their bytes changed.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/temp_folder.hpp"

namespace assay::btree_test {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

/// Opens `file` for writing, or (`immutable`) for reading without locks. Never null.
Database open_database(const std::filesystem::path& file, bool immutable);

/// Runs `sql`; a failure fails the test.
void execute(sqlite3* db, const std::string& sql);

/// Makes `file` anew by running `sql` on an empty database.
void make_database(const std::filesystem::path& file, const std::string& sql);

/// A table `events` like those of an nsys export, `rows` long, with text and NULLs, plus `names` with an
/// INTEGER PRIMARY KEY.
std::string events_sql(int page_size, int rows);

std::vector<unsigned char> read_bytes(const std::filesystem::path& file);
void write_bytes(const std::filesystem::path& file, const std::vector<unsigned char>& bytes);

std::uint32_t big_endian(const std::vector<unsigned char>& bytes, std::size_t at, std::size_t size);
void set_big_endian(std::vector<unsigned char>& bytes, std::size_t at, std::size_t size, std::uint32_t value);

/// Root page of `table`.
std::uint32_t root_page(const std::filesystem::path& file, const std::string& table);

/// All SQLite files of the sets of real data that are at hand; none without such a set.
std::vector<std::filesystem::path> real_databases();

}  // namespace assay::btree_test
