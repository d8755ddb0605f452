// Restricts statements of the user: read-only, with limits on time and memory.
#pragma once

#include <sqlite3.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sqlite/budget.hpp"

namespace assay::query {

using sqlite::Limits;

/// Error of a statement.
struct StatementError {
  std::string sentence;
  std::optional<std::size_t> offset = {};  ///< byte offset in the statement
};

/// Names that statements referred to while they were prepared.
struct StatementReferences {
  std::set<std::string> tables;
  std::set<std::pair<std::string, std::string>> columns;  ///< table, column
  std::set<std::string> functions;
};

/// Guards one connection: rejects everything but reads (no writes, ATTACH, pragmas, extensions), records what
/// statements refer to, and interrupts those that exceed their limits. Must not move while the connection is open.
class StatementGuard {
 public:
  StatementGuard() = default;
  StatementGuard(const StatementGuard&) = delete;
  StatementGuard& operator=(const StatementGuard&) = delete;

  void watch(sqlite3* db);
  /// Starts a statement with these limits.
  void start(const Limits& limits);
  /// Budget of that statement. Run it within a Scope of this budget.
  [[nodiscard]] sqlite::Budget& budget() { return budget_; }

  /// Why the guard rejected or ended the last statement; empty if it did not.
  [[nodiscard]] const std::optional<std::string>& reason() const { return refused_ ? refused_ : budget_.reason(); }
  [[nodiscard]] const StatementReferences& references() const { return references_; }
  void forget() {
    references_ = {};
    refused_.reset();
  }

 private:
  static int authorize(void* self, int action, const char* first, const char* second, const char* db,
                       const char* trigger);
  static int progress(void* self);
  int refuse(std::string reason);

  sqlite::Budget budget_;
  std::optional<std::string> refused_;
  StatementReferences references_;
};

/// Prepares `sql` if it is one statement that returns rows and has no parameters. Null otherwise: `problem` has the
/// reason, with an empty sentence if `db` has the error.
sqlite3_stmt* prepare_one(sqlite3* db, const std::string& sql, StatementError& problem);

}  // namespace assay::query
