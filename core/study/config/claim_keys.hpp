// What a claim says of its two sides, as the file has it: before the judge has checked it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/question.hpp"

namespace assay {

struct ClaimSides {
  std::string compare, label, base;  ///< empty: the claim does not say
  std::vector<std::string> treated;
  bool exact = false;
};

/// A key of another type counts as one that the claim does not have.
inline ClaimSides claim_sides(const ClaimConfig& claim) {
  const auto claim_key = [&](std::string_view name, auto value) {
    const auto at = std::ranges::find(claim.keys, name, &RawOption::name);
    const auto* given = at == claim.keys.end() ? nullptr : std::get_if<decltype(value)>(&at->value.value);
    return given == nullptr ? value : *given;
  };
  ClaimSides sides{claim_key("compare", std::string()), claim_key("label", std::string()),
                   claim_key("base", std::string()), claim_key("treated", std::vector<std::string>()),
                   claim_key("exact", false)};
  if (const std::string one = claim_key("treated", std::string()); !one.empty()) sides.treated = {one};
  return sides;
}

}  // namespace assay
