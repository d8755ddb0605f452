// What a claim says under a key of its judge, as the file has it: before the judge has checked it.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/question.hpp"

namespace assay {

/// The value of a key; `otherwise` where the claim has no such key, or one of another type.
template <class T>
T claim_key(const ClaimConfig& claim, std::string_view name, T otherwise = {}) {
  for (const RawOption& option : claim.keys) {
    const T* value = std::get_if<T>(&option.value.value);
    if (option.name == name && value != nullptr) return *value;
  }
  return otherwise;
}

/// The texts of a key that takes one or a list; none where the claim does not have it.
inline std::vector<std::string> claim_texts(const ClaimConfig& claim, std::string_view name) {
  for (const RawOption& option : claim.keys) {
    if (option.name != name) continue;
    if (const auto* text = std::get_if<std::string>(&option.value.value)) return {*text};
    if (const auto* list = std::get_if<std::vector<std::string>>(&option.value.value)) return *list;
  }
  return {};
}

}  // namespace assay
