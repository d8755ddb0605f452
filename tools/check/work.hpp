// Measures work such that it is comparable on a shared machine.
#pragma once

#include <functional>

#include "files/descriptor.hpp"

namespace assay::check {

/// Work of one call: user-mode instructions of this process, which are independent of other processes, if the machine
/// has readable counters; else CPU seconds.
struct Work {
  double amount = 0;
  double elapsed = 0;  ///< wall-clock seconds
};

class WorkMeter {
 public:
  WorkMeter();
  [[nodiscard]] bool counts_instructions() const { return static_cast<bool>(counter_); }
  [[nodiscard]] Work measure(const std::function<void()>& work);

 private:
  [[nodiscard]] double now() const;

  files::Descriptor counter_;  ///< of perf_event_open(2)
};

/// Minima of several measurements of a small and a large input.
struct Growth {
  double small = 0, large = 0;
  bool busy = false;  ///< the processor was shared, or equal work took unequal time
  [[nodiscard]] double factor() const { return large / small; }
};

/// Measures both alternately, five times; fewer if instructions are counted, if a series takes seconds, or once the
/// factor is at most `enough`. Runs `small` `times` times per large run, so that both take about as long, and counts it
/// once.
Growth measure_growth(WorkMeter& meter, const std::function<void()>& small, const std::function<void()>& large,
                      int times, double enough);

}  // namespace assay::check
