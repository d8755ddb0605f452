// How much a piece of work does, so that it can be compared with another one on a machine that others use too.
#pragma once

#include <functional>

#include "files/descriptor.hpp"

namespace assay::check {

/// The work of one call: instructions of this process in user mode, which no neighbour changes, where the machine has
/// counters and lets us read them; else seconds of CPU time.
struct Work {
  double amount = 0;
  double elapsed = 0;  ///< s by the clock on the wall
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

/// The least of several measures of a small and a large input.
struct Growth {
  double small = 0, large = 0;
  bool busy = false;  ///< others held the processor, or equal work cost unequal time
  [[nodiscard]] double factor() const { return large / small; }
};

/// Measures both, in turn, five times; fewer when instructions are counted, when a series takes seconds, or once the
/// factor is not above `enough`. `small` is done `times` times for each large one, so that both take about as long, and
/// counts once.
Growth measure_growth(WorkMeter& meter, const std::function<void()>& small, const std::function<void()>& large,
                      int times, double enough);

}  // namespace assay::check
