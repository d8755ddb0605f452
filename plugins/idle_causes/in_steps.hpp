// Idle time of the device inside the steps of a run, by cause: what lies between steps is no step's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "algo/idle/idle.hpp"
#include "assay/algo/intervals.hpp"

namespace assay::idle {

class StepIdle {
 public:
  /// Steps as find_steps knows them, by names, iterations or what repeats; a capture without any has none.
  StepIdle(const Report& report, const std::vector<std::string>& names);

  [[nodiscard]] bool any() const { return !steps_.empty(); }
  /// ns of all steps, each instant once.
  [[nodiscard]] std::int64_t window() const { return measure(steps_); }
  /// Adds the parts of a gap that lie in steps.
  void add(const Gap& gap, const ThreadCalls& calls);
  [[nodiscard]] const CauseTimes& times() const { return times_; }

 private:
  Intervals steps_;
  CauseTimes times_{};
};

}  // namespace assay::idle
