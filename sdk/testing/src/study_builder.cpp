#include "assay/testing/study_builder.hpp"

#include "assay/algo/participation.hpp"

namespace assay::testing {

StudyBuilder::StudyBuilder() = default;
StudyBuilder::~StudyBuilder() = default;

StudyBuilder::ReportEntry& StudyBuilder::ReportEntry::fact(std::string metric, double value, std::string dims,
                                                           std::vector<double> samples) {
  facts_.push_back({std::move(metric), std::move(dims), value, std::move(samples)});
  return *this;
}

StudyBuilder::ReportEntry& StudyBuilder::ReportEntry::attribute(std::string name, std::string value) {
  if (!attributes_.emplace(std::move(name), std::move(value)).second) throw std::invalid_argument("an attribute twice");
  return *this;
}

StudyBuilder::ReportEntry& StudyBuilder::ReportEntry::origin(std::string label, LabelOrigin origin) {
  origins_[std::move(label)] = origin;
  return *this;
}

StudyBuilder::ReportEntry& StudyBuilder::ReportEntry::doubted(std::string reason) {
  doubt_ = std::move(reason);
  return *this;
}

StudyBuilder::ReportEntry& StudyBuilder::ReportEntry::rows(std::string analyzer, RecordedTable rows) {
  std::string id = rows.id;
  if (!rows_.emplace(std::pair(std::move(analyzer), std::move(id)), std::move(rows)).second)
    throw std::invalid_argument("rows twice");
  return *this;
}

StudyBuilder::ReportEntry& StudyBuilder::ReportEntry::noise() {
  role_ = ReportRole::kNoise;
  return *this;
}

StudyBuilder& StudyBuilder::level(double level) {
  level_ = level;
  return *this;
}

StudyBuilder& StudyBuilder::endings(std::vector<std::string> endings) {
  endings_ = std::move(endings);
  return *this;
}

StudyBuilder& StudyBuilder::question(std::string id, std::string text) {
  question_ = std::move(id);
  text_ = std::move(text);
  return *this;
}

StudyBuilder& StudyBuilder::label(std::string name, LabelKind kind, std::uint32_t changes) {
  labels_.push_back({std::move(name), kind, changes, false, false, {}});
  return *this;
}

StudyBuilder& StudyBuilder::label(std::string name, std::vector<std::string> values, std::uint32_t changes) {
  labels_.push_back({std::move(name), kText, changes, false, false, std::move(values)});
  return *this;
}

StudyBuilder& StudyBuilder::descriptive_label(std::string name) {
  labels_.push_back({std::move(name), kText, 0, true, false, {}});
  return *this;
}

StudyBuilder& StudyBuilder::rank_label(std::string name) {
  labels_.push_back({std::move(name), kNumeric, 0, true, true, {}});
  return *this;
}

StudyBuilder::ReportEntry& StudyBuilder::report(std::string path, LabelValues labels) {
  ReportEntry& entry = entries_.emplace_back();
  entry.path_ = std::move(path);
  entry.labels_ = std::move(labels);
  return entry;
}

StudyBuilder::ReportEntry& StudyBuilder::noise_report(std::string path, LabelValues labels) {
  return report(std::move(path), std::move(labels)).noise();
}

StudyBuilder& StudyBuilder::metric(std::string id, std::string unit, Polarity polarity, bool extensive) {
  metrics_[std::move(id)] = {std::move(unit), polarity, extensive};
  return *this;
}

StudyBuilder& StudyBuilder::fact(std::string metric, double value, std::string dims, std::vector<double> samples) {
  study_facts_.fact(std::move(metric), value, std::move(dims), std::move(samples));
  return *this;
}

StudyBuilder& StudyBuilder::claim(std::string id, std::string text, std::span<const OptionSpec> specs,
                                  const OptionInputs& keys) {
  claims_.push_back({std::move(id), std::move(text), "a source", std::make_unique<OptionMap>(specs, keys)});
  return *this;
}

StudyBuilder& StudyBuilder::sheet(std::string id, std::string path, std::vector<std::string> columns,
                                  std::vector<std::vector<std::string>> rows, LabelValues labels) {
  sheets_.push_back({std::move(id), std::move(path), std::move(columns), std::move(rows), std::move(labels)});
  return *this;
}

const Study& StudyBuilder::build() {
  out_ = {};
  entries_in_order_.clear();
  for (const ReportEntry& entry : entries_) entries_in_order_.push_back(&entry);
  std::ranges::sort(entries_in_order_, [](auto* a, auto* b) { return a->path_ < b->path_; });
  build_labels();
  build_reports();
  build_facts();
  build_participation();
  build_claims();
  build_sheets();
  build_rows();
  out_.study.question = question_;
  out_.study.text = text_;
  out_.study.level = level_;
  out_.endings.assign(endings_.begin(), endings_.end());
  out_.study.endings = out_.endings;
  return out_.study;
}

std::size_t StudyBuilder::row(std::string_view path) const {
  for (std::size_t i = 0; i < entries_in_order_.size(); ++i) {
    if (entries_in_order_[i]->path_ == path) return i;
  }
  throw std::invalid_argument("no report '" + std::string(path) + "' was built");
}

void StudyBuilder::build_labels() {
  for (const Label& label : labels_) {
    out_.label_name.add(label.name);
    out_.changes.add(label.changes);
    out_.numeric.add(label.kind == kNumeric ? 1 : 0);
    out_.descriptive.add(label.descriptive ? 1 : 0);
    out_.rank.add(label.rank ? 1 : 0);
  }
  out_.labels = {labels_.size(),        out_.label_name.column(),  out_.changes.column(),
                 out_.numeric.column(), out_.descriptive.column(), out_.rank.column()};
  out_.study.labels = &out_.labels;
}

double StudyBuilder::order_of(Label& label, const std::string& text) {
  if (label.kind == kNumeric) return std::stod(text);
  auto at = std::ranges::find(label.values, text);
  if (at == label.values.end()) at = label.values.insert(label.values.end(), text);
  return static_cast<double>(at - label.values.begin());
}

void StudyBuilder::build_reports() {
  for (ReportEntry& entry : entries_) {  // texts are numbered by first use, independent of the order of paths
    for (const auto& [name, text] : entry.labels_) order_of(label_named(name), text);
  }
  for (std::uint32_t r = 0; r < entries_in_order_.size(); ++r) {
    const ReportEntry& entry = *entries_in_order_[r];
    if (r > 0 && entries_in_order_[r - 1]->path_ == entry.path_)
      throw std::invalid_argument("report '" + entry.path_ + "' twice");
    out_.path.add(entry.path_);
    out_.role.add(entry.role_);
    for (std::uint32_t l = 0; l < labels_.size(); ++l) {
      for (const auto& [name, text] : entry.labels_) {
        if (name != labels_[l].name) continue;
        out_.value_report.add(r);
        out_.value_label.add(l);
        out_.value_text.add(text);
        out_.order.add(order_of(labels_[l], text));
        const auto origin = entry.origins_.find(name);
        out_.origin.add(origin == entry.origins_.end() ? LabelOrigin::kName : origin->second);
      }
    }
    for (const auto& [name, value] : entry.attributes_) {
      out_.attribute_report.add(r);
      out_.attribute_name.add(name);
      out_.attribute_value.add(value);
    }
  }
  out_.reports = {entries_.size(), out_.path.column(), out_.role.column(), {}, {}, {}};
  out_.label_values = {out_.value_report.values.size(), out_.value_report.column(), out_.value_label.column(),
                       out_.value_text.column(),        out_.order.column(),        out_.origin.column()};
  out_.attributes = {out_.attribute_report.values.size(), out_.attribute_report.column(), out_.attribute_name.column(),
                     out_.attribute_value.column()};
  out_.study.reports = &out_.reports;
  out_.study.label_values = &out_.label_values;
  out_.study.attributes = &out_.attributes;
}

StudyBuilder::Label& StudyBuilder::label_named(const std::string& name) {
  const auto at = std::ranges::find_if(labels_, [&](const Label& l) { return l.name == name; });
  if (at == labels_.end()) throw std::invalid_argument("label '" + name + "' is not declared");
  return *at;
}

void StudyBuilder::build_facts() {
  for (const ReportEntry& entry : entries_) {
    for (const auto& fact : entry.facts_) metrics_.try_emplace(fact.metric);
  }
  for (const auto& fact : study_facts_.facts_) metrics_.try_emplace(fact.metric);
  std::map<std::string_view, std::uint32_t> metric_row;
  for (const auto& [id, metric] : metrics_) {
    metric_row.emplace(id, static_cast<std::uint32_t>(metric_row.size()));
    out_.metric_id.add(id);
    out_.metric_unit.add(metric.unit);
    out_.polarity.add(metric.polarity);
    out_.metric_definition.add("For a test.");
    out_.metric_title.add("");
    out_.extensive.add(metric.extensive ? 1 : 0);
  }
  out_.metrics = {metrics_.size(),        out_.metric_id.column(),         out_.metric_unit.column(),
                  out_.polarity.column(), out_.metric_definition.column(), out_.metric_title.column(),
                  out_.extensive.column()};
  out_.study.metrics = &out_.metrics;

  add_facts(kNone, study_facts_);
  for (std::size_t r = 0; r < entries_in_order_.size(); ++r) add_facts(static_cast<Row>(r), *entries_in_order_[r]);
  for (const std::string_view metric : fact_metrics_) out_.fact_metric.add(metric_row.at(metric));
  fact_metrics_.clear();
  out_.facts = {out_.fact_report.values.size(), out_.fact_report.column(), out_.fact_metric.column(),
                out_.fact_dims.column(),        out_.fact_value.column(),  out_.sample_begin.column(),
                out_.sample_end.column(),       out_.samples.column()};
  out_.study.facts = &out_.facts;
}

void StudyBuilder::build_participation() {
  const StudyView view(out_.study);
  for (std::size_t r = 0; r < entries_in_order_.size(); ++r) {
    const std::string& given = entries_in_order_[r]->doubt_;
    out_.doubts.push_back(given.empty() ? doubt_from_facts(view, r) : given);
  }
  for (const std::string& doubt : out_.doubts) {
    out_.doubt.add(doubt);
    out_.believed.add(doubt.empty() ? 1 : 0);
  }
  for (const std::uint32_t job : job_numbers(view)) out_.job.add(job);
  out_.reports.believed = out_.believed.column();
  out_.reports.doubt = out_.doubt.column();
  out_.reports.job = out_.job.column();
}

void StudyBuilder::add_facts(Row report, const ReportEntry& entry) {
  std::map<std::pair<std::string_view, std::string_view>, const ReportEntry::Fact*> sorted;
  for (const ReportEntry::Fact& fact : entry.facts_) {
    if (!sorted.emplace(std::pair(std::string_view(fact.metric), std::string_view(fact.dims)), &fact).second) {
      throw std::invalid_argument("fact '" + fact.metric + "' twice in '" + entry.path_ + "'");
    }
  }
  for (const auto& [key, fact] : sorted) {
    out_.fact_report.add(report);
    fact_metrics_.push_back(key.first);
    out_.fact_dims.add(key.second);
    out_.fact_value.add(fact->value);
    out_.sample_begin.add(out_.samples.values.size());
    for (const double sample : fact->samples) out_.samples.add(sample);
    out_.sample_end.add(out_.samples.values.size());
  }
}

void StudyBuilder::build_claims() {
  for (const Claim& claim : claims_) {
    out_.claim_id.add(claim.id);
    out_.claim_text.add(claim.text);
    out_.claim_source.add(claim.source);
    out_.keys.add(claim.keys.get());
  }
  out_.claims = {claims_.size(), out_.claim_id.column(), out_.claim_text.column(), out_.claim_source.column(),
                 out_.keys.column()};
  out_.study.claims = &out_.claims;
}

void StudyBuilder::build_sheets() {
  std::ranges::stable_sort(
      sheets_, [](const OneSheet& a, const OneSheet& b) { return std::tie(a.id, a.path) < std::tie(b.id, b.path); });
  for (const OneSheet& sheet : sheets_) {
    out_.sheet_id.add(sheet.id);
    out_.sheet_path.add(sheet.path);
    out_.sheet_lines.add(sheet.rows.size());
    out_.column_begin.add(out_.sheet_column.values.size());
    for (std::size_t c = 0; c < sheet.columns.size(); ++c) {
      out_.sheet_column.add(sheet.columns[c]);
      out_.cell_begin.add(out_.sheet_text.values.size());
      for (const auto& row : sheet.rows) add_cell(c < row.size() ? std::string_view(row[c]) : std::string_view());
    }
    out_.column_end.add(out_.sheet_column.values.size());
    out_.label_begin.add(out_.sheet_label.values.size());
    for (std::uint32_t l = 0; l < labels_.size(); ++l) {
      for (const auto& [name, text] : sheet.labels) {
        if (name != labels_[l].name) continue;
        out_.sheet_label.add(l);
        out_.sheet_label_text.add(text);
        out_.sheet_label_order.add(order_of(labels_[l], text));
        out_.sheet_label_origin.add(LabelOrigin::kName);
      }
    }
    out_.label_end.add(out_.sheet_label.values.size());
  }
  out_.sheets = {sheets_.size(),
                 out_.sheet_id.column(),
                 out_.sheet_path.column(),
                 out_.sheet_lines.column(),
                 out_.column_begin.column(),
                 out_.column_end.column(),
                 out_.label_begin.column(),
                 out_.label_end.column()};
  out_.sheet_columns = {out_.sheet_column.values.size(), out_.sheet_column.column(), out_.cell_begin.column()};
  out_.sheet_cells = {out_.sheet_text.values.size(), out_.sheet_text.column(), out_.number_begin.column(),
                      out_.number_end.column(), out_.sheet_number.column()};
  out_.sheet_labels = {out_.sheet_label.values.size(), out_.sheet_label.column(), out_.sheet_label_text.column(),
                       out_.sheet_label_order.column(), out_.sheet_label_origin.column()};
  out_.study.sheets = &out_.sheets;
  out_.study.sheet_columns = &out_.sheet_columns;
  out_.study.sheet_cells = &out_.sheet_cells;
  out_.study.sheet_labels = &out_.sheet_labels;
}

void StudyBuilder::build_rows() {
  for (std::uint32_t r = 0; r < entries_in_order_.size(); ++r) {
    for (const auto& [key, table] : entries_in_order_[r]->rows_) {
      out_.row_report.add(r);
      out_.row_analyzer.add(key.first);
      out_.row_views.add(table);
    }
  }
  const std::vector<Str>& ids = out_.row_views.ids();
  const std::vector<const TableView*>& tables = out_.row_views.tables();
  static const TableView* const kNoTable = nullptr;
  static const Str kNoText;
  out_.rows = {ids.size(),
               out_.row_report.column(),
               out_.row_analyzer.column(),
               {ids.empty() ? &kNoText : ids.data(), ids.size()},
               {tables.empty() ? &kNoTable : tables.data(), tables.size()}};
  out_.study.rows = &out_.rows;
}

void StudyBuilder::add_cell(std::string_view text) {
  out_.sheet_text.add(text);
  out_.number_begin.add(out_.sheet_number.values.size());
  const bool list = text.size() >= 2 && text.front() == '[' && text.back() == ']';
  std::string_view rest = list ? text.substr(1, text.size() - 2) : text;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, list ? rest.find(',') : rest.size());
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    try {
      std::size_t used = 0;
      const double number = std::stod(std::string(part), &used);
      if (used == part.size()) out_.sheet_number.add(number);
    } catch (const std::exception&) {  // a text
    }
  }
  out_.number_end.add(out_.sheet_number.values.size());
}

}  // namespace assay::testing
