// A connection that runs statements of the user over reports, or over the results of a run.
//
// The columns a statement needs are known before anything is read: `referred_to` prepares it against a report model
// that has everything. A session over the loaded reports then has only the tables and columns that are present, so that
// absent data is a missing column and not a column of zeros.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report.hpp"
#include "query/functions.hpp"
#include "query/guard.hpp"
#include "result.hpp"
#include "sqlite/database.hpp"

namespace assay::query {

/// "line 2, column 7", counted from 1, in characters; for messages.
std::string position_text(std::string_view sql, std::size_t offset);

/// What a statement needs from reports.
struct Needs {
  std::set<ColumnId> columns;       ///< to be loaded
  std::vector<std::string> tables;  ///< of the report model, sorted
  StatementReferences names;
};

/// A row of the table `runs`, in the order of kRunColumns; empty: NULL.
using RunCells = std::vector<std::optional<std::string>>;
inline constexpr const char* kRunColumns =
    "report TEXT, run INTEGER, configuration TEXT, role TEXT, rank INTEGER, world INTEGER, process INTEGER, device "
    "INTEGER, capture INTEGER, repeat INTEGER, host TEXT, start INTEGER, evidence TEXT";

/// One label of one report.
struct ReportLabel {
  std::string report, name, value;
};

struct SessionData {
  std::vector<const Report*> reports = {};
  std::vector<ReportLabel> labels = {};  ///< rows of the table `labels`
  std::vector<RunCells> runs = {};       ///< rows of the table `runs`
  bool has_labels = false;               ///< there is that table
  std::set<std::string> only = {};       ///< tables to create, among those the reports have; empty: all
  bool all_columns = false;              ///< not for particular reports: statements are only prepared
  std::optional<NameRules> rules = {};   ///< of kernel_class
  std::string no_rules = "none are installed";
};

/// A prepared statement. Must not outlive its session.
class Query {
 public:
  enum class Step { kRow, kEnd, kFailed };

  [[nodiscard]] int columns() const;
  [[nodiscard]] std::string column_name(int column) const;
  Step step();
  /// Charges memory that the caller keeps per row to the statement; false: beyond the limit (see `problem`).
  bool charge(std::size_t bytes);
  /// Error of the last failed step.
  [[nodiscard]] StatementError problem() const;
  /// For reading cells.
  [[nodiscard]] sqlite3_stmt* row() const { return statement_.get(); }

 private:
  friend class Session;
  struct Finalize {
    StatementGuard* guard;  ///< memory that is freed is returned to its budget
    void operator()(sqlite3_stmt* statement) const;
  };
  Query(sqlite3_stmt* statement, sqlite3* db, StatementGuard& guard) : statement_(statement, {&guard}), db_(db) {}
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  sqlite3* db_;
};

struct TypedColumn {
  std::string name;
  std::string type;  ///< "INTEGER", "REAL" or "TEXT"; empty if it varies by row
};

class Session {
 public:
  /// Borrows the reports. Error: SQLite could not be set up.
  static Result<Session> over_reports(SessionData data);
  /// Opens a user's database read-only. Error: it cannot be opened.
  static Result<Session> over_database(const std::filesystem::path& file, SessionData data = {});

  Session(Session&&) noexcept;
  ~Session();

  /// Accepts exactly one statement that returns rows. The limits apply to preparing it and to all steps.
  [[nodiscard]] std::optional<Query> prepare(const std::string& sql, const Limits& limits, StatementError& problem);

  /// Returns and clears what prepared statements referred to since the last call.
  StatementReferences drain_references();

  /// Names of the tables and views, and of the columns of a table; columns also with types, in the same order.
  [[nodiscard]] std::vector<std::string> tables() const;
  [[nodiscard]] std::vector<std::string> columns(const std::string& table) const;
  [[nodiscard]] std::vector<TypedColumn> typed_columns(const std::string& table) const;

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  [[nodiscard]] StatementError problem_of(const std::string& sql) const;
  std::unique_ptr<State> state_;
};

/// Whether a statement over several reports mixes their clocks: times of a report count from its own start. True if it
/// uses functions or several tables that relate times, and does not name the report.
bool mixes_clocks(const StatementReferences& names);

/// Determines what to load for a statement, without any report. Empty, and `problem` set, if the statement is invalid.
std::optional<Needs> referred_to(const std::string& sql, SessionData data, StatementError& problem);

}  // namespace assay::query
