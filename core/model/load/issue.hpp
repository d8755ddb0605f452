// A problem of a file, before it becomes a row of Report::issues.
#pragma once

#include <cstdint>
#include <string>

#include "assay/report.hpp"

namespace assay::load {

struct Issue {
  std::string name;
  Severity severity = Severity::kInfo;
  std::int64_t count = 0;  ///< rows concerned; 0 if it is not about rows
  std::string text;        ///< one sentence
};

/// Code of the issue of a report whose device work contradicts itself in more than 1 % of its time: every answer from
/// it repeats the text.
inline constexpr const char* kDamagedTimes = "damaged_times";

}  // namespace assay::load
