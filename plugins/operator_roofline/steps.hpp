// How much of what the device could compute in a step the model asked for.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/steps.hpp"
#include "calls.hpp"

namespace assay::roofline {

/// By step, in their order; equally many of each. Times in ns.
struct StepUse {
  std::vector<double> time;
  std::vector<double> mfu;    ///< FLOPs of products, attention and convolutions over what the dense peak of their types
                              ///< allows in that time
  std::vector<double> hfu;    ///< with what is recomputed
  std::vector<double> least;  ///< sum of the least times of all modelled operators
  std::string no_mfu;         ///< why there is none; empty: there is
};

StepUse step_use(const Report& report, const step::Steps& steps, const OperatorCalls& calls);

}  // namespace assay::roofline
