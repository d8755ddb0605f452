// What a report states of its recording.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "assay/detail/text.hpp"
#include "assay/report.hpp"

namespace assay {

/// Value of the first property of that name; empty: there is none. Needs col::properties.
inline std::string_view property_of(const Report& report, std::string_view name) {
  for (std::size_t row = 0; report.properties != nullptr && row < report.properties->rows; ++row) {
    if (report.properties->name[row].view() == name) return report.properties->value[row].view();
  }
  return {};
}

/// Start of the report's clock, ns since the epoch; empty: not stated. Needs col::properties.
inline std::optional<std::int64_t> origin_of(const Report& report) {
  return number_in<std::int64_t>(property_of(report, "origin_ns"));
}

}  // namespace assay
