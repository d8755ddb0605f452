#include "assay/study.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "assay/detail/report_labels.hpp"

namespace assay {

std::vector<std::size_t> StudyView::participants() const {
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < report_count(); ++r) {
    if (!is_noise(r) && believed(r)) out.push_back(r);
  }
  return out;
}

std::vector<std::size_t> StudyView::disbelieved() const {
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < report_count(); ++r) {
    if (!is_noise(r) && !believed(r)) out.push_back(r);
  }
  return out;
}

std::string_view StudyView::without_ending(std::string_view path) const {
  const std::size_t name = path.size() - (path.find_last_of('/') + 1);
  const auto at = std::find_if(s_->endings.begin(), s_->endings.end(),
                               [&](const Str& ending) { return name > ending.size && path.ends_with(ending.view()); });
  return at == s_->endings.end() ? path : path.substr(0, path.size() - at->size);
}

bool StudyView::named(std::size_t report) const {
  const LabelValueTable& values = *s_->label_values;
  const auto of_report = std::equal_range(values.report.begin(), values.report.end(), report);
  return std::any_of(of_report.first, of_report.second, [&](const std::uint32_t& row) {
    return values.origin[static_cast<std::uint64_t>(&row - values.report.begin())] != LabelOrigin::kReport;
  });
}

std::optional<std::size_t> StudyView::label(std::string_view name) const {
  for (std::size_t i = 0; i < s_->labels->rows; ++i) {
    if (s_->labels->name[i] == name) return i;
  }
  return std::nullopt;
}

std::vector<std::string> StudyView::values_of(std::string_view name) const {
  std::vector<std::pair<double, std::string_view>> found;
  const auto l = label(name);
  for (const std::size_t r : l ? participants() : std::vector<std::size_t>()) {
    if (const auto v = label_value(r, *l)) found.emplace_back(s_->label_values->order[*v], s_->label_values->text[*v]);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 0 || found[i].first != found[i - 1].first) out.emplace_back(found[i].second);
  }
  return out;
}

std::optional<std::size_t> StudyView::label_value(std::size_t report, std::size_t label) const {
  const LabelValueTable& t = *s_->label_values;
  std::size_t lo = 0, hi = static_cast<std::size_t>(t.rows);
  while (lo < hi) {
    const std::size_t mid = lo + (hi - lo) / 2;
    const bool before = t.report[mid] != report ? t.report[mid] < report : t.label[mid] < label;
    before ? lo = mid + 1 : hi = mid;
  }
  if (lo < t.rows && t.report[lo] == report && t.label[lo] == label) return lo;
  return std::nullopt;
}

std::string_view StudyView::label_text(std::size_t report, std::string_view name) const {
  const auto l = label(name);
  const auto v = l ? label_value(report, *l) : std::nullopt;
  return v ? s_->label_values->text[*v].view() : std::string_view{};
}

std::optional<std::size_t> StudyView::metric(std::string_view id) const {
  const auto ids = s_->metrics->id.view();
  const auto at = std::lower_bound(ids.begin(), ids.end(), id, [](Str a, std::string_view b) { return a.view() < b; });
  if (at == ids.end() || at->view() != id) return std::nullopt;
  return static_cast<std::size_t>(at - ids.begin());
}

std::optional<std::size_t> StudyView::fact(RowArg report, std::string_view metric_id, std::string_view dims) const {
  const auto m = metric(metric_id);
  if (!m) return std::nullopt;
  const std::size_t at = lower_bound(report.row, *m, dims);
  const FactTable& f = *s_->facts;
  if (at < f.rows && f.report[at] == report.row && f.metric[at] == *m && f.dims[at] == Str(dims)) return at;
  return std::nullopt;
}

std::optional<double> StudyView::value(RowArg report, std::string_view metric_id, std::string_view dims) const {
  const auto at = fact(report, metric_id, dims);
  return at ? std::optional<double>(s_->facts->value[*at]) : std::nullopt;
}

std::span<const double> StudyView::samples(std::size_t fact_row) const {
  const FactTable& f = *s_->facts;
  return f.samples.view().subspan(f.sample_begin[fact_row], f.sample_end[fact_row] - f.sample_begin[fact_row]);
}

std::optional<std::string_view> StudyView::attribute(std::size_t report, std::string_view name) const {
  const AttributeTable& t = *s_->attributes;
  const auto reports = t.report.view();
  auto i = static_cast<std::size_t>(std::lower_bound(reports.begin(), reports.end(), report) - reports.begin());
  for (; i < t.rows && t.report[i] == report; ++i) {
    if (t.name[i] == name) return t.value[i].view();
  }
  return std::nullopt;
}

RowsView StudyView::rows(std::size_t report, std::string_view analyzer, std::string_view id) const {
  const StudyRowTable& t = *s_->rows;
  const auto reports = t.report.view();
  auto i = static_cast<std::size_t>(std::lower_bound(reports.begin(), reports.end(), report) - reports.begin());
  for (; i < t.rows && t.report[i] == report; ++i) {
    if (t.analyzer[i] == analyzer && t.id[i] == id) return RowsView(t.table[i]);
  }
  return RowsView(nullptr);
}

std::size_t StudyView::lower_bound(Row report, std::size_t metric, std::string_view dims) const {
  const FactTable& f = *s_->facts;
  std::size_t lo = 0, hi = static_cast<std::size_t>(f.rows);
  while (lo < hi) {
    const std::size_t mid = lo + (hi - lo) / 2;
    const bool before = f.report[mid] != report   ? f.report[mid] < report
                        : f.metric[mid] != metric ? f.metric[mid] < metric
                                                  : f.dims[mid].view() < dims;
    before ? lo = mid + 1 : hi = mid;
  }
  return lo;
}

std::string report_name(const StudyView& view, std::size_t report) {
  std::string_view path = view.path(report);
  path.remove_prefix(std::min(path.size(), path.rfind('/') + 1));
  return std::string(path.substr(0, path.rfind('.')));
}

LabelTexts labels_of(const StudyView& view, std::size_t report) {
  LabelTexts out;
  const LabelTable& labels = *view.study().labels;
  for (std::size_t l = 0; l < labels.rows; ++l) {
    const auto value = view.label_value(report, l);
    if (value) out.emplace_back(labels.name[l].view(), view.study().label_values->text[*value].view());
  }
  return out;
}

}  // namespace assay
