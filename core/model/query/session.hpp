// A connection on which somebody's statements run over reports, or over the results of a run.
//
// What a statement needs is known before anything is read: `referred_to` prepares it against a report model that has
// everything, and says which columns to load. A session over the loaded reports then has the tables and columns that
// they have and no others, so that what is absent is no column rather than a column of zeros.
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

/// "line 2, column 7", counted from 1, in characters; for a message.
std::string position_text(std::string_view sql, std::size_t offset);

/// What a statement asks of reports.
struct Needs {
  std::set<ColumnId> columns;       ///< to be loaded
  std::vector<std::string> tables;  ///< of the report model, sorted
  StatementReferences names;
};

/// One label of one report.
struct ReportLabel {
  std::string report, name, value;
};

struct SessionData {
  std::vector<const Report*> reports = {};
  std::vector<ReportLabel> labels = {};  ///< rows of the table `labels`
  bool has_labels = false;               ///< there is that table
  std::set<std::string> only = {};       ///< tables that there are, of those the reports have; empty: all
  bool all_columns = false;              ///< of no report in particular: statements are prepared only
  std::optional<NameRules> rules = {};   ///< of kernel_class
  std::string no_rules = "none are installed";
};

/// A prepared statement. Ends before its session does.
class Query {
 public:
  enum class Step { kRow, kEnd, kFailed };

  [[nodiscard]] int columns() const;
  [[nodiscard]] std::string column_name(int column) const;
  Step step();
  /// Charges what its caller keeps of a row to the statement's memory; false: beyond the limit, as `problem` says.
  bool charge(std::size_t bytes);
  /// Of the failure that the last step told.
  [[nodiscard]] StatementError problem() const;
  /// To read cells with.
  [[nodiscard]] sqlite3_stmt* row() const { return statement_.get(); }

 private:
  friend class Session;
  struct Finalize {
    StatementGuard* guard;  ///< what is freed is given back to its budget
    void operator()(sqlite3_stmt* statement) const;
  };
  Query(sqlite3_stmt* statement, sqlite3* db, StatementGuard& guard) : statement_(statement, {&guard}), db_(db) {}
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  sqlite3* db_;
};

struct TypedColumn {
  std::string name;
  std::string type;  ///< "INTEGER", "REAL" or "TEXT"; empty where it depends on the row
};

class Session {
 public:
  /// Borrows the reports. Error: SQLite could not be set up.
  static Result<Session> over_reports(SessionData data);
  /// Over somebody's database, as it is, read-only. Error: it cannot be opened.
  static Result<Session> over_database(const std::filesystem::path& file, SessionData data = {});

  Session(Session&&) noexcept;
  ~Session();

  /// Exactly one statement that gives rows. The limits hold for preparing and all steps.
  [[nodiscard]] std::optional<Query> prepare(const std::string& sql, const Limits& limits, StatementError& problem);

  /// What prepared statements referred to since the last call.
  StatementReferences drain_references();

  /// Names of the tables and views, and of a table's columns; columns also with their types, in the same order.
  [[nodiscard]] std::vector<std::string> tables() const;
  [[nodiscard]] std::vector<std::string> columns(const std::string& table) const;
  [[nodiscard]] std::vector<TypedColumn> typed_columns(const std::string& table) const;

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  [[nodiscard]] StatementError problem_of(const std::string& sql) const;
  std::unique_ptr<State> state_;
};

/// Whether a statement over several reports takes times of one for times of another: times of a report are counted from
/// its own start. Told by what it names: functions or several tables that relate times, and nowhere the report.
bool mixes_clocks(const StatementReferences& names);

/// What to load for a statement, found without any report. Nothing, and `problem` set, where the statement is wrong.
std::optional<Needs> referred_to(const std::string& sql, SessionData data, StatementError& problem);

}  // namespace assay::query
