// Merges stored results of one question into one question: additional labels state the side and the result of a report.
#pragma once

#include <string>
#include <vector>

#include "conclude/conclude.hpp"
#include "results/stored_results.hpp"

namespace assay {

inline constexpr const char* kBefore = "before";
inline constexpr const char* kAfter = "after";
inline constexpr const char* kNoise = "noise";

/// A result and its role in a comparison: kBefore, kAfter, or kNoise if it only contributes to the variation between
/// days.
struct Measurement {
  const StoredQuestion* question;
  const char* side;
};

/// Input of `conclude`, from facts instead of reports.
struct MergedResults {
  Question question;
  Catalog catalog;                    ///< of one question
  std::vector<ReportResult> reports;  ///< as QuestionCatalog::entries
  std::vector<OwnedMetric> metrics;   ///< of either result, sorted by id
  std::vector<std::string> compared;  ///< ids of the compared metrics
  std::string label;                  ///< label for the side: "result", or longer if that is taken
  std::string measurement;            ///< likewise for the result: "measurement"
};

/// Reports are named "before/...", "after/...", "before 2/..." and so on, with the labels of all results; a report
/// without labels, in a question whose labels do not identify reports, is matched by name. Keeps only facts whose
/// metric matches one of the globs `metrics` (empty: all), and those used to normalize runs to one length.
MergedResults merge(const std::vector<Measurement>& results, const std::vector<std::string>& metrics);

}  // namespace assay
