// The sqlite3 library: connections, statements, and foreign files opened such that nothing about them changes.
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

inline constexpr std::string_view kMagic{"SQLite format 3\0", 16};  ///< start of every database file
inline constexpr std::size_t kHeaderBytes = 100;

/// `name` is a path, or a URI if `flags` (SQLITE_OPEN_...) say so. Error: the message of SQLite.
Result<Database> open(const std::string& name, int flags);

/// Read-only and immutable: SQLite takes no lock, reads no journal and creates no file, and code in the schema is not
/// run. Error as of `open`, or if it has thousands of tables and views.
Result<Database> open_immutable(const std::filesystem::path& file);

inline constexpr int kLongestValue = 16 << 20;  ///< bytes of one text or blob

/// Rejects values longer than kLongestValue: SQLite creates a value in one step, which no time limit interrupts.
void limit_values(sqlite3* db);

/// Makes a connection of open_immutable read the intact part of a damaged or truncated file instead of rejecting the
/// file; call limit_values too.
void allow_damage(sqlite3* db);

/// A prepared statement; finalised at the end of its life.
class Statement {
 public:
  Statement(sqlite3* db, const std::string& sql);
  /// Takes ownership of a prepared statement.
  explicit Statement(sqlite3_stmt* prepared) : statement_(prepared) {}
  [[nodiscard]] bool ok() const { return statement_ != nullptr; }
  /// True if there is a row; false at the end and on failure (see `failed`).
  bool step();
  [[nodiscard]] bool failed() const { return failed_; }
  /// Rewinds the statement; keeps its bindings.
  void reset();
  [[nodiscard]] sqlite3_stmt* handle() const { return statement_.get(); }

  /// Parameters count from 1. The text is not copied and must live until the last step.
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
  /// Name up to its first NUL byte, where names end for SQLite.
  [[nodiscard]] std::string name(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  bool failed_ = false;
};

/// A quoted name for a statement, whatever it contains; with the mark '\'', a text.
std::string quoted(std::string_view text, char mark = '"');

/// Whether SQLite considers both the same table name: ASCII letters compare without case.
bool same_name(std::string_view a, std::string_view b);

struct TableList {
  bool complete = false;  ///< the list was read to its end
  std::vector<std::string> names;
};

/// A foreign file, opened immutable on first use, damaged or not. For one thread at a time.
class ForeignFile {
 public:
  explicit ForeignFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Null if it cannot be opened.
  [[nodiscard]] sqlite3* get() const;
  /// As far as they can be read.
  [[nodiscard]] const TableList& tables() const;

 private:
  std::filesystem::path path_;
  mutable bool asked_ = false;
  mutable Database database_;
  mutable std::optional<TableList> tables_;
};

}  // namespace assay::sqlite
