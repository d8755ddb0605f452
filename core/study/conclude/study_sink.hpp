// Host side of StudySink: collects the conclusions of one analyzer until it has succeeded.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyze/emission.hpp"
#include "assay/study.hpp"
#include "conclude/conclude.hpp"

namespace assay {

/// A verdict as emitted, for the claim of its row.
struct OwnedVerdict {
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::vector<OwnedStratum> strata;
};

/// Conclusions of one analyzer.
struct StudyOutput {
  std::vector<std::pair<Row, Fact>> facts;  ///< report row or kNone
  std::vector<OwnedFinding> findings;
  std::vector<OwnedTable> tables;
  std::vector<OwnedPlot> plots;
  std::vector<OwnedTextFile> text_files;
  std::map<std::size_t, OwnedVerdict> verdicts;  ///< by row of Study::claims
  std::vector<Skip> skips;
  std::vector<std::string> notes;
};

class RecordingStudySink final : public StudySink {
 public:
  /// `declared` limits what may be emitted, row numbers refer to `study`; both must outlive the sink.
  RecordingStudySink(const Descriptor& declared, const Study& study);

  Emit emit_fact(Row report, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept override;
  Emit emit_finding(const FindingView* finding) noexcept override;
  Emit emit_table(const TableView* table) noexcept override;
  Emit emit_verdict(const VerdictView* verdict) noexcept override;
  void emit_skip(Row report, Str reason) noexcept override;
  void note(Str text) noexcept override;
  Emit emit_plot(const PlotView* plot) noexcept override;
  Emit emit_text_file(Row report, Str suffix, Str content) noexcept override;

  [[nodiscard]] const Refusal& refusal() const { return refusal_; }
  [[nodiscard]] StudyOutput release() { return std::move(output_); }

 private:
  using Labels = std::vector<std::pair<std::string, std::string>>;

  [[nodiscard]] bool is_report(Row report) const;
  [[nodiscard]] std::string report_name(Row report) const;
  /// These copy into their last argument and return what is wrong; empty if nothing is.
  std::string copy_effect(const Effect& effect, std::optional<OwnedEffect>& to) const;
  std::string copy_evidence(Span<std::int64_t> rows, std::vector<EvidenceRow>& to) const;
  static std::string copy_labels(Span<LabelValue> labels, Labels& to);
  std::string copy_finding(const FindingView& view, OwnedFinding& to) const;
  static std::string copy_need(const Need& need, std::optional<OwnedNeed>& to);
  std::string copy_stratum(const StratumView& view, OwnedStratum& to) const;
  std::string copy_verdict(const VerdictView& view, OwnedVerdict& to) const;

  const Descriptor* declared_;
  StudyView study_;
  std::string analyzer_;
  Refusal refusal_;
  StudyOutput output_;
  std::set<std::tuple<Row, std::string, std::string>> seen_facts_;
  std::set<std::string> seen_tables_, seen_plots_;
  std::set<std::pair<Row, std::string>> seen_text_files_;
};

}  // namespace assay
