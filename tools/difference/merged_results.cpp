#include "difference/merged_results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "assay/detail/lengths.hpp"
#include "config/built_in_labels.hpp"
#include "files/glob.hpp"

namespace assay {
namespace {

constexpr const char* kByName = "report";

bool asked(const std::vector<std::string>& globs, const std::string& metric) {
  return globs.empty() ||
         std::ranges::any_of(globs, [&](const std::string& glob) { return glob_matches(glob, metric); });
}

/// Labels that decide how runs may be compared are always kept.
bool kept(const std::vector<std::string>& globs, const std::string& metric) {
  return asked(globs, metric) || metric == kIterationCount;
}

class Merge {
 public:
  Merge(const std::vector<Measurement>& results, const std::vector<std::string>& globs) : globs_(globs) {
    const StoredQuestion& first = *results.front().question;
    merged_.question.id = first.id;
    merged_.question.title = first.title + ": before and after";
    merged_.question.text = "What changed between two results of '" + first.id + "'?";
    merged_.catalog.questions.emplace_back();
    for (const Measurement& result : results) add_labels(*result.question);
    add_label(kByName, LabelType::kText, false);
    merged_.label = free_name("result");
    add_label(merged_.label, LabelType::kText, false);
    merged_.measurement = free_name("measurement");
    add_label(merged_.measurement, LabelType::kText, true);
    for (const Measurement& result : results) add_reports(result);
    sort_by_name();
    set_orders();
    for (const Measurement& result : results) add_metrics(*result.question);
    compare_across_machines(results);
  }

  MergedResults release() { return std::move(merged_); }

 private:
  void add_label(const std::string& name, LabelType type, bool descriptive, bool rank = false) {
    LabelSpec label;
    label.name = name;
    label.type = type;
    label.descriptive = descriptive;
    label.rank = rank;
    if (label_rows_.emplace(name, label_rows_.size()).second)
      merged_.question.labels.labels.push_back(std::move(label));
  }

  [[nodiscard]] std::string free_name(std::string name) const {
    while (label_rows_.contains(name)) name += "_";
    return name;
  }

  void add_labels(const StoredQuestion& from) {
    for (const StoredLabel& label : from.labels) {
      add_label(label.name, label.numeric ? LabelType::kNumber : LabelType::kText, label.descriptive, label.rank);
    }
  }

  /// Whether a report is identified by its labels; descriptive ones do not count.
  [[nodiscard]] bool identified_by_labels(const StoredReport& report) const {
    return std::ranges::any_of(report.labels, [&](const auto& label) {
      return !merged_.question.labels.labels[label_rows_.at(label.first)].descriptive;
    });
  }

  /// "before", or "before 2" if a side has several results.
  std::string name_of(const char* side) {
    const std::size_t number = ++measured_[side];
    return number == 1 ? std::string(side) : std::string(side) + " " + std::to_string(number);
  }

  void add_reports(const Measurement& from) {
    const std::string measurement = name_of(from.side);
    const bool noise = from.side == std::string_view(kNoise);
    for (const StoredReport& report : from.question->reports) {
      if (noise && (report.role != ReportRole::kQuestion || !report.doubt.empty())) continue;
      FoundFile file;
      file.name = measurement + "/" + report.name;
      file.kind = FileKind::kSidecar;
      file.size = report.bytes;
      CatalogEntry entry;
      entry.file = merged_.catalog.files.size();
      entry.role = noise ? ReportRole::kNoise : report.role;
      for (const auto& [name, value] : report.labels) add_value(entry, name, value);
      // Reports of [noise] are not paired; a name of their own would make each another variant.
      if (report.role == ReportRole::kQuestion && !identified_by_labels(report)) add_value(entry, kByName, report.name);
      add_value(entry, merged_.label, noise ? measurement : from.side);
      add_value(entry, merged_.measurement, measurement);
      std::ranges::sort(entry.labels, [](const LabelOfReport& a, const LabelOfReport& b) { return a.label < b.label; });
      merged_.catalog.files.push_back(std::move(file));
      merged_.catalog.questions.front().entries.push_back(std::move(entry));
      merged_.reports.push_back(result_of(report));
    }
  }

  void add_value(CatalogEntry& entry, const std::string& label, const std::string& text) const {
    entry.labels.push_back({label_rows_.at(label), text, 0, LabelOrigin::kName});
  }

  [[nodiscard]] ReportResult result_of(const StoredReport& report) const {
    ReportResult result;
    result.loaded = report.loaded;
    result.attributes = report.attributes;
    result.doubt = report.doubt;
    for (const Fact& fact : report.facts) {
      if (kept(globs_, fact.metric)) result.facts.push_back(fact);
    }
    return result;
  }

  /// "after" sorts before "before", and a catalog is sorted by name.
  void sort_by_name() {
    std::vector<CatalogEntry>& entries = merged_.catalog.questions.front().entries;
    std::vector<std::size_t> order(entries.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return merged_.catalog.files[a].name < merged_.catalog.files[b].name;
    });
    MergedResults sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted.catalog.files.push_back(std::move(merged_.catalog.files[order[i]]));
      sorted.reports.push_back(std::move(merged_.reports[order[i]]));
      sorted.catalog.questions.resize(1);
      sorted.catalog.questions.front().entries.push_back(std::move(entries[order[i]]));
      sorted.catalog.questions.front().entries.back().file = i;
    }
    if (sorted.catalog.questions.empty()) sorted.catalog.questions.emplace_back();
    merged_.catalog = std::move(sorted.catalog);
    merged_.reports = std::move(sorted.reports);
  }

  /// Two results of one machine each are compared whatever the machines; if a result has several machines, runs are
  /// paired within a machine.
  void compare_across_machines(const std::vector<Measurement>& results) {
    for (const std::string_view label : kBuiltInLabels) {
      if (std::ranges::all_of(results, [&](const Measurement& r) { return values_of(label, *r.question) < 2; }))
        merged_.question.across.emplace_back(label);
    }
  }

  /// Number of distinct values of a text attribute in a result, counting a missing one.
  static std::size_t values_of(std::string_view name, const StoredQuestion& question) {
    std::set<std::string_view> values;
    for (const StoredReport& report : question.reports) {
      if (!report.loaded) continue;
      const auto at = std::ranges::find_if(report.attributes, [&](const OwnedAttribute& a) { return a.name == name; });
      values.insert(at == report.attributes.end() ? std::string_view() : std::string_view(at->value));
    }
    return values.size();
  }

  /// The order of a number is the number, that of a text its rank among the texts.
  void set_orders() {
    std::vector<std::set<std::string>> texts(merged_.question.labels.labels.size());
    std::vector<CatalogEntry>& entries = merged_.catalog.questions.front().entries;
    for (const CatalogEntry& entry : entries) {
      for (const LabelOfReport& value : entry.labels) texts[value.label].insert(value.text);
    }
    for (CatalogEntry& entry : entries) {
      for (LabelOfReport& value : entry.labels) value.order = order_of(value, texts[value.label]);
    }
  }

  [[nodiscard]] double order_of(const LabelOfReport& value, const std::set<std::string>& texts) const {
    double number = 0;
    const char* end = value.text.data() + value.text.size();
    const bool numeric = merged_.question.labels.labels[value.label].type != LabelType::kText;
    if (numeric && std::from_chars(value.text.data(), end, number).ptr == end && std::isfinite(number)) return number;
    return static_cast<double>(std::distance(texts.begin(), texts.find(value.text)));
  }

  void add_metrics(const StoredQuestion& from) {
    std::vector<OwnedMetric>& metrics = merged_.metrics;
    for (const OwnedMetric& metric : from.result.metrics) {
      const auto at = std::ranges::lower_bound(metrics, metric.id, {}, &OwnedMetric::id);
      if (at == metrics.end() || at->id != metric.id) metrics.insert(at, metric);
    }
  }

  const std::vector<std::string>& globs_;
  MergedResults merged_;
  std::map<std::string, std::size_t> label_rows_;
  std::map<std::string_view, std::size_t> measured_;  // results per side so far
};

}  // namespace

MergedResults merge(const std::vector<Measurement>& results, const std::vector<std::string>& metrics) {
  MergedResults merged = Merge(results, metrics).release();
  for (const OwnedMetric& metric : merged.metrics) {
    if (asked(metrics, metric.id)) merged.compared.push_back(metric.id);
  }
  return merged;
}

}  // namespace assay
