// A user's SQLite file, opened such that it is not changed, locked or given companion files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/issue.hpp"
#include "result.hpp"
#include "sqlite/database.hpp"

namespace assay::load {

struct FormatNames;

/// Companion file of SQLite: "run.sqlite-wal" for "-wal".
std::filesystem::path beside(const std::filesystem::path& file, std::string_view suffix);
/// Whether a file exists and is not empty.
bool has_bytes(const std::filesystem::path& file);

/// One read-only connection, for one thread at a time.
class Connection {
 public:
  [[nodiscard]] sqlite3* handle() const { return db_.get(); }
  /// SQLite's message for the last failure.
  [[nodiscard]] std::string problem() const;

 private:
  friend class SqliteFile;
  explicit Connection(sqlite::Database db) : db_(std::move(db)) {}
  sqlite::Database db_;
};

/// The file behind one report. A file with a write-ahead log or a hot journal is read from a private copy, in which
/// SQLite may finish or undo the half-written part; any other is read in place, as immutable.
class SqliteFile {
 public:
  /// Error: the file is missing, a folder, unreadable, empty or not SQLite, or it is being written and cannot be
  /// copied. `names`: of the format that the message expects.
  static Result<SqliteFile> open(const std::filesystem::path& file, const FormatNames& names);

  /// May be called from several threads at once.
  [[nodiscard]] Result<Connection> connect() const;

  /// The file that is read: the original, or a private copy of one that is being written.
  [[nodiscard]] const std::filesystem::path& read_path() const { return read_; }
  [[nodiscard]] std::uint64_t bytes() const { return before_.size; }
  /// Issues from the bytes of the file and its companions: truncation, an active writer.
  [[nodiscard]] const std::vector<Issue>& issues() const { return issues_; }
  /// Set if the file has changed since it was opened.
  [[nodiscard]] std::optional<Issue> changed() const;

 private:
  struct Stamp {
    std::uint64_t size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    std::uint64_t node = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  struct PrivateFolder;

  static std::optional<Stamp> stamp(const std::filesystem::path& file);
  std::optional<Error> check_header(const FormatNames& names);
  std::optional<Error> copy_aside(std::string_view suffix);

  std::filesystem::path file_;  ///< as the user named it
  std::filesystem::path read_;  ///< the file that is opened: file_, or the private copy
  Stamp before_;
  std::vector<Issue> issues_;
  std::shared_ptr<PrivateFolder> folder_;
};

}  // namespace assay::load
