// Keys of a claim that the host itself reads. The judge declares and checks all keys; these mean the same for every
// judge.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "config/question.hpp"

namespace assay {

/// Key of the claimed range.
inline constexpr std::string_view kClaimedRange = "between";

/// Whether a key of a claim, or an option of an analyzer, names values of the label that its `label` names.
constexpr bool names_label_values(std::string_view name) { return name == "base" || name == "treated"; }

struct ClaimShape {
  std::string metric, compare, label, base;  ///< empty: not given
  std::vector<std::string> treated;
  std::vector<double> between;  ///< bounds of the claimed range; empty: not given
  bool exact = false;
};

/// `keys`: of a ClaimConfig, as written, or entries of an OptionSet, checked. A key of another type counts as not
/// given.
template <typename Keys>
ClaimShape claim_shape(const Keys& keys) {
  ClaimShape shape;
  const auto claim_key = [&](std::string_view name, auto& to) {
    const auto at = std::ranges::find_if(keys, [&](const auto& key) { return key.name == name; });
    if (at == keys.end()) return;
    const auto& given = [&]() -> const auto& {
      if constexpr (requires { at->value.pos; })
        return at->value.value;
      else
        return at->value;
    }();
    if (const auto* value = std::get_if<std::remove_reference_t<decltype(to)>>(&given)) to = *value;
  };
  claim_key("metric", shape.metric);
  claim_key("compare", shape.compare);
  claim_key("label", shape.label);
  claim_key("base", shape.base);
  claim_key("treated", shape.treated);
  std::string one;
  claim_key("treated", one);
  if (!one.empty()) shape.treated = {one};
  claim_key(kClaimedRange, shape.between);
  claim_key("exact", shape.exact);
  return shape;
}

}  // namespace assay
