// Input of `conclude`: labels of the reports, all facts, rows that `analyze` emitted for it, the claims. Never a
// report: a study can be built from ten lines (assay::testing::StudyBuilder), re-run without reading profiles, and
// gathered on other machines.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "assay/abi.hpp"
#include "assay/options.hpp"
#include "assay/output.hpp"
#include "assay/report.hpp"

namespace assay {

/// Why a report is in the study.
enum class ReportRole : std::uint8_t {
  kQuestion = 0,  ///< belongs to the question: paired, swept, judged
  kNoise = 1,     ///< from [noise]: only shows how much repeat runs differ
};

/// Reports that were read, sorted by path. Participation is decided here, for all analyzers (algo/participation.hpp).
struct StudyReportTable {
  std::uint64_t rows = 0;
  Column<Str> path;  ///< as in facts.csv
  Column<ReportRole> role;
  Column<std::uint8_t> believed;  ///< 1: believed; 0: the report contradicts its labels, so it counts nowhere
  Column<Str> doubt;              ///< why it is not believed, a clause: "its label batch is ..."; empty: it is
  Column<std::uint32_t> job;      ///< row of the job's first report: equal for its ranks, which together are one run
};

/// What a label is declared to change in a trace ([labels] `changes`): bits.
enum LabelChange : std::uint32_t { kChangesKernels = 1, kChangesCopies = 2, kChangesSync = 4 };

/// Declared labels, in TOML order.
struct LabelTable {
  std::uint64_t rows = 0;
  Column<Str> name;
  Column<std::uint32_t> changes;     ///< LabelChange bits; 0: not visible in a trace
  Column<std::uint8_t> numeric;      ///< 1: values are numbers
  Column<std::uint8_t> descriptive;  ///< 1: descriptive only (a run id): ignored when matching pairs
  Column<std::uint8_t> rank;         ///< 1: distinguishes the processes of one job; descriptive too
};

/// kReport: stated in the report. The labels device, clock and driver always have this origin; a study has them if its
/// reports differ in them or if the question names them.
enum class LabelOrigin : std::uint8_t { kName = 0, kDefault = 1, kImplied = 2, kResults = 3, kReport = 4 };

/// Label values of reports, sorted by (report, label). No row for a report without a value.
struct LabelValueTable {
  std::uint64_t rows = 0;
  Column<std::uint32_t> report;  ///< row of reports
  Column<std::uint32_t> label;   ///< row of labels
  Column<Str> text;
  Column<double> order;        ///< sort key: the number of a numeric label, else the index in the list of values
  Column<LabelOrigin> origin;  ///< file name, default, implied by another word of the name, results of a runner, or the
                               ///< report itself
};

/// Text attributes, sorted by (report, name): those emitted by analyzers, and the report's statements on its recording:
/// device, clock, driver, cuda, profiler, rank, world_size. No row for unknown values.
struct AttributeTable {
  std::uint64_t rows = 0;
  Column<std::uint32_t> report;  ///< row of reports
  Column<Str> name;
  Column<Str> value;
};

/// Metrics declared by enabled analyzers, sorted by id.
struct MetricTable {
  std::uint64_t rows = 0;
  Column<Str> id;
  Column<Str> unit;  ///< as in MetricSpec
  Column<Polarity> polarity;
  Column<Str> definition;
  Column<Str> title;               ///< short title for people; empty if its analyzer has none
  Column<std::uint8_t> extensive;  ///< 1: grows with the length of the run (MetricSpec::extensive)
};

/// Facts, sorted by (report, metric, dims). Study facts (report -1) of earlier analyzers come first.
struct FactTable {
  std::uint64_t rows = 0;
  Column<Row> report;            ///< row of reports; -1: the study
  Column<std::uint32_t> metric;  ///< row of metrics
  Column<Str> dims;              ///< canonical: "k=v;k=v", sorted by key, escaped as in facts.csv; may be empty
  Column<double> value;          ///< in the unit of the metric; finite
  Column<std::uint64_t> sample_begin, sample_end;  ///< slice [begin, end) of `samples`; empty if the fact has none
  Column<double> samples;                          ///< of all facts; not one per row
};

/// [[claim]]s of the question, in TOML order.
struct ClaimTable {
  std::uint64_t rows = 0;
  Column<Str> id;
  Column<Str> text;             ///< the claim in words
  Column<Str> source;           ///< who claims it
  Column<const Options*> keys;  ///< never null; keys declared in the judge's kClaimKeys, checked
};

/// Tables next to the reports (sweep CSVs, results.json), named by [[sheet]] in the TOML; sorted by (id, path). Read
/// them through sheets.hpp.
struct SheetTable {
  std::uint64_t rows = 0;
  Column<Str> id;                                  ///< of the [[sheet]]
  Column<Str> path;                                ///< as in the outputs
  Column<std::uint64_t> lines;                     ///< rows of the sheet without its header
  Column<std::uint64_t> column_begin, column_end;  ///< slice [begin, end) of sheet_columns
  Column<std::uint64_t> label_begin, label_end;    ///< slice [begin, end) of sheet_labels
};

/// Columns of sheets, in file order.
struct SheetColumnTable {
  std::uint64_t rows = 0;
  Column<Str> name;                  ///< unique within a sheet; nested JSON: "config.depth"
  Column<std::uint64_t> cell_begin;  ///< first of the `lines` cells of the column
};

/// Cells of sheets, column by column.
struct SheetCellTable {
  std::uint64_t rows = 0;
  Column<Str> text;                                ///< as in the file; may be empty
  Column<std::uint64_t> number_begin, number_end;  ///< slice of `numbers`: 1 for a number, n for a JSON list, else 0
  Column<double> numbers;                          ///< of all cells; not one per row
};

/// Labels in the name of a sheet, including defaults; sorted by (sheet, label).
struct SheetLabelTable {
  std::uint64_t rows = 0;
  Column<std::uint32_t> label;  ///< row of labels
  Column<Str> text;
  Column<double> order;  ///< like LabelValueTable::order
  Column<LabelOrigin> origin;
};

/// Rows that `analyze` emitted (ReportSink::emit_study_rows), sorted by (report, analyzer, id).
struct StudyRowTable {
  std::uint64_t rows = 0;
  Column<std::uint32_t> report;  ///< row of reports
  Column<Str> analyzer;          ///< that emitted the rows
  Column<Str> id;
  Column<const TableView*> table;  ///< never null; its columns are sizeof(ColumnView) apart
};

/// All data of one question. Pointers only, so that each table may grow.
struct Study {
  Str question;                               ///< id
  Str text;                                   ///< the question in words
  const StudyReportTable* reports = nullptr;  ///< never null, like all tables here
  const LabelTable* labels = nullptr;
  const LabelValueTable* label_values = nullptr;
  const AttributeTable* attributes = nullptr;
  const MetricTable* metrics = nullptr;
  const FactTable* facts = nullptr;
  const ClaimTable* claims = nullptr;
  const SheetTable* sheets = nullptr;
  const SheetColumnTable* sheet_columns = nullptr;
  const SheetCellTable* sheet_cells = nullptr;
  const SheetLabelTable* sheet_labels = nullptr;
  double level = 0.95;  ///< 0..1, of every interval and of all decisions of one family together: [question] level
  const StudyRowTable* rows = nullptr;  ///< no rows if results are concluded without their profiles
  Span<Str> endings;  ///< of the files of all formats, ".sqlite": if one ends with another, longer first
};

/// Look-ups in a Study by binary search, of labels and texts linear. Borrows the study: texts and spans live as long as
/// it. Row arguments must be rows of the study; they are unchecked. `participants` are the reports that analyzers
/// usually consider; request those of [noise] and those that are not believed separately.
class StudyView {
 public:
  explicit StudyView(const Study& study) : s_(&study) {}

  [[nodiscard]] const Study& study() const { return *s_; }
  /// Level of every interval, 0..1, and of all decisions of one family together.
  [[nodiscard]] double level() const { return s_->level; }
  [[nodiscard]] std::size_t report_count() const { return static_cast<std::size_t>(s_->reports->rows); }
  [[nodiscard]] std::string_view path(std::size_t report) const { return s_->reports->path[report]; }
  /// A path or file name without the ending of any format, as the host tells runs apart; unchanged if it has none.
  [[nodiscard]] std::string_view without_ending(std::string_view path) const;
  /// Whether the report is from [noise] and not from the question.
  [[nodiscard]] bool is_noise(std::size_t report) const { return s_->reports->role[report] == ReportRole::kNoise; }
  /// Whether the report's labels are uncontested; else see `doubt`.
  [[nodiscard]] bool believed(std::size_t report) const { return s_->reports->believed[report] != 0; }
  /// Why the report is not believed, as a clause; empty if it is.
  [[nodiscard]] std::string_view doubt(std::size_t report) const { return s_->reports->doubt[report]; }
  /// Row of the first report of the report's job; its own row if it is not a rank.
  [[nodiscard]] std::uint32_t job(std::size_t report) const { return s_->reports->job[report]; }

  /// Reports that take part: of the question, and believed. Rows of reports, ascending.
  [[nodiscard]] std::vector<std::size_t> participants() const;
  /// Reports of the question that are not believed. Rows of reports, ascending.
  [[nodiscard]] std::vector<std::size_t> disbelieved() const;

  /// Whether the report has a label value of another origin than LabelOrigin::kReport. A report without one is known by
  /// its path only, so it is unknown which runs it repeats.
  [[nodiscard]] bool named(std::size_t report) const;

  /// Row of a declared label, or empty.
  [[nodiscard]] std::optional<std::size_t> label(std::string_view name) const;

  /// Distinct texts of participants for a label, in label order; empty for an undeclared label.
  [[nodiscard]] std::vector<std::string> values_of(std::string_view name) const;

  /// Row of label_values, or empty if the report has no value for the label.
  [[nodiscard]] std::optional<std::size_t> label_value(std::size_t report, std::size_t label) const;

  /// Text of a label of a report; empty if it has none.
  [[nodiscard]] std::string_view label_text(std::size_t report, std::string_view name) const;

  /// Row of a metric that an enabled analyzer declares, or empty.
  [[nodiscard]] std::optional<std::size_t> metric(std::string_view id) const;

  /// Row of facts for (report or kNone, metric, canonical dims), or empty.
  [[nodiscard]] std::optional<std::size_t> fact(RowArg report, std::string_view metric_id,
                                                std::string_view dims = {}) const;

  /// Value of that fact in the unit of the metric, or empty.
  [[nodiscard]] std::optional<double> value(RowArg report, std::string_view metric_id,
                                            std::string_view dims = {}) const;

  /// Calls `visit(fact row)` for every fact of the metric in the report (or kNone: of the study), in order of dims.
  template <class Visit>
  void each_fact(RowArg report, std::string_view metric_id, Visit&& visit) const {
    const auto m = metric(metric_id);
    if (!m) return;
    const FactTable& f = *s_->facts;
    for (std::size_t i = lower_bound(report.row, *m, {}); i < f.rows && f.report[i] == report.row && f.metric[i] == *m;
         ++i)
      visit(i);
  }

  /// Samples behind a fact, in emission order; empty if it has none.
  [[nodiscard]] std::span<const double> samples(std::size_t fact_row) const;

  /// Value of a text attribute, or empty.
  [[nodiscard]] std::optional<std::string_view> attribute(std::size_t report, std::string_view name) const;

  /// Rows that `analyze` of an analyzer emitted for the report under an id (emit_study_rows); not present() if none.
  [[nodiscard]] RowsView rows(std::size_t report, std::string_view analyzer, std::string_view id) const;

 private:
  [[nodiscard]] std::size_t lower_bound(Row report, std::size_t metric, std::string_view dims) const;

  const Study* s_;
};

}  // namespace assay
