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
  std::vector<double> mfu;      ///< FLOPs of the model's products, attention and convolutions over `peak`
  std::vector<double> hfu;      ///< including recomputation
  std::vector<double> of_roof;  ///< as hfu, each at the dense peak of the type that it ran in
  std::vector<double> least;    ///< sum of the minimum times of all modelled operators
  std::string peak;             ///< "dense bf16/fp16 peak, 989 TFLOP/s"; fp8 if most FLOPs are
  std::string no_mfu, no_roof;  ///< why there is none; empty: there is
};

StepUse step_use(const Report& report, const step::Steps& steps, const OperatorCalls& calls);

}  // namespace assay::roofline
