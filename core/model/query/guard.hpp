// What a statement of the user may do: read, within its limits of time and memory.
#pragma once

#include <sqlite3.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sqlite/budget.hpp"

namespace assay::query {

using sqlite::Limits;

/// Of one statement, unless the user says otherwise.
inline constexpr unsigned kDefaultSeconds = 300;
inline constexpr unsigned kDefaultMegabytes = 8192;

/// 0: no limit.
inline Limits limits_of(unsigned seconds, unsigned megabytes, const std::atomic<bool>* stop = nullptr) {
  return {std::chrono::seconds(seconds), std::int64_t{megabytes} << 20, stop};
}

/// What is wrong with a statement.
struct StatementError {
  std::string sentence;
  std::optional<std::size_t> offset = {};  ///< byte of the statement at which it was found
};

/// What statements named while they were prepared.
struct StatementReferences {
  std::set<std::string> tables;
  std::set<std::pair<std::string, std::string>> columns;  ///< table, column
  std::set<std::string> functions;
};

/// Sits on a connection: refuses whatever is not reading (writing, attaching, pragmas, loading extensions), notes what
/// is referred to, and ends what takes too long. Stays where it is while the connection lives.
class StatementGuard {
 public:
  StatementGuard() = default;
  StatementGuard(const StatementGuard&) = delete;
  StatementGuard& operator=(const StatementGuard&) = delete;

  void watch(sqlite3* db);
  /// A new statement begins, with these limits.
  void start(const Limits& limits);
  /// Of that statement. Whatever runs of it runs within a Scope of this.
  [[nodiscard]] sqlite::Budget& budget() { return budget_; }

  /// Why the last statement was refused or ended, where this was the reason.
  [[nodiscard]] const std::optional<std::string>& reason() const { return refused_ ? refused_ : budget_.reason(); }
  [[nodiscard]] const StatementReferences& references() const { return references_; }
  void forget() { references_ = {}, refused_.reset(); }

 private:
  static int authorize(void* self, int action, const char* first, const char* second, const char* db,
                       const char* trigger);
  static int progress(void* self);
  int refuse(std::string reason);

  sqlite::Budget budget_;
  std::optional<std::string> refused_;
  StatementReferences references_;
};

/// Prepares `sql` where it is one statement that gives rows and has no parameters. Null otherwise: `problem` says why,
/// with an empty sentence where the error of `db` does.
sqlite3_stmt* prepare_one(sqlite3* db, const std::string& sql, StatementError& problem);

}  // namespace assay::query
