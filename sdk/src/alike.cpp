#include "assay/detail/alike.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "assay/words.hpp"

namespace assay {
namespace {

/// Sort key of a report: missing values first, then the order of the label, then the text.
using Key = std::vector<std::tuple<bool, double, std::string>>;

/// The labels on which similar runs agree.
std::vector<std::size_t> fixed_labels(const StudyView& view, const std::vector<std::string>& varies) {
  const LabelTable& labels = *view.study().labels;
  std::vector<std::size_t> out;
  for (std::size_t l = 0; l < labels.rows; ++l) {
    const bool free = std::find(varies.begin(), varies.end(), labels.name[l].view()) != varies.end();
    if (!free && labels.descriptive[l] == 0) out.push_back(l);
  }
  return out;
}

Key key_of(const StudyView& view, std::size_t report, const std::vector<std::size_t>& labels) {
  const LabelValueTable& values = *view.study().label_values;
  Key key;
  for (const std::size_t l : labels) {
    const auto row = view.label_value(report, l);
    key.emplace_back(row.has_value(), row ? values.order[*row] : 0, row ? std::string(values.text[*row].view()) : "");
  }
  return key;
}

LabelTexts texts_of(const StudyView& view, std::size_t report, const std::vector<std::size_t>& labels) {
  LabelTexts out;
  for (const std::size_t l : labels) {
    if (const auto row = view.label_value(report, l))
      out.emplace_back(view.study().labels->name[l].view(), view.study().label_values->text[*row].view());
  }
  return out;
}

/// The first of the labels for which a report has no value.
std::optional<std::string> lacks(const StudyView& view, std::size_t report, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto label = view.label(name);
    if (!label || !view.label_value(report, *label)) return name;
  }
  return std::nullopt;
}

std::string text_of(const LabelTexts& labels, std::string_view name) {
  const auto at = std::find_if(labels.begin(), labels.end(), [&](const auto& label) { return label.first == name; });
  return at == labels.end() ? std::string("not known") : at->second;
}

/// "device (H200, not H100)" for each label in which the second group differs from the first.
std::vector<std::string> differences(const StudyView& view, const LabelTexts& own, const LabelTexts& other) {
  std::vector<std::string> out;
  for (const Str& name : view.study().labels->name.view()) {
    const std::string a = text_of(own, name), b = text_of(other, name);
    if (a != b) out.push_back(filled("{} ({}, not {})", {name.view(), b, a}));
  }
  return out;
}

}  // namespace

class Gate {
 public:
  Gate(const StudyView& view, const Alikeness& alikeness)
      : view_(view), alikeness_(alikeness), labels_(fixed_labels(view, alikeness.varies)) {
    for (std::size_t r = 0; r < view.report_count(); ++r) add_to_group(r);
    for (auto& [key, group] : groups_) out_.groups.push_back(std::move(group));
  }

  RunGrouping result() { return std::move(out_); }

 private:
  void add_to_group(std::size_t report) {
    if (view_.is_noise(report) || (alikeness_.speaks_of && !alikeness_.speaks_of(report))) return;
    for (const auto* names : {&alikeness_.varies, &alikeness_.needs}) {
      const auto lacking = lacks(view_, report, *names);
      if (!lacking) continue;
      out_.left_out.push_back({report, "it has no value of the label " + *lacking});
      return;
    }
    if (!view_.believed(report)) {
      out_.left_out.push_back({report, std::string(view_.doubt(report))});
      return;
    }
    RunGroup& group = groups_[key_of(view_, report, labels_)];
    if (group.runs.empty()) group.labels = texts_of(view_, report, labels_);
    group.runs.reports_.push_back(report);
  }

  const StudyView& view_;
  const Alikeness& alikeness_;
  std::vector<std::size_t> labels_;
  std::map<Key, RunGroup> groups_;
  RunGrouping out_;
};

RunGrouping alike_groups(const StudyView& view, const Alikeness& alikeness) { return Gate(view, alikeness).result(); }

std::string kept_apart(const StudyView& view, const std::vector<RunGroup>& groups, std::size_t group,
                       const std::function<bool(const RunGroup&)>& may) {
  std::vector<std::string> fewest;
  const RunGroup* nearest = nullptr;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g == group || !may(groups[g])) continue;
    std::vector<std::string> differing = differences(view, groups[group].labels, groups[g].labels);
    if (nearest != nullptr && differing.size() >= fewest.size()) continue;
    fewest = std::move(differing);
    nearest = &groups[g];
  }
  if (nearest == nullptr) return {};
  return "the nearest differs in " + listed(fewest);
}

}  // namespace assay
