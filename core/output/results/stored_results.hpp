// Reads results back from results.sqlite, for printing them again and for comparing them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "render/outputs.hpp"
#include "render/summary.hpp"

namespace assay {

/// A declared label of a stored question.
struct StoredLabel {
  std::string name;
  bool numeric = false, descriptive = false, rank = false;
};

/// A report as it was read by the run.
struct StoredReport {
  std::string name;
  ReportRole role = ReportRole::kQuestion;
  bool loaded = false;
  std::uint64_t bytes = 0;
  std::string doubt = {};                                   ///< why its labels were not believed; empty: they were
  std::vector<std::pair<std::string, std::string>> labels;  ///< label, value
  std::vector<OwnedAttribute> attributes;                   ///< sorted by name
  std::vector<Fact> facts;                                  ///< sorted by (metric, dims), without samples
};

struct StoredQuestion {
  std::string id, title, text, note;
  std::vector<SourceSpec> sources;
  std::vector<StoredLabel> labels;    ///< in TOML order
  std::vector<StoredReport> reports;  ///< sorted by name
  QuestionResult result;              ///< without tables and notes
  std::vector<IssueRow> issues;

  [[nodiscard]] SummaryInput summary() const;
};

/// `out` is a folder written by `assay run`, or its results.sqlite. Errors (exit 2): it is missing, not one of our
/// databases or of another version, or damaged. Reads facts only if `with_facts`.
Result<std::vector<StoredQuestion>> read_results(const std::filesystem::path& out, bool with_facts);

/// Converts a run that has just ended as if it had been written and read: reports with their facts, metrics and claims;
/// without texts, findings and issues.
std::vector<StoredQuestion> to_stored(const RunResult& run);

}  // namespace assay
