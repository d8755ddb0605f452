// Builds the Study over catalog, plan and facts, which it borrows.
#pragma once

#include <vector>

#include "analyze/analyze.hpp"
#include "assay/study.hpp"
#include "conclude/conclude.hpp"
#include "conclude/laid_out_tables.hpp"
#include "sheets/sheets.hpp"

namespace assay {

/// Borrows the sheets. Not movable: the tables point into it.
class SheetColumns {
 public:
  explicit SheetColumns(const std::vector<OwnedSheet>& sheets);
  SheetColumns(const SheetColumns&) = delete;
  SheetColumns& operator=(const SheetColumns&) = delete;

  void show_in(Study& study) const;

 private:
  void add(const OwnedSheet& sheet);

  std::vector<Str> id_, path_, name_, text_, label_text_;
  std::vector<std::uint64_t> lines_, column_begin_, column_end_, label_begin_, label_end_, cell_begin_, number_begin_,
      number_end_;
  std::vector<double> numbers_, label_order_;
  std::vector<std::uint32_t> label_;
  std::vector<LabelOrigin> label_origin_;

  SheetTable sheets_;
  SheetColumnTable columns_;
  SheetCellTable cells_;
  SheetLabelTable labels_;
};

/// Provisional results of reports that are not read yet, from what discovery knows: enough to group them into jobs.
std::vector<ReportResult> provisional_results(const Catalog& catalog, const QuestionCatalog& question);

/// Columns of one question's Study. Not movable: the Study points into it.
class StudyTables {
 public:
  /// Only loaded reports become rows. Facts are added by set_facts. `metrics`: metrics of the facts, sorted by id;
  /// borrowed.
  StudyTables(const AnalyzedQuestion& question, const std::vector<OwnedSheet>& sheets,
              const std::vector<OwnedMetric>& metrics);
  StudyTables(const StudyTables&) = delete;
  StudyTables& operator=(const StudyTables&) = delete;

  /// Replaces the facts and recomputes participation. Both must be sorted by (metric, dims) and stay unchanged until
  /// the next call; drops facts whose metric is not in `metrics`.
  void set_facts(const std::vector<Fact>& of_study, const std::vector<ReportResult>& reports);

  /// Copies to each result why its report is not believed; empty: it is.
  void copy_doubts(std::vector<ReportResult>& reports) const;

  [[nodiscard]] const Study& study() const { return study_; }
  /// Index into the results for a row of the study.
  [[nodiscard]] std::size_t entry_of(Row report) const { return entries_[static_cast<std::size_t>(report)]; }

 private:
  void add_reports(const AnalyzedQuestion& question);
  void add_labels(const AnalyzedQuestion& question);
  void add_metrics(const std::vector<OwnedMetric>& metrics);
  void add_claims(const std::vector<PlannedClaim>& claims);
  void add_facts(Row report, const std::vector<Fact>& facts);
  void add_rows(std::uint32_t report, const std::vector<OwnedTable>& rows);
  void set_participation();
  [[nodiscard]] std::string doubt_of_copies(std::size_t row) const;

  /// A label for which a copy of the report under another name has another value.
  struct OtherLabel {
    std::string label, other;
  };

  std::vector<std::size_t> entries_;
  std::vector<std::vector<OtherLabel>> contested_;  ///< by row
  std::vector<std::string> known_doubts_, doubts_;  ///< by row: as given with the reports, and including the facts

  struct {
    std::vector<Str> path;
    std::vector<ReportRole> role;
    std::vector<std::uint8_t> believed;
    std::vector<Str> doubt;
    std::vector<std::uint32_t> job;
  } reports_;
  struct {
    std::vector<Str> name;
    std::vector<std::uint32_t> changes;
    std::vector<std::uint8_t> numeric, descriptive, rank;
  } labels_;
  struct {
    std::vector<std::uint32_t> report, label;
    std::vector<Str> text;
    std::vector<double> order;
    std::vector<LabelOrigin> origin;
  } label_values_;
  struct {
    std::vector<std::uint32_t> report;
    std::vector<Str> name, value;
  } attributes_;
  struct {
    std::vector<Str> id, unit, definition, title;
    std::vector<Polarity> polarity;
    std::vector<std::uint8_t> extensive;
  } metrics_;
  struct {
    std::vector<Row> report;
    std::vector<std::uint32_t> metric;
    std::vector<Str> dims;
    std::vector<double> value, samples;
    std::vector<std::uint64_t> sample_begin, sample_end;
  } facts_;
  struct {
    std::vector<Str> id, text, source;
    std::vector<const Options*> keys;
  } claims_;
  struct {
    std::vector<std::uint32_t> report;
    std::vector<Str> analyzer;
    LaidOutTables tables;
  } rows_;

  SheetColumns sheets_;
  StudyReportTable report_table_;
  LabelTable label_table_;
  LabelValueTable label_value_table_;
  AttributeTable attribute_table_;
  MetricTable metric_table_;
  FactTable fact_table_;
  ClaimTable claim_table_;
  StudyRowTable row_table_;
  std::vector<Str> endings_;
  Study study_;
};

}  // namespace assay
