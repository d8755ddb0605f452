// Changes of one option of a pipeline, and by which mechanism they may work.
#pragma once

#include <vector>

#include "assay/algo/pairs.hpp"

namespace assay::pipeline {

/// From "preproc: cpu -> gpu", named "preproc cpu -> gpu". Throws std::invalid_argument with a sentence for a text that
/// does not read so.
LabelPair change_from(std::string_view text);

/// What an option may work through: the median over the runs of a side; NaN where no run tells.
struct Mechanism {
  double waits = 0;    ///< calls that wait for the device, per iteration
  double overlap = 0;  ///< share of copy time during which a kernel runs
};

/// A change in one stratum.
struct Trace {
  bool equal_programs = false;  ///< both sides asked the device for the same: only the host can differ
  Mechanism before, after;
};

/// Of every stratum, by change.
using Traces = std::vector<std::vector<Trace>>;
Traces traces_of(const StudyView& view, const PairStudy& pairs);

/// Calls that wait for the device per iteration of a report; nothing without iterations or calls.
std::optional<double> waits_per_iteration(const StudyView& view, std::size_t report);

}  // namespace assay::pipeline
