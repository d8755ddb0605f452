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

}  // namespace assay::load
