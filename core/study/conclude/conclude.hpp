// Stage 7, conclude: derives findings and verdicts from facts and labels, question by question.
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
  std::string analyzer;  ///< empty: the host, on the reports themselves; shown first
  FindingRole role;
  std::string title, text;
  std::optional<OwnedEffect> effect;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<EvidenceRow> evidence;
  std::int64_t pairs = 0, agreeing = 0;  ///< pairs that the effect summarizes, and those on its side of 1
};

/// Owned Need: what an open stratum still needs.
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
  std::optional<OwnedNeed> need{};  ///< of an open stratum
};

/// Content of a claim under the keys that the question gave: `metric` is its subject, `between` the claimed range.
struct ClaimedRange {
  std::string metric, unit;  ///< unit of the range, which is that of an effect
  EffectKind kind = EffectKind::kLevel;
  double low, high;  ///< infinite: unbounded on that side
};

struct OwnedClaim {
  std::string id, text, source;
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::vector<OwnedStratum> strata;
  std::vector<std::pair<std::string, std::vector<std::string>>> keys = {};  ///< as given, except `between`
  std::optional<ClaimedRange> claimed = {};
};

/// A metric as declared, for units and the methods section.
struct OwnedMetric {
  std::string id, unit, definition, analyzer;
  Polarity polarity = Polarity::kNeutral;
  std::string title = {};  ///< short title for people; empty if the analyzer has none
  bool extensive = false;  ///< grows with the length of the run (MetricSpec::extensive)
};

/// A text file that an analyzer emitted for one report.
struct OwnedTextFile {
  std::string analyzer;
  std::string report;  ///< its path, as in facts.csv
  std::string suffix;  ///< suffix of the file name
  std::string content;
};

struct QuestionResult {
  std::vector<OwnedMetric> metrics;    ///< of enabled analyzers, sorted by id
  std::vector<Fact> study_facts;       ///< report = none; sorted by (metric, dims)
  std::vector<OwnedFinding> findings;  ///< the host's, then answers, then in emission order
  std::vector<OwnedClaim> claims;      ///< in TOML order; every claim has a row
  std::vector<OwnedTable> tables;
  std::vector<OwnedPlot> plots;
  std::vector<OwnedTextFile> text_files;
  std::vector<Skip> skips;         ///< of all stages, sorted by (report, analyzer, reason), without duplicates
  Completeness completeness;       ///< with `lacking`, `unreadable` and `missing` known after reading
  std::vector<std::string> notes;  ///< of analyzers, for the log only
  std::size_t recalled = 0;        ///< analyzers whose conclusions came from the cache, for the log only
};

/// An analyzed question with all its inputs. Borrows.
struct AnalyzedQuestion {
  const PlannedQuestion& planned;
  const Catalog& catalog;
  const QuestionCatalog& found;
  std::vector<ReportResult>& reports;  ///< like `found.entries`; facts derived for a report are added to them

  [[nodiscard]] const std::string& name_of(std::size_t report) const {
    return catalog.files[found.entries[report].file].name;
  }
};

struct ConcludeSettings {
  /// Metrics of facts that came with the reports and that no analyzer of the question declares.
  std::vector<OwnedMetric> given = {};
  /// Null: no cache. With it, an analyzer does not conclude again from an equal study.
  const ResultCache* cache = nullptr;
  /// Not null: rehearses each `conclude` in its own process; an analyzer that fails there is not called here.
  const process::Limits* isolated = nullptr;
};

/// Runs `conclude` of every analyzer of one question in planned order. An analyzer that fails loses only its own
/// outputs of this stage. Sheets that could not be read become skips.
QuestionResult conclude(const AnalyzedQuestion& question, const Analyzers& analyzers, const Sheets& sheets,
                        const ConcludeSettings& settings = {});

}  // namespace assay
