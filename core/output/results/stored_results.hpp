// Results read back from results.sqlite: what was printed once can be printed again, and compared.
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

/// A report as it was read then.
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
  std::vector<StoredLabel> labels;    ///< in the order of the TOML
  std::vector<StoredReport> reports;  ///< sorted by name
  QuestionResult result;              ///< without tables and notes
  std::vector<IssueRow> issues;

  [[nodiscard]] SummaryInput summary() const;
};

/// `out` is a folder that `assay run` wrote, or its results.sqlite. Errors (exit 2): there is none, it is no database
/// of ours or of another version, it is damaged. Facts are read only `with_facts`.
Result<std::vector<StoredQuestion>> read_results(const std::filesystem::path& out, bool with_facts);

/// The same of a run that has just ended, as if it had been written and read: reports with their facts, metrics and
/// claims; no texts, findings or issues.
std::vector<StoredQuestion> to_stored(const RunResult& run);

}  // namespace assay
