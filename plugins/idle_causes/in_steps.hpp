// Idle time of the device inside the steps of a run, by cause, without time between steps.
#pragma once

#include "algo/idle/idle.hpp"
#include "assay/algo/intervals.hpp"

namespace assay::idle {

class StepIdle {
 public:
  /// Of the steps that are examples of all (step::steps_of); empty without any.
  explicit StepIdle(const Report& report);

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
