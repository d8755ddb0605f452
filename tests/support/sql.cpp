#include "sql.hpp"

#include <sqlite3.h>

#include <stdexcept>

namespace assay {

void run_sql(const std::filesystem::path& file, const std::string& sql) {
  std::filesystem::create_directories(file.parent_path());
  sqlite3* db = nullptr;
  const bool open = sqlite3_open(file.c_str(), &db) == SQLITE_OK;
  sqlite3_exec(db, "PRAGMA synchronous = OFF", nullptr, nullptr, nullptr);
  const bool good = open && sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  const std::string problem = sqlite3_errmsg(db);
  sqlite3_close(db);
  if (!good) throw std::runtime_error(problem + " in " + sql);
}

}  // namespace assay
