// Profiles with and without the reduction, pair by pair, and what only the reduced run has.
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

/// Time and launches of kernels in one forward.
struct ForwardCost {
  double time = 0;  ///< ns
  double count = 0;
  ForwardCost& operator+=(const ForwardCost& other) {
    time += other.time;
    count += other.count;
    return *this;
  }
};

/// One side of a pair: of replicates the median of each number. What a report lacks is nothing, never 0.
struct Side {
  Runs reports;
  std::optional<double> kernels;                                       ///< per forward
  std::optional<double> busy, period;                                  ///< ns per forward
  std::optional<double> launch_bound;                                  ///< share of kernels that waited for the host
  std::map<std::pair<std::string, std::string>, ForwardCost> by_name;  ///< (class, short name)
  std::map<std::string, ForwardCost> by_class;                         ///< empty where by_name is
  std::optional<double> copy_time, copy_bytes, set_time, set_bytes;    ///< per forward

  /// GPU busy time over the period.
  [[nodiscard]] std::optional<double> utilization() const;
  /// Time of memory-moving kernels, copies and sets over GPU busy time; nothing where kernels are not known.
  [[nodiscard]] std::optional<double> memory_share() const;
  [[nodiscard]] ForwardCost of_class(std::string_view kernel_class) const;
};

struct Pair {
  LabelTexts labels;       ///< matched labels but the batch
  std::string batch_text;  ///< empty when the reports have none
  double batch = 0;        ///< 0 when they have none
  Side base, treated;
  bool opaque = false;  ///< kernels of a side are, or may be, hidden in graphs: no kernel is counted
  std::map<std::string, ForwardCost> added;                      ///< by class, in kernels only the reduced run has
  std::vector<std::pair<std::string, ForwardCost>> added_names;  ///< those kernels, by time descending
  bool rest = false;                   ///< the base lists not all its kernels, so that `added` may hold some of them
  std::vector<std::int64_t> evidence;  ///< rows of Study::facts

  /// Base period over reduced period.
  [[nodiscard]] std::optional<double> speedup() const;
};

struct Pairs {
  std::vector<Pair> pairs;
  std::vector<UnmatchedReport> unmatched;
};

/// Pairs of reports equal in every label but the one under test. Where graph.opaque_ratio of a side is not known or
/// above `opaque_limit` its kernels count for nothing.
Pairs read_pairs(const StudyView& view, const Design& design, double opaque_limit);

}  // namespace assay::tokens
