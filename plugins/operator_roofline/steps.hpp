// The share of the device's possible compute in a step that the model requires.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/steps.hpp"
#include "calls.hpp"

namespace assay::roofline {

/// By step, in order; all of equal length. Times in ns.
struct StepUse {
  std::vector<double> time;
  std::vector<double> mfu;    ///< FLOPs of products, attention and convolutions divided by the dense peak of their
                              ///< types over that time
  std::vector<double> hfu;    ///< including recomputation
  std::vector<double> least;  ///< sum of the minimum times of all modelled operators
  std::string no_mfu;         ///< why there is none; empty: there is
};

StepUse step_use(const Report& report, const step::Steps& steps, const OperatorCalls& calls);

}  // namespace assay::roofline
