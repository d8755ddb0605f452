// Phases of a step: its ranges as folded paths, and how their times changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algo/median_bounds.hpp"
#include "judge.hpp"
#include "run_design.hpp"

namespace assay::difference {

/// One side; `median` is 0 if it has no such ranges.
struct PhaseSide {
  std::size_t count = 0;
  double median = 0;                      ///< ns, geometric mean of the runs' medians
  double gpu = 0, launches = 0;           ///< per range
  double share = 0;                       ///< of the host time of the steps
  std::optional<double> plain{};          ///< ns, median without a profiler, as measured by the program itself
  MedianBounds bounds{}, plain_bounds{};  ///< of the medians, within one run
};

struct PhaseChange {
  std::string path;
  PhaseSide before, after;
  DifferenceTest judged;  ///< logarithm of the ratio of the medians
  bool told = false;

  [[nodiscard]] bool both() const { return before.median > 0 && after.median > 0; }
  [[nodiscard]] double ratio() const { return after.median / before.median; }
  [[nodiscard]] std::optional<double> plain_ratio() const {
    return before.plain && after.plain ? std::optional(*after.plain / *before.plain) : std::nullopt;
  }
  /// Whether the traced time changed: by the runs of both sides, else within the only run of each.
  [[nodiscard]] bool changed() const { return judged.half ? told : !before.bounds.overlap(after.bounds); }
  [[nodiscard]] bool plain_changed() const { return !before.plain_bounds.overlap(after.plain_bounds); }
  [[nodiscard]] bool is_outer() const { return path.find('/') == std::string::npos; }
};

/// In tree order. Tested only if the difference of the step is significant (`step_told`), whose error they inherit.
std::vector<PhaseChange> phase_changes(const Side& before, const Side& after, const RunDesign& design, double error,
                                       bool step_told);

/// Times that the program measured itself without a profiler, from the sheets of that id.
void add_plain_times(const StudyView& view, std::string_view sheet, const Side& before, const Side& after,
                     std::vector<PhaseChange>& phases);

/// "on the GPU forward 5.66x faster, backward 2.77x faster" for the outermost phases with at least a tenth of the GPU
/// time of all, where the device decides how long a step takes: the host's times are then mostly waits. Empty if they
/// say no more than the step, or the program's own times are known.
std::string device_phase_text(const std::vector<PhaseChange>& phases, double step_ratio);

/// "decode_{i} 9.95x faster, prefill unchanged" for the outermost phases with at least a tenth of the steps' time;
/// empty if they say no more than the step (`step_ratio`, after / before).
std::string phase_text(const std::vector<PhaseChange>& phases, double step_ratio);

}  // namespace assay::difference
