// Values of claim keys as in the file, before the judge checks them.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/question.hpp"

namespace assay {

/// Value of a key; `otherwise` if the claim has no such key, or one of another type.
template <class T>
T claim_key(const ClaimConfig& claim, std::string_view name, T otherwise = {}) {
  for (const RawOption& option : claim.keys) {
    const T* value = std::get_if<T>(&option.value.value);
    if (option.name == name && value != nullptr) return *value;
  }
  return otherwise;
}

/// Texts of a key whose value is a text or a list; empty if the claim has no such key.
inline std::vector<std::string> claim_texts(const ClaimConfig& claim, std::string_view name) {
  for (const RawOption& option : claim.keys) {
    if (option.name != name) continue;
    if (const auto* text = std::get_if<std::string>(&option.value.value)) return {*text};
    if (const auto* list = std::get_if<std::vector<std::string>>(&option.value.value)) return *list;
  }
  return {};
}

}  // namespace assay
