// A sink for tests: keeps a copy of everything an analyzer emits and rejects what the host would reject.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/output.hpp"
#include "assay/study.hpp"
#include "assay/testing/recorded_data.hpp"

namespace assay::testing {

/// Canonical dims: "k=v;k=v" sorted by key, with '%', ';', '=' and control bytes percent-encoded; empty if a key is
/// empty or repeated.
std::optional<std::string> dims_text(std::span<const Dim> dims);

struct RecordedFact {
  Row report = kNone;  ///< kNone from `analyze`, and for facts of the study
  std::string metric, dims;
  double value = 0;
  std::vector<double> samples;
};

struct RecordedSkip {
  Row report = kNone;          ///< kNone from `analyze`, and for the question
  std::string metric, reason;  ///< metric: from `analyze` only
  SkipCause cause = SkipCause::kOther;
};

struct RecordedTextFile {
  Row report = kNone;  ///< row of Study::reports
  std::string suffix, content;
};

struct RecordedIssue {
  std::string name;
  Severity severity = Severity::kInfo;
  std::int64_t count = 0;
  std::string text;
};

/// An effect that owns its texts.
struct RecordedEffect {
  Effect effect;  ///< metric and method are in the members below
  std::string metric, method;
};

/// A finding that was emitted; members as in Finding.
struct RecordedFinding {
  FindingRole role = FindingRole::kEvidence;
  std::string title, text;
  std::optional<RecordedEffect> effect;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::int64_t> evidence;
  std::int64_t pairs = 0, agreeing = 0;
};

/// A stratum of a verdict; members as in StratumVerdict.
struct RecordedStratum {
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::optional<RecordedEffect> effect;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::int64_t> evidence;
  Need need{};  ///< without its text
  std::string in_vain{};
};

struct RecordedVerdict {
  std::int64_t claim = 0;  ///< row of Study::claims
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::vector<RecordedStratum> strata;
};

/// Metrics and attributes that the analyzer under test declares; `of<T>()` reads them from its class.
struct DeclaredOutputs {
  std::vector<std::string> metrics, attributes;

  template <class Analyzer>
  static DeclaredOutputs of() {
    DeclaredOutputs out;
    if constexpr (requires { Analyzer::kProduces; }) {
      for (const MetricSpec& spec : Analyzer::kProduces) out.metrics.emplace_back(spec.id.view());
    }
    if constexpr (requires { Analyzer::kAttributes; }) {
      for (const AttributeSpec& spec : Analyzer::kAttributes) out.attributes.emplace_back(spec.name.view());
    }
    return out;
  }
};

/// Sink for `analyze`, `conclude` and failures; every vector is in order of emission. Without DeclaredOutputs every
/// metric and attribute is accepted; without a Study, row numbers of reports, claims and facts are only checked not to
/// be negative.
class Recorder final : public ReportSink, public StudySink, public ErrorSink {
 public:
  // Defined in the source: these are large and would be compiled in every test.
  Recorder();
  ~Recorder();
  Recorder(const Recorder&);
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(const Recorder&);
  Recorder& operator=(Recorder&&) noexcept;
  explicit Recorder(DeclaredOutputs declared, const Study* study = nullptr);

  std::vector<RecordedFact> facts;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<RecordedTable> tables, rank_tables, study_tables;  ///< those for outputs, for `gather`, for `conclude`
  std::vector<RecordedPlot> plots;
  std::vector<RecordedSkip> skips;
  std::vector<RecordedIssue> issues;
  std::vector<RecordedFinding> findings;
  std::vector<RecordedVerdict> verdicts;
  std::vector<RecordedTextFile> text_files;
  std::vector<std::string> notes;
  std::vector<std::string> failures;

  /// The fact with this metric, canonical dims and report (kNone: from `analyze`, or of the study), or null.
  [[nodiscard]] const RecordedFact* fact_of(std::string_view metric, std::string_view dims = {},
                                            Row report = kNone) const;
  /// Value of that fact, or empty.
  [[nodiscard]] std::optional<double> value(std::string_view metric, std::string_view dims = {},
                                            Row report = kNone) const;
  /// Value of an attribute, or empty.
  [[nodiscard]] std::optional<std::string> attribute_of(std::string_view name) const;
  /// Null if no table has the id.
  [[nodiscard]] const RecordedTable* table_of(std::string_view id) const;
  /// Null if no plot has the id.
  [[nodiscard]] const RecordedPlot* plot_of(std::string_view id) const;
  /// Text file of a report with this suffix, or null.
  [[nodiscard]] const std::string* text_file_of(Row report, std::string_view suffix) const;
  /// Reason of the first skip of a metric (from `analyze`), or empty.
  [[nodiscard]] std::optional<std::string> skip_of(std::string_view metric) const;

  // ReportSink
  Emit emit_fact(Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept override;
  Emit emit_attribute(Str name, Str value) noexcept override;
  void emit_skip(Str metric, Str reason) noexcept override { emit_skip_by(SkipCause::kOther, metric, reason); }
  void emit_skip_by(SkipCause cause, Str metric, Str reason) noexcept override {
    skips.push_back({kNone, text(metric), text(reason), cause});
  }
  void emit_issue(Str name, Severity severity, std::int64_t count, Str sentence) noexcept override;

  // StudySink
  Emit emit_fact(Row report, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept override;
  Emit emit_finding(const FindingView* finding) noexcept override;
  Emit emit_verdict(const VerdictView* verdict) noexcept override;
  void emit_skip(Row report, Str reason) noexcept override { skips.push_back({report, {}, text(reason)}); }
  Emit emit_plot(const PlotView* plot) noexcept override;
  Emit emit_text_file(Row report, Str suffix, Str content) noexcept override;

  // both
  Emit emit_table(const TableView* table) noexcept override;
  Emit emit_rows(const TableView* rows) noexcept override;
  Emit emit_rank_rows(const TableView* table) noexcept override;
  Emit emit_study_rows(const TableView* table) noexcept override;
  void note(Str sentence) noexcept override { notes.push_back(text(sentence)); }

  // ErrorSink
  void fail(Str sentence) noexcept override { failures.push_back(text(sentence)); }

 private:
  static std::string text(Str s) { return std::string(s.view()); }
  static bool contains(const std::vector<std::string>& names, Str name);
  static std::optional<RecordedEffect> owned(bool has, const Effect& effect);
  static std::vector<std::pair<std::string, std::string>> owned(Span<LabelValue> labels);
  [[nodiscard]] bool known_facts(Span<std::int64_t> rows) const;

  std::optional<DeclaredOutputs> declared_;
  const Study* study_ = nullptr;
  std::set<std::tuple<Row, std::string, std::string>> seen_;
};

}  // namespace assay::testing
