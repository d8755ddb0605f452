// The published text per report, from the facts of one report.
#pragma once

#include <string>

#include "assay/study.hpp"

namespace assay::latency {

/// The labels in the header of the text; a label without a value appears as "unknown".
struct HeaderLabels {
  std::string gpu, numa, depth, patch, dim;
};

/// The text of a report (row of the study's reports); the published error form if it has no kernels and therefore no
/// facts.
std::string text_of(const StudyView& view, std::size_t report, const HeaderLabels& labels);

}  // namespace assay::latency
