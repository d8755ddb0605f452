// The published per-report text, from the facts of one report.
#pragma once

#include <string>

#include "assay/study.hpp"

namespace assay::latency {

/// Which labels the header of the text shows; a label without a value shows as "unknown".
struct HeaderLabels {
  std::string gpu, numa, depth, patch, dim;
};

/// The text of a report (row of the study's reports); the published error form where it has no kernels, so no facts.
std::string text_of(const StudyView& view, std::size_t report, const HeaderLabels& labels);

}  // namespace assay::latency
