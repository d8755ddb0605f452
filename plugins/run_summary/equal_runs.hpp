// Puts the spread of repeat runs into study facts, tables and the note that people read.
#pragma once

#include <vector>

#include "assay/output.hpp"
#include "replicates.hpp"

namespace assay::summary {

/// Spreads of metrics that only the device determines, and of those that the host delays too: kept apart, because they
/// differ by two orders of magnitude.
struct EqualRuns {
  std::vector<ReplicateGroup> groups;
  std::vector<MetricSpread> device, host;
  std::size_t reports = 0;              ///< of the study
  std::size_t without_fingerprint = 0;  ///< of those
};

void emit_facts(const EqualRuns& equal, StudySink& sink);
Finding equal_runs_finding(const EqualRuns& equal);
Table group_table(const EqualRuns& equal, const StudyView& study);
Table run_table(const EqualRuns& equal, const StudyView& study);

}  // namespace assay::summary
