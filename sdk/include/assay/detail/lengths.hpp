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
bool is_extensive(const StudyView& view, std::string_view metric);

/// How the runs of `base` and `treated` that have a fact are compared in it. An extensive metric of runs with unequally
/// many iterations is compared per iteration. Where the number is known of some and not of others they are refused;
/// where it is known of none, the runs are taken as wholes: nothing tells one from another in length.
Lengths lengths_of(const StudyView& view, const Runs& base, const Runs& treated, std::string_view metric,
                   std::string_view dims);

/// The value of a fact as it is compared; nothing when the report does not have it.
std::optional<double> value_for(const StudyView& view, std::size_t report, std::string_view metric,
                                std::string_view dims, const Lengths& lengths);

}  // namespace assay
