#include "query/guard.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sqlite/database.hpp"

namespace assay::query {
namespace {

/// SQLite functions that have effects beyond the statement.
constexpr std::array<std::string_view, 3> kForbidden{"load_extension", "readfile", "fts3_tokenizer"};

std::string_view view(const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); }

/// What was attempted, in terms of SQL.
std::string words_of(int action, std::string_view name) {
  switch (action) {
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
      return "ATTACH and DETACH are";
    case SQLITE_PRAGMA:
      return "PRAGMA " + std::string(name) + " is";
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      return "writing is";
    case SQLITE_FUNCTION:
      return std::string(name) + "() is";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
      return "transactions are";
    default:
      return "making or changing tables is";
  }
}

}  // namespace

void StatementGuard::watch(sqlite3* db) {
  constexpr int kSteps = 1000;  // SQLite VM steps between two checks of the clock
  sqlite3_set_authorizer(db, &StatementGuard::authorize, this);
  sqlite3_progress_handler(db, kSteps, &StatementGuard::progress, this);
  sqlite::limit_values(db);
  constexpr int kLongestPattern = 1000;  // LIKE and GLOB try it at every byte of a text within one step
  sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kLongestPattern);
}

void StatementGuard::start(const Limits& limits) {
  refused_.reset();
  budget_.start(limits);
}

int StatementGuard::refuse(std::string reason) {
  refused_ = std::move(reason);
  return SQLITE_DENY;
}

int StatementGuard::authorize(void* self, int action, const char* first, const char* second, const char*, const char*) {
  StatementGuard& guard = *static_cast<StatementGuard*>(self);
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      guard.references_.tables.emplace(view(first));
      if (!view(second).empty()) guard.references_.columns.emplace(view(first), view(second));
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      if (std::ranges::find(kForbidden, view(second)) != kForbidden.end()) break;
      guard.references_.functions.emplace(view(second));
      return SQLITE_OK;
    default:
      break;
  }
  const std::string_view name = action == SQLITE_FUNCTION ? view(second) : view(first);
  return guard.refuse(words_of(action, name) + " not allowed: a query only reads");
}

int StatementGuard::progress(void* self) { return static_cast<StatementGuard*>(self)->budget_.is_over() ? 1 : 0; }

namespace {

/// Why a prepared statement is not acceptable; `rest`: where it ends in `sql`.
std::optional<StatementError> unfit(sqlite3* db, const std::string& sql, sqlite3_stmt* made, std::size_t rest) {
  if (made == nullptr) return StatementError{"there is no statement; expected one that begins with SELECT or WITH"};
  if (const std::size_t more = sql.find_first_not_of("; \t\r\n", rest); more != std::string::npos) {
    sqlite3_stmt* next = nullptr;  // a trailing comment is not a statement
    const int outcome = sqlite3_prepare_v2(db, sql.c_str() + rest, -1, &next, nullptr);
    const bool empty = outcome == SQLITE_OK && next == nullptr;
    sqlite3_finalize(next);
    if (!empty) return StatementError{"there is a second statement; expected one", more};
  }
  if (sqlite3_stmt_readonly(made) == 0 || sqlite3_column_count(made) == 0)
    return StatementError{"the statement gives no rows; expected one that begins with SELECT or WITH"};
  if (sqlite3_bind_parameter_count(made) > 0)
    return StatementError{"the statement has parameters ('?', ':name'), which nothing fills; write values"};
  return std::nullopt;
}

}  // namespace

sqlite3_stmt* prepare_one(sqlite3* db, const std::string& sql, StatementError& problem) {
  sqlite3_stmt* made = nullptr;
  const char* tail = nullptr;
  problem = {};
  if (sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()) + 1, &made, &tail) != SQLITE_OK) return nullptr;
  std::optional<StatementError> wrong = unfit(db, sql, made, static_cast<std::size_t>(tail - sql.c_str()));
  if (!wrong) return made;
  sqlite3_finalize(made);
  problem = *std::move(wrong);
  return nullptr;
}

}  // namespace assay::query
