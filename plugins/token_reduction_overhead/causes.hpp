// Why a reduction that saves FLOPs may not save time: each hypothesis with a criterion, what was measured, and the
// remedy.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pairs.hpp"

namespace assay::tokens {

/// Thresholds and remedies, from the options.
struct Criteria {
  double more_kernels = 0;     ///< kernels per forward, reduced over base
  double launch_bound = 0;     ///< share of the reduced run's kernels that waited for the host
  double low_utilization = 0;  ///< GPU busy time over period of the reduced run
  double dynamic_share = 0;    ///< added time of dynamic kernels over GPU busy time of the reduced run
  double memory_share = 0;     ///< memory time over GPU busy time of the reduced run
  std::string launches_remedy, utilization_remedy, dynamic_remedy, memory_remedy;
};

enum class Status { kConfirmed, kNotConfirmed, kNotTestable };

constexpr std::string_view status_name(Status status) {
  constexpr std::array<std::string_view, 3> names = {"confirmed", "not confirmed", "not testable"};
  return names[static_cast<std::size_t>(status)];
}

struct Cause {
  std::string id;     ///< as in dims: launches, utilization, dynamic_operations, memory
  std::string title;  ///< for people: "more launches"
  Status status = Status::kNotTestable;
  std::string evidence;   ///< clause with the numbers, or what is missing
  std::string criterion;  ///< clause with the thresholds
  std::string remedy;     ///< what to do when it is confirmed
};

/// The four hypotheses in the order of the guide.
std::vector<Cause> causes_of(const Pair& pair, const Criteria& criteria);

}  // namespace assay::tokens
