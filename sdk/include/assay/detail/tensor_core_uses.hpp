// Decides by name rules whether kernels use tensor cores.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "assay/algo/kernel_classes.hpp"

namespace assay {

/// Results, and values of the dim "uses".
inline constexpr std::array<std::string_view, 3> kTensorCoreUses = {"yes", "no", kUnknownClass};

/// Throws std::invalid_argument if a rule has a result other than yes or no.
inline void check_tensor_core_rules(const NameRules& rules) {
  for (const std::string& answer : rules.classes()) {
    if (answer == kTensorCoreUses[0] || answer == kTensorCoreUses[1]) continue;
    throw std::invalid_argument("'tensor_core_rules' gives '" + answer + "'; such a rule begins with 'yes:' or 'no:'");
  }
}

}  // namespace assay
