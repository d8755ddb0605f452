// Lays out a Study over the catalog, the plan and the facts, which it borrows.
#pragma once

#include <vector>

#include "analyze/analyze.hpp"
#include "assay/study.hpp"
#include "conclude/conclude.hpp"
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

/// What reading the reports of a question says at least, as far as that is known before they are read: enough to tell
/// jobs apart.
std::vector<ReportResult> provisional_results(const Catalog& catalog, const QuestionCatalog& question);

/// The columns of one question's Study. Not movable: the Study points into it.
class StudyTables {
 public:
  /// Only reports that were loaded become rows. Facts are laid out by set_facts. `metrics` are those that facts may be
  /// of, sorted by id, and are borrowed.
  StudyTables(const AnalyzedQuestion& question, const std::vector<OwnedSheet>& sheets,
              const std::vector<OwnedMetric>& metrics);
  StudyTables(const StudyTables&) = delete;
  StudyTables& operator=(const StudyTables&) = delete;

  /// Lays out the facts anew, and who takes part by them. Both must be sorted by (metric, dims) and stay as they are
  /// until the next call; a fact of a metric that is none of `metrics` is left out.
  void set_facts(const std::vector<Fact>& of_study, const std::vector<ReportResult>& reports);

  /// Tells each result why its report is not believed, as far as the facts and what was known before say.
  void copy_doubts(std::vector<ReportResult>& reports) const;

  [[nodiscard]] const Study& study() const { return study_; }
  /// Index into the results of the report in a row of the study.
  [[nodiscard]] std::size_t entry_of(Row report) const { return entries_[static_cast<std::size_t>(report)]; }

 private:
  void add_reports(const AnalyzedQuestion& question);
  void add_labels(const AnalyzedQuestion& question);
  void add_metrics(const std::vector<OwnedMetric>& metrics);
  void add_claims(const std::vector<PlannedClaim>& claims);
  void add_facts(Row report, const std::vector<Fact>& facts);
  void set_participation();
  [[nodiscard]] std::string doubt_of_copies(std::size_t row) const;

  /// A label of which a copy of the report under another name says otherwise.
  struct OtherLabel {
    std::string label, other;
  };

  std::vector<std::size_t> entries_;
  std::vector<std::vector<OtherLabel>> contested_;  ///< by row
  std::vector<std::string> known_doubts_, doubts_;  ///< by row: given with the reports, and with what the facts say

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

  SheetColumns sheets_;
  StudyReportTable report_table_;
  LabelTable label_table_;
  LabelValueTable label_value_table_;
  AttributeTable attribute_table_;
  MetricTable metric_table_;
  FactTable fact_table_;
  ClaimTable claim_table_;
  Study study_;
};

}  // namespace assay
