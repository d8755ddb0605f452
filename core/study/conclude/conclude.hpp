// Stage 7, conclude: facts and labels to findings and verdicts, question by question.
#pragma once

#include "analyze/analyze.hpp"
#include "conclude/owned_plot.hpp"
#include "sheets/sheets.hpp"

namespace assay {

class ResultCache;

struct OwnedEffect {
  EffectKind kind;
  Scope scope;
  std::string metric, unit;  ///< unit of the value: "1" for ratios, "ratio" for shares, else the metric's own
  double value, lo, hi, level;
  std::int64_t n;
  std::string method;
};

struct OwnedFinding {
  std::string analyzer;  ///< empty: the host, about what the reports are; said before everything else
  FindingRole role;
  std::string title, text;
  std::optional<OwnedEffect> effect;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<EvidenceRow> evidence;
  std::int64_t pairs = 0, agreeing = 0;  ///< that the effect summarises, and those on its side of 1
};

/// As Need: what an open stratum still needs.
struct OwnedNeed {
  NeedUnit unit = NeedUnit::kNothing;
  NeedScale scale = NeedScale::kLogs;
  double centre = 0, spread = 0, degrees = 0, low = 0, high = 0, unseen = 0;
  std::int64_t sides = 0, seen = 0, needed = 0;
  std::string in_vain;
};

struct OwnedStratum {
  std::vector<std::pair<std::string, std::string>> labels;
  Verdict verdict;
  std::string reason;
  std::optional<OwnedEffect> effect;
  std::vector<EvidenceRow> evidence;
  std::optional<OwnedNeed> need{};  ///< of an open one
};

/// What a claim says, by the keys of its judge that the question gave: of those named so, `metric` is what it is about
/// and `between` is the claimed range.
struct ClaimedRange {
  std::string metric, unit;  ///< unit of the range: that of an effect
  EffectKind kind = EffectKind::kLevel;
  double low, high;  ///< infinite: no bound on that side
};

struct OwnedClaim {
  std::string id, text, source;
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::vector<OwnedStratum> strata;
  std::vector<std::pair<std::string, std::vector<std::string>>> keys = {};  ///< as given, `between` aside
  std::optional<ClaimedRange> claimed = {};
};

/// Metric as declared, for units and the methods section.
struct OwnedMetric {
  std::string id, unit, definition, analyzer;
  Polarity polarity = Polarity::kNeutral;
  std::string title = {};  ///< a few words for people; empty where the analyzer gives none
  bool extensive = false;  ///< grows with the length of the run (MetricSpec::extensive)
};

/// A text that an analyzer made of one report.
struct OwnedTextFile {
  std::string analyzer;
  std::string report;  ///< its path, as in facts.csv
  std::string suffix;  ///< of the file's name
  std::string content;
};

struct QuestionResult {
  std::vector<OwnedMetric> metrics;    ///< of enabled analyzers, sorted by id
  std::vector<Fact> study_facts;       ///< report = none; sorted by (metric, dims)
  std::vector<OwnedFinding> findings;  ///< the host's, then answers, then in the order emitted
  std::vector<OwnedClaim> claims;      ///< in the order of the TOML; every claim has a row
  std::vector<OwnedTable> tables;
  std::vector<OwnedPlot> plots;
  std::vector<OwnedTextFile> text_files;
  std::vector<Skip> skips;         ///< of all stages, sorted by (report, analyzer, reason), each once
  Completeness completeness;       ///< with what reading the reports added: `lacking`, `unreadable`, `missing`
  std::vector<std::string> notes;  ///< of analyzers, for the log only
  std::size_t recalled = 0;        ///< analyzers whose conclusions were remembered, for the log only
};

/// One question whose reports are analyzed, with everything that belongs to it. Borrows.
struct AnalyzedQuestion {
  const PlannedQuestion& planned;
  const Catalog& catalog;
  const QuestionCatalog& found;
  std::vector<ReportResult>& reports;  ///< as `found.entries`; facts that are derived for a report join them

  [[nodiscard]] const std::string& name_of(std::size_t report) const {
    return catalog.files[found.entries[report].file].name;
  }
};

struct ConcludeSettings {
  /// Metrics of facts that came with the reports and that no analyzer of the question declares.
  std::vector<OwnedMetric> given = {};
  /// What is remembered; null: nothing. What an analyzer concluded from the same study is not concluded again.
  const ResultCache* cache = nullptr;
  /// Not null: a `conclude` is first rehearsed in a process of its own, and an analyzer that does not come through
  /// fails without being called here.
  const process::Limits* isolated = nullptr;
};

/// Runs `conclude` of every analyzer of one question in planned order. An analyzer that fails loses its own outputs of
/// this stage and no other's. Sheets that could not be read become skips.
QuestionResult conclude(const AnalyzedQuestion& question, const Analyzers& analyzers, const Sheets& sheets,
                        const ConcludeSettings& settings = {});

}  // namespace assay
