// An analyzer as configs/data/kernel_classes.toml has it classify kernels.
#pragma once

#include "analyzers.hpp"
#include "kernel_rules.hpp"

namespace assay::testing {

inline OptionInputs with_rules(OptionInputs options) {
  options.emplace_back("rules", kernel_rules("rules"));
  return options;
}

}  // namespace assay::testing
