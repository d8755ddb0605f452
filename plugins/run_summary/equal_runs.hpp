// Puts the spread of repeat runs into study facts, tables and the note that people read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/algo/participation.hpp"
#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay::summary {

/// Runs of one program, at least two, in order of path.
struct ReplicateGroup {
  std::string id;  ///< "1", "2", ... in order of the first profile's path
  std::vector<RunReports> runs;
};

/// Largest ratio of two repeat runs of a group in one metric.
struct Spread {
  double ratio = 1;                ///< greatest / smallest value
  std::int64_t low = 0, high = 0;  ///< rows of facts of the two
};

/// Spread of one metric within groups.
struct MetricSpread {
  std::string metric;
  std::vector<std::optional<Spread>> by_group;  ///< parallel to the groups; nothing where fewer than two runs compare
  std::int64_t runs = 0, sets = 0;              ///< runs that were compared, and the sets of repeat runs they form
  double sum_of_squares = 0;                    ///< of log(value) around the mean of its set
  std::int64_t not_positive = 0;                ///< values <= 0, which have no logarithm, left out

  [[nodiscard]] std::int64_t degrees_of_freedom() const { return runs - sets; }
  /// Pooled standard deviation of the natural log; nothing when no runs compare.
  [[nodiscard]] std::optional<double> pooled_sd_log() const;
  /// Index of the group with the largest ratio; nothing when no runs compare.
  [[nodiscard]] std::optional<std::size_t> widest() const;
};

/// Groups of repeat runs (assay::equal_runs) of the study, both roles.
std::vector<ReplicateGroup> replicate_groups(const StudyView& study);

/// An `iteration.` metric is compared within a whole group; any other only among runs of a group with equal
/// iteration.count (a window of 12 iterations is no replicate of one of 40), or where none is known, with each other.
MetricSpread spread_of(const StudyView& study, const std::vector<ReplicateGroup>& groups, const std::string& metric);

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
