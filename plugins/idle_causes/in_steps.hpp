// Idle time of the device inside the steps of a run, by cause, without time between steps.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/detail/idle.hpp"

namespace assay::idle {

class StepIdle {
 public:
  /// Steps as in find_steps, by names, iterations or repetition; empty without any.
  StepIdle(const Report& report, const std::vector<std::string>& names);

  [[nodiscard]] bool any() const { return !steps_.empty(); }
  /// ns covered by all steps.
  [[nodiscard]] std::int64_t window() const { return measure(steps_); }
  /// Adds the parts of a gap inside steps.
  void add(const Gap& gap, const ThreadCalls& calls);
  [[nodiscard]] const CauseTimes& times() const { return times_; }

 private:
  Intervals steps_;
  CauseTimes times_{};
};

}  // namespace assay::idle
