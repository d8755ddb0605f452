// Time budget of a recording.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>

#include "config/label_value.hpp"
#include "record/duration.hpp"

namespace assay::record {

/// Wall-clock time of runs, looks and conversions. Work that would exceed the limit is not started.
class Budget {
  using Clock = std::chrono::steady_clock;

 public:
  /// `seconds` 0: no limit. `at_once`: GPUs that record in parallel, a block each.
  Budget(double seconds, std::size_t at_once) : limit_(seconds), at_once_(at_once) {}

  /// Starts the clock. `before`: seconds used by earlier recorders.
  void begin(double before) {
    before_ = before;
    begun_ = Clock::now();
  }
  [[nodiscard]] double spent() const { return before_ + std::chrono::duration<double>(Clock::now() - begun_).count(); }
  [[nodiscard]] bool is_spent() const { return limit_ > 0 && spent() >= limit_; }
  /// Whether work of `seconds` would end within the limit.
  [[nodiscard]] bool holds(double seconds) const { return limit_ <= 0 || spent() + seconds <= limit_; }
  /// A round of blocks ended, which began when `before` seconds were spent.
  void end_round(double before, std::size_t runs) { last_run_ = seconds_a_run(spent() - before, runs); }
  /// What a block of so many runs will take with its look, after `made` runs: looks take longer with each one.
  [[nodiscard]] double block_seconds(std::ptrdiff_t runs, std::size_t made) const {
    return static_cast<double>(runs) * std::max(last_run_, seconds_a_run(spent(), made));
  }
  /// So many seconds, or what is left of it.
  [[nodiscard]] double of_rest(double seconds) const {
    return limit_ <= 0 ? seconds : std::min(seconds, std::max(0.0, limit_ - spent()));
  }
  /// Blocks in all that it allows, up to `most`, if the next ones take as long as the `done` ones.
  [[nodiscard]] std::size_t blocks(std::size_t done, std::size_t most) const {
    if (limit_ <= 0 || done == 0) return most;
    return std::min(most, static_cast<std::size_t>(limit_ * static_cast<double>(done) / std::max(spent(), 1e-9)));
  }
  [[nodiscard]] std::string text() const {
    constexpr double kSecondsTold = 600;  // below this, seconds are printed: a limit of 150 s is not one of 3 min
    return "the budget of " + (limit_ < kSecondsTold ? shortest(limit_) + " s" : duration_text(limit_));
  }

 private:
  [[nodiscard]] double seconds_a_run(double seconds, std::size_t runs) const {
    return runs == 0 ? 0 : seconds * static_cast<double>(at_once_) / static_cast<double>(runs);
  }

  double limit_, before_ = 0;
  std::size_t at_once_;
  double last_run_ = 0;  ///< seconds of a run of the last round, with its part of the look
  Clock::time_point begun_ = Clock::now();
};

}  // namespace assay::record
