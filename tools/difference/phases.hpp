// Phases of a step: its ranges as folded paths, and how their times changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/detail/median_bounds.hpp"
#include "assay/detail/step_names.hpp"
#include "difference/judge.hpp"
#include "difference/launch_place.hpp"
#include "difference/run_design.hpp"

namespace assay::difference {

inline constexpr std::size_t kMostPhases = 200;  ///< of a run, those with the longest ranges around them first

/// Ranges in steps, without those that begin in no step that is kept. Needs col::ranges, col::spans, col::calls and
/// device work where present.
std::vector<Phase> phases_of(const Report& report, step::Names& names, const LaunchPlaces& places);

/// Of one side; `median` is 0 if it has no such ranges.
struct PhaseSide {
  std::size_t count = 0;
  double median = 0;                      ///< ns, geometric mean of the runs' medians
  double gpu = 0, launches = 0;           ///< per range
  double share = 0;                       ///< of the time of the steps, on the host
  std::optional<double> plain{};          ///< ns, median without a profiler, as the program timed it itself
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
  /// Whether the traced one is longer or shorter: by the runs of both sides, else within the one run that each has.
  [[nodiscard]] bool changed() const { return judged.half ? told : !before.bounds.overlap(after.bounds); }
  [[nodiscard]] bool plain_changed() const { return !before.plain_bounds.overlap(after.plain_bounds); }
  [[nodiscard]] bool is_outer() const { return path.find('/') == std::string::npos; }
};

/// In the order of the tree. They are tested only if the step's difference is told (`step_told`), whose error they
/// inherit.
std::vector<PhaseChange> phase_changes(const Side& before, const Side& after, const RunDesign& design, double error,
                                       bool step_told);

/// "decode_{i} 9.95x faster, prefill unchanged", of the outermost phases that take a tenth of the steps and more; empty
/// where they say no more than the step does (`step_ratio`, after over before).
std::string phase_text(const std::vector<PhaseChange>& phases, double step_ratio);

}  // namespace assay::difference
