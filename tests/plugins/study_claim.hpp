// Keys of claims that the tests of claim_verdicts judge.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzers.hpp"

namespace assay {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline std::span<const OptionSpec> keys() { return under_test::claim_verdicts::descriptor.claim_keys.view(); }

/// A claim on a fact of the study.
inline testing::OptionInputs of_study(std::string metric, double low, double high) {
  return {{"metric", std::move(metric)}, {"compare", "study"}, {"between", std::vector<double>{low, high}}};
}

}  // namespace assay
