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

#include "assay/detail/alike.hpp"
#include "assay/study.hpp"

namespace assay {

/// Metric that gives the length of a run.
inline constexpr std::string_view kIterationCount = "iteration.count";

/// How values of runs are normalized to one length for a comparison.
struct Lengths {
  bool per_iteration = false;  ///< each is divided by its run's number of iterations
  std::string refused;         ///< a clause on why they cannot be compared; empty if they can

  [[nodiscard]] bool comparable() const { return refused.empty(); }
};

/// Whether a metric grows with the length of a run (MetricSpec::extensive). The number of iterations itself does not
/// count.
bool is_extensive(const StudyView& view, std::string_view metric);

/// How to compare a fact between runs of `base` and `treated`. An extensive metric is compared per iteration if the
/// numbers of iterations differ. If only some runs have the number, they are refused. If none has it, the runs are
/// compared as they are.
Lengths lengths_of(const StudyView& view, const Runs& base, const Runs& treated, std::string_view metric,
                   std::string_view dims);

/// Value of a fact for the comparison; empty if the report does not have it.
std::optional<double> value_for(const StudyView& view, std::size_t report, std::string_view metric,
                                std::string_view dims, const Lengths& lengths);

}  // namespace assay
