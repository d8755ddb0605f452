// Stored results of one question as one question: a label more says which side a report is of, another which result.
#pragma once

#include <string>
#include <vector>

#include "conclude/conclude.hpp"
#include "results/stored_results.hpp"

namespace assay {

inline constexpr const char* kBefore = "before";
inline constexpr const char* kAfter = "after";
inline constexpr const char* kNoise = "noise";

/// A result, and what it is in a comparison: kBefore, kAfter, or kNoise where it only tells how much days differ.
struct Measurement {
  const StoredQuestion* question;
  const char* side;
};

/// What `conclude` needs, made from facts instead of from reports.
struct MergedResults {
  Question question;
  Catalog catalog;                    ///< of one question
  std::vector<ReportResult> reports;  ///< as QuestionCatalog::entries
  std::vector<OwnedMetric> metrics;   ///< of either result, sorted by id
  std::vector<std::string> compared;  ///< ids of those that are asked about
  std::string label;                  ///< the one that says which side: "result", or longer where that is taken
  std::string measurement;            ///< likewise "measurement", which result
};

/// Reports are named "before/...", "after/...", "before 2/..." and so on. Labels are those of all; a report without
/// any, in a question that cannot tell its reports apart by labels, is matched by its name. Of facts only those whose
/// metric matches one of the globs `metrics` are kept (none: all), and that by which runs are brought to one length.
MergedResults merge(const std::vector<Measurement>& results, const std::vector<std::string>& metrics);

}  // namespace assay
