// Small SQLite databases for tests.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace assay {

inline void run_sql(const std::filesystem::path& file, const std::string& sql) {
  std::filesystem::create_directories(file.parent_path());
  sqlite3* db = nullptr;
  const bool open = sqlite3_open(file.c_str(), &db) == SQLITE_OK;
  sqlite3_exec(db, "PRAGMA synchronous=OFF", nullptr, nullptr, nullptr);
  const bool good = open && sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  const std::string problem = sqlite3_errmsg(db);
  sqlite3_close(db);
  if (!good) throw std::runtime_error(problem);
}

/// A database that nsys could have written; `salt` makes contents differ at equal size.
inline std::filesystem::path write_nsys(const std::filesystem::path& file, const std::string& salt = "a") {
  run_sql(file,
          "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
          "INSERT INTO StringIds VALUES (1, '" +
              salt + "');");
  return file;
}

}  // namespace assay
