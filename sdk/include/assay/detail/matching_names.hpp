// Names of a report that match patterns of ranges, each name compared once: a report has many ranges and few names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::detail {

class MatchingNames {
 public:
  /// Patterns as in range_name_matches(). Borrows both.
  MatchingNames(const Report& report, std::span<const std::string> patterns)
      : report_(&report), patterns_(patterns), known_(static_cast<std::size_t>(report.strings.size), kNotAsked) {}

  /// Place of the first pattern that the name matches; kNone: it matches none.
  std::int32_t pattern_of(StringId name) {
    std::int32_t& known = known_[name];
    if (known == kNotAsked) known = look_up(name);
    return known;
  }
  bool contains(StringId name) { return pattern_of(name) != kNone; }

 private:
  static constexpr std::int32_t kNotAsked = kNone - 1;
  [[nodiscard]] std::int32_t look_up(StringId name) const;

  const Report* report_;
  std::span<const std::string> patterns_;
  std::vector<std::int32_t> known_;  ///< by name
};

}  // namespace assay::detail
