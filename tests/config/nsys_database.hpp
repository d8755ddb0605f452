// Small SQLite databases for tests.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "support/sql.hpp"

namespace assay {

/// A database that nsys could have written; `salt` makes contents differ at equal size.
inline std::filesystem::path write_nsys(const std::filesystem::path& file, const std::string& salt = "a") {
  run_sql(file,
          "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
          "INSERT INTO StringIds VALUES (1, '" +
              salt + "');");
  return file;
}

}  // namespace assay
