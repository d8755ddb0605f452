// Host side of ReportSink: collects the output of one analyzer for one report.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyze/emission.hpp"
#include "analyze/facts.hpp"

namespace assay {

/// Output of one analyzer for one report, in emission order.
struct AnalyzerOutput {
  std::vector<Fact> facts;
  std::vector<OwnedAttribute> attributes;
  std::vector<OwnedTable> tables;
  std::vector<OwnedTable> rank_rows;   ///< input of `gather` of the same analyzer
  std::vector<OwnedTable> study_rows;  ///< input of every `conclude`
  std::vector<OwnedIssue> issues;
  std::vector<Skip> skips;
  std::vector<std::string> notes;
  std::vector<AbsentWant> absent;
  bool lacking = false;  ///< a need was not met; see `skips`
};

/// Receives tables as they are emitted, so that none is held in memory. Called by the thread that analyzes the report.
class TableStream {
 public:
  virtual ~TableStream() = default;
  /// `report`: its name. `more`: further rows of the last table for this report.
  virtual void on_table(std::string_view report, const TableView& table, bool more) = 0;
  /// End of the tables of this report.
  virtual void end(std::string_view report) = 0;
};

class RecordingReportSink final : public ReportSink {
 public:
  /// `declared` limits what may be emitted; `report` is the name in skips. `stream` receives the tables; null: they are
  /// collected.
  RecordingReportSink(const Descriptor& declared, std::string report, TableStream* stream = nullptr);

  Emit emit_fact(Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept override;
  Emit emit_attribute(Str name, Str value) noexcept override;
  Emit emit_table(const TableView* table) noexcept override;
  void emit_skip(Str metric, Str reason) noexcept override;
  void emit_skip_by(SkipCause cause, Str metric, Str reason) noexcept override;
  void emit_issue(Str name, Severity severity, std::int64_t count, Str text) noexcept override;
  void note(Str text) noexcept override;
  Emit emit_rows(const TableView* rows) noexcept override;
  Emit emit_rank_rows(const TableView* table) noexcept override;
  Emit emit_study_rows(const TableView* table) noexcept override;

  [[nodiscard]] const Refusal& refusal() const { return refusal_; }
  [[nodiscard]] AnalyzerOutput release() { return std::move(output_); }

 private:
  /// Passes a table, or more rows of the last one, to the stream.
  Emit pass_on(const TableView* table, bool more);

  const Descriptor* declared_;
  std::string analyzer_, report_;
  TableStream* stream_;
  std::string last_table_;
  Refusal refusal_;
  AnalyzerOutput output_;
  std::set<std::pair<std::string, std::string>> seen_facts_;
  std::set<std::string> seen_attributes_, seen_tables_, seen_rank_rows_, seen_study_rows_;
};

}  // namespace assay
