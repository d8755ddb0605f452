// Changes of one pipeline option, and the mechanism through which they may act.
#pragma once

#include <vector>

#include "assay/algo/pairs.hpp"

namespace assay::pipeline {

/// Parses "preproc: cpu -> gpu", which is named "preproc cpu -> gpu". Throws std::invalid_argument with a message for
/// other texts.
LabelPair change_from(std::string_view text);

/// Mechanisms through which an option may act: medians over the runs of a side; NaN if unknown.
struct Mechanism {
  double waits = 0;    ///< calls that wait for the device, per iteration
  double overlap = 0;  ///< share of copy time that overlaps a kernel
};

/// A change in one stratum.
struct Trace {
  bool equal_programs = false;  ///< both sides requested the same device work, so only the host can differ
  Mechanism before, after;
};

/// For every stratum, by change.
using Traces = std::vector<std::vector<Trace>>;
Traces traces_of(const StudyView& view, const PairStudy& pairs);

/// Calls that wait for the device per iteration of a report; empty without iterations or calls.
std::optional<double> waits_per_iteration(const StudyView& view, std::size_t report);

}  // namespace assay::pipeline
