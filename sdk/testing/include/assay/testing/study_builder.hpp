// A Study from a few lines, for tests of `conclude`.
//
//   StudyBuilder s;
//   s.label("dim", StudyBuilder::kNumeric);
//   s.report("a", {{"dim", "384"}}).fact("gpu.kernel_busy_ratio", 0.4).attribute("fingerprint", "x");
//   s.claim("c1", "It jumps.", kClaimKeys, {{"metric", "gpu.kernel_busy_ratio"}});
//   analyzer.conclude(s.build(), recorder);
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/study.hpp"
#include "assay/testing/options.hpp"
#include "assay/testing/recorded_views.hpp"

namespace assay::testing {

/// Collects labels, reports, facts and claims in any order; `build` sorts them as the host does. A mistake (undeclared
/// label, duplicate fact) throws std::invalid_argument. The Study refers to the builder and is valid until the builder
/// changes.
class StudyBuilder {
 public:
  enum LabelKind { kText, kNumeric };
  using LabelValues = std::vector<std::pair<std::string, std::string>>;

  /// One report, filled by chained calls; valid as long as the builder.
  class ReportEntry {
   public:
    /// Adds a fact; `dims` canonical ("k=v;k=v", sorted by key).
    ReportEntry& fact(std::string metric, double value, std::string dims = {}, std::vector<double> samples = {});
    ReportEntry& attribute(std::string name, std::string value);
    /// Sets the origin of the value of a label; default: LabelOrigin::kName.
    ReportEntry& origin(std::string label, LabelOrigin origin);
    /// Marks its labels as not believed, with the reason; default: by its facts (doubt_from_facts).
    ReportEntry& doubted(std::string reason);
    /// Adds rows that `analyze` of an analyzer emitted (emit_study_rows); one table per analyzer and id.
    ReportEntry& rows(std::string analyzer, RecordedTable rows);
    /// Makes it a [noise] report.
    ReportEntry& noise();

   private:
    friend class StudyBuilder;
    struct Fact {
      std::string metric, dims;
      double value;
      std::vector<double> samples;
    };
    std::string path_;
    ReportRole role_ = ReportRole::kQuestion;
    std::string doubt_;
    LabelValues labels_;
    std::map<std::string, LabelOrigin> origins_;
    std::map<std::string, std::string> attributes_;
    std::vector<Fact> facts_;
    std::map<std::pair<std::string, std::string>, RecordedTable> rows_;  ///< by analyzer and id
  };

  StudyBuilder();
  ~StudyBuilder();
  StudyBuilder(const StudyBuilder&) = delete;
  StudyBuilder& operator=(const StudyBuilder&) = delete;

  /// Default: "question", "What is the effect?".
  StudyBuilder& question(std::string id, std::string text);
  /// Level of every interval; default 0.95.
  StudyBuilder& level(double level);
  /// Endings of the files of all formats, in the order of Study::endings; default: those of nsys and PyTorch.
  StudyBuilder& endings(std::vector<std::string> endings);
  /// A label whose values are sorted as numbers, or as texts in order of first use. `changes`: LabelChange bits.
  StudyBuilder& label(std::string name, LabelKind kind = kText, std::uint32_t changes = 0);
  /// A label with a declared list of values, which defines their order.
  StudyBuilder& label(std::string name, std::vector<std::string> values, std::uint32_t changes = 0);
  /// A descriptive label: ignored when pairs are matched.
  StudyBuilder& descriptive_label(std::string name);
  /// A label that distinguishes the processes of one job.
  StudyBuilder& rank_label(std::string name);
  /// A report of the question; its labels must be declared when it is built.
  ReportEntry& report(std::string path, LabelValues labels = {});
  ReportEntry& noise_report(std::string path, LabelValues labels = {});
  /// Declares a metric; metrics used by facts without a declaration get unit "1".
  StudyBuilder& metric(std::string id, std::string unit, Polarity polarity = Polarity::kNeutral,
                       bool extensive = false);
  /// A fact of the whole study.
  StudyBuilder& fact(std::string metric, double value, std::string dims = {}, std::vector<double> samples = {});
  /// A claim with the given `keys` of a judge's kClaimKeys (`specs`). Throws std::invalid_argument like OptionMap.
  StudyBuilder& claim(std::string id, std::string text, std::span<const OptionSpec> specs,
                      const OptionInputs& keys = {});

  /// A companion table: column names, rows as texts (missing cells are empty), and the labels in its name. A cell "[1,
  /// 2]" is a list of numbers.
  StudyBuilder& sheet(std::string id, std::string path, std::vector<std::string> columns,
                      std::vector<std::vector<std::string>> rows, LabelValues labels = {});

  const Study& build();

  /// Row of a report in the study built last. Throws std::invalid_argument for an unknown path.
  [[nodiscard]] std::size_t row(std::string_view path) const;

 private:
  struct Label {
    std::string name;
    LabelKind kind;
    std::uint32_t changes;
    bool descriptive, rank;
    std::vector<std::string> values;
  };
  struct Metric {
    std::string unit = "1";
    Polarity polarity = Polarity::kNeutral;
    bool extensive = false;
  };
  struct Claim {
    std::string id, text, source;
    std::unique_ptr<OptionMap> keys;
  };

  struct OneSheet {
    std::string id, path;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    LabelValues labels;
  };

  /// A column of a table: collects elements, then shows them.
  template <class T>
  struct Cells {
    std::vector<T> values;
    Column<T> column() {
      static const T nothing{};  // a present column is never null
      return {values.empty() ? &nothing : values.data(), values.size()};
    }
    void add(T value) { values.push_back(std::move(value)); }
  };

  struct BuiltStudy {
    Study study;
    StudyReportTable reports;
    LabelTable labels;
    LabelValueTable label_values;
    AttributeTable attributes;
    MetricTable metrics;
    FactTable facts;
    ClaimTable claims;
    SheetTable sheets;
    SheetColumnTable sheet_columns;
    SheetCellTable sheet_cells;
    SheetLabelTable sheet_labels;
    StudyRowTable rows;
    RecordedViews row_views;
    std::vector<Str> endings;
    Cells<std::uint32_t> row_report;
    Cells<Str> row_analyzer;
    Cells<Str> sheet_id, sheet_path, sheet_column, sheet_text, sheet_label_text;
    Cells<std::uint64_t> sheet_lines, column_begin, column_end, label_begin, label_end, cell_begin, number_begin,
        number_end;
    Cells<double> sheet_number, sheet_label_order;
    Cells<std::uint32_t> sheet_label;
    Cells<LabelOrigin> sheet_label_origin;
    Cells<Str> path, label_name, value_text, attribute_name, attribute_value, metric_id, metric_unit, metric_definition,
        metric_title, fact_dims, claim_id, claim_text, claim_source;
    Cells<ReportRole> role;
    Cells<std::uint32_t> changes, value_report, value_label, attribute_report, fact_metric;
    Cells<std::uint8_t> numeric, descriptive, rank, believed, extensive;
    Cells<std::uint32_t> job;
    Cells<Str> doubt;
    std::vector<std::string> doubts;
    Cells<double> order, fact_value, samples;
    Cells<LabelOrigin> origin;
    Cells<Polarity> polarity;
    Cells<Row> fact_report;
    Cells<std::uint64_t> sample_begin, sample_end;
    Cells<const Options*> keys;
  };

  void build_labels();

  static double order_of(Label& label, const std::string& text);

  void build_reports();

  Label& label_named(const std::string& name);

  void build_facts();

  void add_facts(Row report, const ReportEntry& entry);

  void build_participation();

  void build_claims();

  void build_sheets();

  void build_rows();

  void add_cell(std::string_view text);

  std::string question_ = "question", text_ = "What is the effect?";
  double level_ = 0.95;
  std::vector<std::string> endings_ = {".json.gz", ".sqlite", ".json"};
  std::vector<Label> labels_;
  std::deque<ReportEntry> entries_;  // a deque keeps returned entries at their address
  ReportEntry study_facts_;
  std::map<std::string, Metric> metrics_;
  std::vector<Claim> claims_;
  std::vector<OneSheet> sheets_;
  std::vector<const ReportEntry*> entries_in_order_;
  std::vector<std::string_view> fact_metrics_;
  BuiltStudy out_;
};

}  // namespace assay::testing
