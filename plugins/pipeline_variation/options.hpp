// Options of a pipeline, pair by pair: what changing one of them does, and by which mechanism.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/contrast.hpp"

namespace assay::pipeline {

/// "preproc: cpu -> gpu".
struct Change {
  std::string label, from, to;
  [[nodiscard]] std::string text() const { return label + " " + from + " -> " + to; }
};

/// Throws std::invalid_argument with a sentence for a text that does not read "label: from -> to".
Change change_from(std::string_view text);

/// What an option may work through: the median over the runs of a side; NaN where no run tells.
struct Mechanism {
  double waits = 0;    ///< calls that wait for the device, per iteration
  double overlap = 0;  ///< share of copy time during which a kernel runs
};

/// A change in one stratum.
struct Pair {
  Stratum stratum;
  std::vector<std::optional<Contrast>> contrasts;  ///< by metric
  bool equal_programs = false;  ///< both sides asked the device for the same: only the host can differ
  Mechanism before, after;
};

struct Tested {
  Change change;
  std::vector<Pair> pairs;
};

struct Design {
  std::vector<Change> changes;
  std::vector<std::string> metrics;
};

struct Comparison {
  std::vector<Tested> tested;      ///< in the order of the design
  std::vector<NoiseFloor> floors;  ///< by metric, of the first change's label
  std::vector<Unmatched> unmatched;
  double level = 0.95;  ///< of each interval: 1 - 0.05 / number of intervals
};

/// Pairs of every change. A run that joins no pair of any change is listed once.
Comparison compare(const StudyView& view, const Design& design);

/// Calls that wait for the device per iteration of a report; nothing without iterations or calls.
std::optional<double> waits_per_iteration(const StudyView& view, std::size_t report);

}  // namespace assay::pipeline
