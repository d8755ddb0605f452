// The real databases of rocprofv3, which are not part of the project, in a folder of the test's own.
#pragma once

#include <sqlite3.h>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay {

/// A database that is only read; statements may make tables of their own beside it.
class ReadOnlyDatabase {
 public:
  explicit ReadOnlyDatabase(const std::filesystem::path& file) {
    const std::string name = "file:" + file.string() + "?immutable=1";
    if (sqlite3_open_v2(name.c_str(), &db_, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) != SQLITE_OK)
      throw std::runtime_error("cannot open " + file.string());
    run("PRAGMA temp_store = 2");
  }
  ~ReadOnlyDatabase() { sqlite3_close(db_); }
  ReadOnlyDatabase(const ReadOnlyDatabase&) = delete;
  ReadOnlyDatabase& operator=(const ReadOnlyDatabase&) = delete;

  void run(const std::string& sql) {
    if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      throw std::runtime_error(std::string(sqlite3_errmsg(db_)) + ": " + sql);
  }
  /// Text and number of each row, from its first and its last column.
  std::vector<std::pair<std::string, double>> rows(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
      throw std::runtime_error(std::string(sqlite3_errmsg(db_)) + ": " + sql);
    std::vector<std::pair<std::string, double>> out;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      const unsigned char* text = sqlite3_column_text(statement, 0);
      const double number = sqlite3_column_double(statement, sqlite3_column_count(statement) - 1);
      out.emplace_back(text == nullptr ? "" : reinterpret_cast<const char*>(text), number);
    }
    sqlite3_finalize(statement);
    return out;
  }

 private:
  sqlite3* db_ = nullptr;
};

class RealFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSAY_REAL_FOLDER(folder, "rocpd");
    data_ = folder;
  }
  [[nodiscard]] std::string data(const std::string& name) const { return (data_ / name).string(); }
  /// Only these of them, below the scratch folder.
  void install(const std::string& folder, const std::vector<std::string>& names) const {
    std::filesystem::create_directories(scratch_ / folder);
    for (const std::string& name : names) std::filesystem::create_symlink(data_ / name, scratch_ / folder / name);
  }
  testing::Outcome run(const std::vector<std::string>& arguments) {
    return testing::run_assay(scratch_.path(), arguments);
  }

  std::filesystem::path data_;
  testing::TempFolder scratch_;
};

}  // namespace assay
