#include "conclude/study_tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "assay/algo/participation.hpp"
#include "assay/detail/column_of.hpp"
#include "conclude/mixture.hpp"
#include "load/report_names.hpp"

namespace assay {

using detail::column_of;

SheetColumns::SheetColumns(const std::vector<OwnedSheet>& sheets) {
  for (const OwnedSheet& sheet : sheets) add(sheet);
  sheets_ = {id_.size(),
             column_of(id_),
             column_of(path_),
             column_of(lines_),
             column_of(column_begin_),
             column_of(column_end_),
             column_of(label_begin_),
             column_of(label_end_)};
  columns_ = {name_.size(), column_of(name_), column_of(cell_begin_)};
  cells_ = {text_.size(), column_of(text_), column_of(number_begin_), column_of(number_end_), column_of(numbers_)};
  labels_ = {label_.size(), column_of(label_), column_of(label_text_), column_of(label_order_),
             column_of(label_origin_)};
}

void SheetColumns::show_in(Study& study) const {
  study.sheets = &sheets_;
  study.sheet_columns = &columns_;
  study.sheet_cells = &cells_;
  study.sheet_labels = &labels_;
}

void SheetColumns::add(const OwnedSheet& sheet) {
  id_.emplace_back(sheet.id);
  path_.emplace_back(sheet.path);
  lines_.push_back(sheet.table.rows);
  column_begin_.push_back(name_.size());
  for (const SheetTexts::NamedColumn& column : sheet.table.columns) {
    name_.emplace_back(column.name);
    cell_begin_.push_back(text_.size());
    for (const SheetCell& cell : column.cells) {
      text_.emplace_back(cell.text);
      number_begin_.push_back(numbers_.size());
      numbers_.insert(numbers_.end(), cell.numbers.begin(), cell.numbers.end());
      number_end_.push_back(numbers_.size());
    }
  }
  column_end_.push_back(name_.size());
  label_begin_.push_back(label_.size());
  for (const LabelOfReport& value : sheet.labels) {
    label_.push_back(static_cast<std::uint32_t>(value.label));
    label_text_.emplace_back(value.text);
    label_order_.push_back(value.order);
    label_origin_.push_back(value.origin);
  }
  label_end_.push_back(label_.size());
}

std::vector<ReportResult> provisional_results(const Catalog& catalog, const QuestionCatalog& question) {
  std::vector<ReportResult> reports;
  for (const CatalogEntry& entry : question.entries) {
    ReportResult& report = reports.emplace_back();
    report.loaded = true;
    for (const auto& [name, value] : catalog.files[entry.file].environment) report.attributes.push_back({name, value});
  }
  return reports;
}

StudyTables::StudyTables(const AnalyzedQuestion& question, const std::vector<OwnedSheet>& sheets,
                         const std::vector<OwnedMetric>& metrics)
    : sheets_(sheets) {
  const Question& asked = *question.planned.question;
  add_reports(question);
  add_labels(question);
  add_metrics(metrics);
  add_claims(question.planned.claims);
  report_table_ = {reports_.path.size(), column_of(reports_.path), column_of(reports_.role), {}, {}, {}};
  label_table_ = {labels_.name.size(),        column_of(labels_.name),        column_of(labels_.changes),
                  column_of(labels_.numeric), column_of(labels_.descriptive), column_of(labels_.rank)};
  label_value_table_ = {label_values_.report.size(),    column_of(label_values_.report),
                        column_of(label_values_.label), column_of(label_values_.text),
                        column_of(label_values_.order), column_of(label_values_.origin)};
  attribute_table_ = {attributes_.report.size(), column_of(attributes_.report), column_of(attributes_.name),
                      column_of(attributes_.value)};
  metric_table_ = {metrics_.id.size(),           column_of(metrics_.id),         column_of(metrics_.unit),
                   column_of(metrics_.polarity), column_of(metrics_.definition), column_of(metrics_.title),
                   column_of(metrics_.extensive)};
  claim_table_ = {claims_.id.size(), column_of(claims_.id), column_of(claims_.text), column_of(claims_.source),
                  column_of(claims_.keys)};
  row_table_ = {rows_.report.size(), column_of(rows_.report), column_of(rows_.analyzer), rows_.tables.ids(),
                rows_.tables.tables()};
  study_ = {asked.id,
            asked.text,
            &report_table_,
            &label_table_,
            &label_value_table_,
            &attribute_table_,
            &metric_table_,
            &fact_table_,
            &claim_table_,
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            asked.level,
            &row_table_,
            {}};
  endings_.assign(report_endings().begin(), report_endings().end());
  study_.endings = endings_;
  sheets_.show_in(study_);
  reports_.job = job_numbers(StudyView(study_));
  set_facts({}, {});
}

void StudyTables::add_reports(const AnalyzedQuestion& question) {
  const std::vector<LabelSpec>& labels = question.planned.question->labels.labels;
  for (std::size_t e = 0; e < question.reports.size(); ++e) {
    const CatalogEntry& entry = question.found.entries[e];
    const ReportResult& report = question.reports[e];
    if (!report.loaded) continue;
    const auto row = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back(e);
    reports_.path.emplace_back(question.name_of(e));
    reports_.role.push_back(entry.role);
    known_doubts_.push_back(report.doubt);
    contested_.emplace_back();
    for (const ContestedLabel& contested : entry.contested)
      contested_.back().push_back({labels[contested.label].name, contested.file});
    for (const OwnedAttribute& attribute : report.attributes) {
      attributes_.report.push_back(row);
      attributes_.name.emplace_back(attribute.name);
      attributes_.value.emplace_back(attribute.value);
    }
    add_rows(row, report.study_rows);
  }
}

void StudyTables::add_rows(std::uint32_t report, const std::vector<OwnedTable>& rows) {
  std::vector<const OwnedTable*> sorted;
  for (const OwnedTable& table : rows) sorted.push_back(&table);
  std::ranges::sort(sorted, {}, [](const OwnedTable* t) { return std::tie(t->analyzer, t->id); });
  for (const OwnedTable* table : sorted) {
    rows_.report.push_back(report);
    rows_.analyzer.emplace_back(table->analyzer);
    rows_.tables.add(*table);
  }
}

void StudyTables::add_labels(const AnalyzedQuestion& question) {
  const std::vector<LabelSpec>& labels = question.planned.question->labels.labels;
  const std::vector<std::string_view> built_in = built_in_labels_of(question.planned, question.reports);
  for (const LabelSpec& label : labels) {
    labels_.name.emplace_back(label.name);
    labels_.changes.push_back(label.changes);
    labels_.numeric.push_back(label.type == LabelType::kText ? 0 : 1);
    labels_.descriptive.push_back(label.descriptive ? 1 : 0);
    labels_.rank.push_back(label.rank ? 1 : 0);
  }
  std::vector<SaidBy> said;
  for (const std::string_view label : built_in) {
    labels_.name.emplace_back(label);
    labels_.changes.push_back(0);
    labels_.numeric.push_back(0);
    labels_.descriptive.push_back(0);
    labels_.rank.push_back(0);
    said.push_back(labels_under(label, question.reports));
  }
  const auto add = [&](std::size_t row, std::size_t label, Str text, double order, LabelOrigin origin) {
    label_values_.report.push_back(static_cast<std::uint32_t>(row));
    label_values_.label.push_back(static_cast<std::uint32_t>(label));
    label_values_.text.push_back(text);
    label_values_.order.push_back(order);
    label_values_.origin.push_back(origin);
  };
  for (std::size_t row = 0; row < entries_.size(); ++row) {
    for (const LabelOfReport& value : question.found.entries[entries_[row]].labels)
      add(row, value.label, value.text, value.order, value.origin);
    for (std::size_t b = 0; b < built_in.size(); ++b) {
      const auto& attributes = question.reports[entries_[row]].attributes;
      const auto own = std::ranges::find_if(attributes, [&](const OwnedAttribute& a) { return a.name == built_in[b]; });
      if (own == attributes.end()) continue;
      const auto place = std::distance(said[b].begin(), said[b].find(own->value));
      add(row, labels.size() + b, own->value, static_cast<double>(place), LabelOrigin::kReport);
    }
  }
}

void StudyTables::add_metrics(const std::vector<OwnedMetric>& metrics) {
  for (const OwnedMetric& metric : metrics) {
    metrics_.id.emplace_back(metric.id);
    metrics_.unit.emplace_back(metric.unit);
    metrics_.definition.emplace_back(metric.definition);
    metrics_.polarity.push_back(metric.polarity);
    metrics_.title.emplace_back(metric.title);
    metrics_.extensive.push_back(metric.extensive ? 1 : 0);
  }
}

void StudyTables::add_claims(const std::vector<PlannedClaim>& claims) {
  for (const PlannedClaim& claim : claims) {
    claims_.id.emplace_back(claim.config->id);
    claims_.text.emplace_back(claim.config->text);
    claims_.source.emplace_back(claim.config->source);
    claims_.keys.push_back(&claim.keys);
  }
}

void StudyTables::set_facts(const std::vector<Fact>& of_study, const std::vector<ReportResult>& reports) {
  facts_ = {};
  add_facts(kNone, of_study);
  for (std::size_t row = 0; row < entries_.size() && !reports.empty(); ++row) {
    add_facts(static_cast<Row>(row), reports[entries_[row]].facts);
  }
  fact_table_ = {facts_.report.size(),         column_of(facts_.report), column_of(facts_.metric),
                 column_of(facts_.dims),       column_of(facts_.value),  column_of(facts_.sample_begin),
                 column_of(facts_.sample_end), column_of(facts_.samples)};
  set_participation();
}

void StudyTables::set_participation() {
  const StudyView view(study_);
  doubts_ = known_doubts_;
  for (std::size_t row = 0; row < doubts_.size(); ++row) {
    if (doubts_[row].empty()) doubts_[row] = doubt_from_facts(view, row);
    if (doubts_[row].empty()) doubts_[row] = doubt_of_copies(row);
  }
  reports_.doubt.assign(doubts_.begin(), doubts_.end());
  reports_.believed.clear();
  for (const std::string& doubt : doubts_) reports_.believed.push_back(doubt.empty() ? 1 : 0);
  report_table_.believed = column_of(reports_.believed);
  report_table_.doubt = column_of(reports_.doubt);
  report_table_.job = column_of(reports_.job);
}

/// If a file has equal bytes under two names, each label on which the names disagree needs support from the trace.
/// Empty if all have it or none is contested.
std::string StudyTables::doubt_of_copies(std::size_t row) const {
  const StudyView view(study_);
  for (const OtherLabel& contested : contested_[row]) {
    bool borne_out = false;
    view.each_fact(static_cast<Row>(row), kBeliefMetric, [&](std::size_t fact) {
      const std::string_view dims = view.study().facts->dims[fact];
      borne_out |= dim_value(dims, "label") == contested.label && dim_value(dims, "verdict") == "borne_out";
    });
    if (!borne_out)
      return fmt::format("its label {} has another value in the name of {}, which has the same content",
                         contested.label, contested.other);
  }
  return {};
}

void StudyTables::copy_doubts(std::vector<ReportResult>& reports) const {
  for (std::size_t row = 0; row < doubts_.size(); ++row) reports[entries_[row]].doubt = doubts_[row];
}

void StudyTables::add_facts(Row report, const std::vector<Fact>& facts) {
  const StudyView view(study_);
  for (const Fact& fact : facts) {
    const std::optional<std::size_t> metric = view.metric(fact.metric);
    if (!metric) continue;
    facts_.report.push_back(report);
    facts_.metric.push_back(static_cast<std::uint32_t>(*metric));
    facts_.dims.emplace_back(fact.dims);
    facts_.value.push_back(fact.value);
    facts_.sample_begin.push_back(facts_.samples.size());
    facts_.samples.insert(facts_.samples.end(), fact.samples.begin(), fact.samples.end());
    facts_.sample_end.push_back(facts_.samples.size());
  }
}

}  // namespace assay
