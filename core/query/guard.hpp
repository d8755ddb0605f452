// What a statement of somebody's may do: read, for so long.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace assay::query {

struct Limits {
  std::chrono::milliseconds time{0};        ///< of one statement; 0: any
  const std::atomic<bool>* stop = nullptr;  ///< raised from outside: it ends at once
};

/// What statements named while they were prepared.
struct References {
  std::set<std::string> tables;
  std::set<std::pair<std::string, std::string>> columns;  ///< table, column
  std::set<std::string> functions;
};

/// Sits on a connection: refuses whatever is not reading (writing, attaching, pragmas, loading extensions), notes what
/// is referred to, and ends what takes too long. Stays where it is while the connection lives.
class Guard {
 public:
  Guard() = default;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  void watch(sqlite3* db);
  /// From now on the time of a statement runs.
  void start(const Limits& limits);

  /// Why the last statement was refused or ended, where this was the reason.
  [[nodiscard]] const std::optional<std::string>& reason() const { return reason_; }
  [[nodiscard]] const References& references() const { return references_; }
  void forget() { references_ = {}, reason_.reset(); }

 private:
  static int authorize(void* self, int action, const char* first, const char* second, const char* db,
                       const char* trigger);
  static int progress(void* self);
  int refuse(std::string reason);

  Limits limits_;
  std::chrono::steady_clock::time_point end_{};
  std::optional<std::string> reason_;
  References references_;
};

/// The most memory that SQLite takes in this process from now on, statements' own lists included. To be called before
/// anything in the process opens a database; 0: any.
void limit_memory(std::int64_t bytes);

}  // namespace assay::query
