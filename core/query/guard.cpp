#include "query/guard.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::query {
namespace {

/// Of SQLite's own functions those that reach beyond the statement.
constexpr std::array<std::string_view, 3> kForbidden{"load_extension", "readfile", "fts3_tokenizer"};

std::string_view view(const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); }

/// What was tried, in the words of SQL.
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

void Guard::watch(sqlite3* db) {
  constexpr int kSteps = 1000;  // of SQLite's machine between two looks at the clock
  sqlite3_set_authorizer(db, &Guard::authorize, this);
  sqlite3_progress_handler(db, kSteps, &Guard::progress, this);
}

void Guard::start(const Limits& limits) {
  limits_ = limits;
  reason_.reset();
  end_ = std::chrono::steady_clock::now() + limits.time;
}

int Guard::refuse(std::string reason) {
  reason_ = std::move(reason);
  return SQLITE_DENY;
}

int Guard::authorize(void* self, int action, const char* first, const char* second, const char*, const char*) {
  Guard& guard = *static_cast<Guard*>(self);
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

int Guard::progress(void* self) {
  Guard& guard = *static_cast<Guard*>(self);
  if (guard.limits_.stop != nullptr && *guard.limits_.stop) {
    guard.reason_ = "interrupted";
    return 1;
  }
  if (guard.limits_.time.count() > 0 && std::chrono::steady_clock::now() > guard.end_) {
    guard.reason_ = "the statement took longer than its limit of " + std::to_string(guard.limits_.time.count() / 1000) +
                    " s; narrow it, or raise the limit";
    return 1;
  }
  return 0;
}

void limit_memory(std::int64_t bytes) {
  if (bytes <= 0) return;
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1);  // without counting there is nothing to hold against the limit
  sqlite3_initialize();
  sqlite3_hard_heap_limit64(bytes);
}

}  // namespace assay::query
