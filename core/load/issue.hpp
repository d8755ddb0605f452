// What was wrong or missing in a file, before it becomes a row of Report::issues.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "assay/report.hpp"

namespace assay::load {

struct Issue {
  std::string name;
  Severity severity = Severity::kInfo;
  std::int64_t count = 0;  ///< rows concerned; 0 when it is not about rows
  std::string text;        ///< one sentence
};

/// The parts as one text; integers in decimal. (g++ 12 has no std::format.)
template <class... Part>
std::string concat(const Part&... parts) {
  std::string out;
  const auto append = [&out](const auto& part) {
    if constexpr (std::integral<std::remove_cvref_t<decltype(part)>>) {
      out += std::to_string(part);
    } else {
      out += std::string_view(part);
    }
  };
  (append(parts), ...);
  return out;
}

}  // namespace assay::load
