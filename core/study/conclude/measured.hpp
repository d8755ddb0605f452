// The measurements, as the answer to a question whose analyzers conclude nothing.
#pragma once

#include <optional>

#include "conclude/conclude.hpp"

namespace assay {

inline constexpr const char* kMeasuredTable = "measured";

struct MeasuredAnswer {
  OwnedFinding answer;
  OwnedTable table;  ///< kMeasuredTable: one row per report with its labels and the first few metrics
};

/// From facts without dims. Empty if no report has any.
std::optional<MeasuredAnswer> measured(const AnalyzedQuestion& question, const std::vector<OwnedMetric>& metrics);

}  // namespace assay
