// The sqlite3 library: connections and statements, and files of somebody else's opened so that nothing of theirs
// changes.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result.hpp"

namespace assay::sqlite {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
/// A connection, for one thread at a time.
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

inline constexpr std::string_view kMagic{"SQLite format 3\0", 16};  ///< what every database begins with
inline constexpr std::size_t kHeaderBytes = 100;

/// `name` is a path, or a URI where `flags` (SQLITE_OPEN_...) say so. Error: SQLite's own words and nothing else.
Result<Database> open(const std::string& name, int flags);

/// Read-only and immutable: SQLite takes no lock, looks at no journal and creates no file, and what the schema says is
/// not run. Error: as of `open`.
Result<Database> open_immutable(const std::filesystem::path& file);

inline constexpr int kLongestValue = 16 << 20;  ///< bytes of one text or blob

/// Refuses values longer than kLongestValue, which SQLite holds whole and makes in one step that no limit of time ends.
void limit_values(sqlite3* db);

/// Lets a connection of open_immutable read the intact part of a damaged or truncated file instead of refusing the
/// whole file; call limit_values too.
void allow_damage(sqlite3* db);

/// A prepared statement; finalised at the end of its life.
class Statement {
 public:
  Statement(sqlite3* db, const std::string& sql);
  /// Takes one that was prepared elsewhere.
  explicit Statement(sqlite3_stmt* prepared) : statement_(prepared) {}
  [[nodiscard]] bool ok() const { return statement_ != nullptr; }
  /// True when there is a row; false at the end and on failure (`failed` tells).
  bool step();
  [[nodiscard]] bool failed() const { return failed_; }
  /// To be stepped from the beginning again; what is bound stays.
  void reset();
  [[nodiscard]] sqlite3_stmt* handle() const { return statement_.get(); }

  /// Parameters count from 1. The text is bound as it is and must stay until the last step.
  void bind(int parameter, std::string_view text);
  void bind_copy(int parameter, std::string_view text);
  void bind(int parameter, std::int64_t value) { sqlite3_bind_int64(handle(), parameter, value); }
  void bind(int parameter, double value) { sqlite3_bind_double(handle(), parameter, value); }  ///< NaN: NULL
  void bind(int parameter, std::nullptr_t) { sqlite3_bind_null(handle(), parameter); }

  [[nodiscard]] int columns() const { return sqlite3_column_count(handle()); }
  [[nodiscard]] bool is_integer(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  /// Valid until the next step; empty for NULL.
  [[nodiscard]] std::string_view text(int column) const;
  /// The text to its first NUL byte, where names end for SQLite.
  [[nodiscard]] std::string name(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  bool failed_ = false;
};

/// A name as it stands in a statement, whatever it holds; with the mark '\'' a text.
std::string quoted(std::string_view text, char mark = '"');

/// Whether SQLite takes both for the name of one table: letters of ASCII are compared without their case.
bool same_name(std::string_view a, std::string_view b);

struct TableList {
  bool complete = false;  ///< read to its end
  std::vector<std::string> names;
};

/// A file of somebody else's, opened immutable, damaged or not, when it is first asked for something. For one thread at
/// a time.
class ForeignFile {
 public:
  explicit ForeignFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Null when it cannot be opened.
  [[nodiscard]] sqlite3* get() const;
  /// As far as they can be told.
  [[nodiscard]] const TableList& tables() const;

 private:
  std::filesystem::path path_;
  mutable bool asked_ = false;
  mutable Database database_;
  mutable std::optional<TableList> tables_;
};

}  // namespace assay::sqlite
