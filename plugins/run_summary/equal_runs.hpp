// Reports the spread of repeat runs as study facts, tables and a note.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/algo/participation.hpp"
#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay::summary {

/// At least two runs of one program, in path order.
struct ReplicateGroup {
  std::string id;  ///< "1", "2", ... in the order of the first profile's path
  std::vector<RunReports> runs;
};

/// Largest ratio of two repeat runs of a group in one metric.
struct Spread {
  double ratio = 1;                ///< largest / smallest value
  std::int64_t low = 0, high = 0;  ///< fact rows of the two
};

/// Spread of one metric within groups.
struct MetricSpread {
  std::string metric;
  std::vector<std::optional<Spread>> by_group;  ///< parallel to the groups; empty if fewer than two runs are comparable
  std::int64_t runs = 0, sets = 0;              ///< compared runs, and the sets of repeat runs they form
  double sum_of_squares = 0;                    ///< of log(value) around the mean of its set
  std::int64_t not_positive = 0;                ///< values <= 0, which have no logarithm and are skipped

  [[nodiscard]] std::int64_t degrees_of_freedom() const { return runs - sets; }
  /// Pooled standard deviation of the natural log; empty if no runs are comparable.
  [[nodiscard]] std::optional<double> pooled_sd_log() const;
  /// Index of the group with the largest ratio; empty if no runs are comparable.
  [[nodiscard]] std::optional<std::size_t> widest() const;
};

/// Groups of repeat runs (assay::equal_runs) of the study, both roles.
std::vector<ReplicateGroup> replicate_groups(const StudyView& study);

/// An `iteration.` metric is compared within a whole group; all others only among runs of a group with equal
/// iteration.count (a window of 12 iterations is no replicate of one of 40), or among those without one.
MetricSpread spread_of(const StudyView& study, const std::vector<ReplicateGroup>& groups, const std::string& metric);

/// Spreads of metrics determined by the device alone, separate from those that the host also delays, because they
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
