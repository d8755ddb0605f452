// The time and memory that one statement may take.
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
  const std::atomic<bool>* stop = nullptr;  ///< raised when the user interrupts the command
};

/// What a statement has used of its limits. A statement runs on one thread; while it does, every allocation that SQLite
/// makes on this thread is charged to it, so that a statement that asks for too much fails alone and the other
/// connections of the process notice nothing.
class Budget {
 public:
  Budget() = default;
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// A new statement begins: its clock starts, and what is held already is not charged.
  void start(const Limits& limits);
  /// Whether the statement has to end now, because it was interrupted or its time is over.
  bool is_over();
  /// Charges so many bytes, or gives them back where negative; false, and nothing charged: beyond the limit.
  bool charge(std::int64_t bytes);
  /// Which limit ended the statement, as a sentence; nothing while none has.
  [[nodiscard]] const std::optional<std::string>& reason() const { return reason_; }

  /// While it lives, allocations of this thread are charged to the budget.
  class Scope {
   public:
    explicit Scope(Budget& budget);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Budget* before_;
  };

  /// For loops of our own within a statement, which SQLite does not count: throws std::runtime_error with the reason
  /// when the statement has to end.
  static void check();

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point end_{};
  std::int64_t held_ = 0, most_ = 0;  ///< bytes; of `most_` 0: no limit
  std::optional<std::string> reason_;
};

/// Makes SQLite's allocations known to the budgets. To be called before SQLite is initialized.
void charge_allocations();

}  // namespace assay::sqlite
