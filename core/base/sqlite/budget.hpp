// Limits on the time and memory of one statement.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace assay::sqlite {

struct Limits {
  std::chrono::milliseconds time{0};        ///< 0: no limit
  std::int64_t memory = 0;                  ///< bytes that SQLite and our functions hold at a time; 0: no limit
  const std::atomic<bool>* stop = nullptr;  ///< set when the user interrupts the command
};

/// Of one statement, unless the user says otherwise.
inline constexpr unsigned kDefaultSeconds = 300;
inline constexpr unsigned kDefaultMegabytes = 8192;

/// 0: no limit.
inline Limits limits_of(unsigned seconds, unsigned megabytes, const std::atomic<bool>* stop = nullptr) {
  return {std::chrono::seconds(seconds), std::int64_t{megabytes} << 20, stop};
}

/// Time and memory that a statement has used. A statement runs on one thread; every allocation SQLite makes on that
/// thread is charged to it, so that a statement that needs too much fails alone and does not affect other connections.
class Budget {
 public:
  Budget() = default;
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Starts the clock for a new statement. Memory that is already held is not charged.
  void start(const Limits& limits);
  /// Whether the statement has to end, because it was interrupted or its time is up.
  bool is_over();
  /// Charges bytes, or releases them if negative. Returns false and charges nothing beyond the limit.
  bool charge(std::int64_t bytes);
  /// Sentence on the limit that ended the statement; empty if none did.
  [[nodiscard]] const std::optional<std::string>& reason() const { return reason_; }

  /// While alive, charges allocations of this thread to the budget.
  class Scope {
   public:
    explicit Scope(Budget& budget);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Budget* before_;
  };

  /// For our own loops within a statement, which SQLite does not count: throws std::runtime_error with the reason if
  /// the statement has to end.
  static void check();

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point end_{};
  std::int64_t held_ = 0, most_ = 0;  ///< bytes; `most_` 0: no limit
  std::optional<std::string> reason_;
};

/// Charges SQLite's allocations to budgets from now on. Call before SQLite is initialized.
void charge_allocations();

}  // namespace assay::sqlite
