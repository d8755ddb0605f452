// Two stored results of one question as one question: a label more says which result a report is of.
#pragma once

#include <string>
#include <vector>

#include "conclude/conclude.hpp"
#include "results/stored_results.hpp"

namespace assay {

inline constexpr const char* kBefore = "before";
inline constexpr const char* kAfter = "after";

/// What `conclude` needs, made from facts instead of from reports.
struct MergedResults {
  Question question;
  Catalog catalog;                    ///< of one question
  std::vector<ReportResult> reports;  ///< as QuestionCatalog::entries
  std::vector<OwnedMetric> metrics;   ///< of either result, sorted by id
  std::vector<std::string> compared;  ///< ids of those that are asked about
  std::string label;                  ///< the one that says which result: "result", or longer where that is taken
};

/// Reports are named "before/..." and "after/...". Labels are those of either side; a report without any, in a question
/// that cannot tell its reports apart by labels, is matched by its name. Of facts only those whose metric matches one
/// of the globs `metrics` are kept (none: all), and that by which runs are brought to one length.
MergedResults merge(const StoredQuestion& before, const StoredQuestion& after, const std::vector<std::string>& metrics);

}  // namespace assay
