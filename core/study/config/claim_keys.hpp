// The two sides of a claim as written in the file, before the judge checks them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/question.hpp"

namespace assay {

struct ClaimSides {
  std::string compare, label, base;  ///< empty: missing in the claim
  std::vector<std::string> treated;
  bool exact = false;
};

/// Sides of a claim; a key of another type counts as missing.
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
