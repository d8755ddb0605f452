// Runs of unequal length: a metric that grows with the length of a run is compared per iteration or not at all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/study.hpp"

namespace assay {

/// The metric by which the length of a run is known.
inline constexpr std::string_view kIterationCount = "iteration.count";

/// How the values of some runs are brought to one length before they are compared.
struct Lengths {
  bool per_iteration = false;  ///< each is divided by the number of iterations of its run
  std::string refused;         ///< a clause that says why they cannot be compared; empty where they can

  [[nodiscard]] bool comparable() const { return refused.empty(); }
};

/// Whether a metric grows with the length of a run (MetricSpec::extensive). The number of iterations itself is that
/// length, and is compared as it is.
inline bool is_extensive(const StudyView& view, std::string_view metric) {
  const auto row = view.metric(metric);
  return row && metric != kIterationCount && view.study().metrics->extensive[*row] != 0;
}

/// How the runs of `base` and `treated` that have a fact are compared in it. An extensive metric of runs with unequally
/// many iterations is compared per iteration. Where the number is known of some and not of others they are refused;
/// where it is known of none, the runs are taken as wholes: nothing tells one from another in length.
inline Lengths lengths_of(const StudyView& view, std::span<const std::size_t> base,
                          std::span<const std::size_t> treated, std::string_view metric, std::string_view dims) {
  if (!is_extensive(view, metric)) return {};
  std::vector<double> counts;
  std::size_t runs = 0;
  for (const auto side : {base, treated}) {
    for (const std::size_t r : side) {
      if (!view.fact(static_cast<Row>(r), metric, dims)) continue;
      ++runs;
      const auto count = view.value(static_cast<Row>(r), kIterationCount);
      if (count && *count > 0) counts.push_back(*count);
    }
  }
  if (counts.empty()) return {};
  if (counts.size() < runs) {
    return {false, "it grows with the length of a run, and of " + std::to_string(runs - counts.size()) + " of " +
                       std::to_string(runs) + " runs the number of iterations is not known"};
  }
  return {std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) != counts.end(), {}};
}

/// The value of a fact as it is compared; nothing when the report does not have it.
inline std::optional<double> value_for(const StudyView& view, std::size_t report, std::string_view metric,
                                       std::string_view dims, const Lengths& lengths) {
  const auto value = view.value(static_cast<Row>(report), metric, dims);
  if (!value || !lengths.per_iteration) return value;
  const auto count = view.value(static_cast<Row>(report), kIterationCount);
  return count && *count > 0 ? std::optional<double>(*value / *count) : std::nullopt;
}

}  // namespace assay
