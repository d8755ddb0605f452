// The plugin under test as configs/data/kernel_classes.toml has it classify kernels.
#pragma once

#include "kernel_rules.hpp"
#include "plugin_under_test.hpp"

namespace assay::testing::ruled {

inline OptionInputs with_rules(OptionInputs options) {
  options.emplace_back("rules", kernel_rules("rules"));
  return options;
}

inline Recorder analyzed(const Report& report, const OptionInputs& options = {}) {
  return testing::analyzed(report, with_rules(options));
}

inline Recorder concluded(const Study& study, const OptionInputs& options = {}) {
  return testing::concluded(study, with_rules(options));
}

}  // namespace assay::testing::ruled
