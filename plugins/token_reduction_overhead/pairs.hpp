// Profiles with and without the reduction, pair by pair, and the kernels that only the reduced run has.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/algo/matching.hpp"
#include "assay/study.hpp"
#include "sweep.hpp"

namespace assay::tokens {

/// Time and launches of kernels in one forward pass.
struct ForwardCost {
  double time = 0;  ///< ns
  double count = 0;
  ForwardCost& operator+=(const ForwardCost& other) {
    time += other.time;
    count += other.count;
    return *this;
  }
};

/// One side of a pair: medians over replicates. Missing values are empty, never 0.
struct Side {
  Runs reports;
  std::optional<double> kernels;                                       ///< per forward
  std::optional<double> busy, period;                                  ///< ns per forward
  std::optional<double> launch_bound;                                  ///< share of kernels that waited for the host
  std::map<std::pair<std::string, std::string>, ForwardCost> by_name;  ///< (class, short name)
  std::map<std::string, ForwardCost> by_class;                         ///< empty if match_by_name is
  std::optional<double> copy_time, copy_bytes, set_time, set_bytes;    ///< per forward

  /// GPU busy time over the period.
  [[nodiscard]] std::optional<double> utilization() const;
  /// Time of memory-moving kernels, copies and sets over GPU busy time; empty if kernels are unknown.
  [[nodiscard]] std::optional<double> memory_share() const;
  [[nodiscard]] ForwardCost of_class(std::string_view kernel_class) const;
};

struct Pair {
  LabelTexts labels;       ///< matched labels except the batch
  std::string batch_text;  ///< empty if the reports have none
  double batch = 0;        ///< 0 if they have none
  Side base, treated;
  bool opaque = false;                       ///< kernels of a side are or may be hidden in graphs, so none is counted
  std::map<std::string, ForwardCost> added;  ///< by class, for kernels that only the reduced run
                                             ///< has
  std::vector<std::pair<std::string, ForwardCost>> added_names;  ///< those kernels, by time descending
  bool rest = false;                   ///< the base does not list all its kernels, so `added` may include some of them
  std::vector<std::int64_t> evidence;  ///< rows of Study::facts

  /// Base period over reduced period.
  [[nodiscard]] std::optional<double> speedup() const;
};

struct Pairs {
  std::vector<Pair> pairs;
  std::vector<UnmatchedReport> unmatched;
};

/// Pairs of reports that agree in every label except the one under test. If graph.opaque_ratio of a side is unknown or
/// above 0.5, its kernels are not used.
Pairs read_pairs(const StudyView& view, const Design& design);

}  // namespace assay::tokens
