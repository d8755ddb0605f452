#include "runners/runner_labels.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "catalog/name_match.hpp"
#include "config/label_value.hpp"

namespace assay {
namespace {

/// "dim" matches "dim" and "config.dim".
bool is_field(std::string_view key, std::string_view field) {
  if (!key.ends_with(field)) return false;
  return key.size() == field.size() || key[key.size() - field.size() - 1] == '.';
}

class FieldLabelCollector {
 public:
  FieldLabelCollector(const Question& question, const RunnerEntry& entry)
      : labels_(question.labels.labels),
        shown_(entry.name.empty() ? "an entry" : "'" + entry.name + "'"),
        slots_(question.labels.labels.size()) {}

  void add_label(std::size_t label, std::string_view text, const std::string& field) {
    Slot& slot = slots_[label];
    const LabelSpec& spec = labels_[label];
    const Result<ParsedLabel> value = read_label_value(spec, text);
    if (!value) {
      refuse(slot, fmt::format("Of {} the field {} gives the label '{}' the value '{}', which {}; it is not used.",
                               shown_, field, spec.name, std::string(text), value.error().sentence));
    } else if (!slot.value) {
      slot.value = *value;
      slot.field = field;
    } else if (slot.value->text != value->text) {
      refuse(slot, fmt::format("Of {} the label '{}' is {} by the field {} and {} by the field {}; neither is used.",
                               shown_, spec.name, slot.value->text, slot.field, value->text, field));
    }
  }

  void complain(std::string sentence) { out_.problems.push_back(fmt::format("Of {} {}", shown_, std::move(sentence))); }

  FieldLabels release() {
    for (std::size_t l = 0; l < slots_.size(); ++l) {
      const Slot& slot = slots_[l];
      if (slot.value && !slot.refused)
        out_.labels.push_back({l, slot.value->text, slot.value->order, LabelOrigin::kResults});
    }
    return std::move(out_);
  }

 private:
  struct Slot {
    std::optional<ParsedLabel> value;
    std::string field;
    bool refused = false;
  };

  void refuse(Slot& slot, std::string sentence) {
    slot.refused = true;
    out_.problems.push_back(std::move(sentence));
  }

  const std::vector<LabelSpec>& labels_;
  std::string shown_;
  std::vector<Slot> slots_;
  FieldLabels out_;
};

void add_labels_by_patterns(const Question& question, const std::string& key, const std::string& text,
                            FieldLabelCollector& out) {
  for (const auto& [field, patterns] : question.runner.patterns) {
    if (!is_field(key, field)) continue;
    bool fits = false;
    for (const std::string& pattern : patterns) {
      const Result<Pattern> parsed = parse_pattern(pattern);
      if (!parsed || fits) continue;
      for (const PatternMatch& match : matches_at(*parsed, question.labels.labels, text, 0)) {
        if (match.end != text.size() || fits) continue;
        fits = true;
        for (const auto& [label, value] : match.found) out.add_label(label, value, key);
      }
    }
    if (!fits) out.complain(fmt::format("the field {} is '{}', which fits none of its [results.patterns].", key, text));
  }
}

}  // namespace

FieldLabels labels_of_fields(const Question& question, const RunnerEntry& entry) {
  FieldLabelCollector out(question, entry);
  for (const auto& [key, text] : entry.fields) {
    for (std::size_t l = 0; l < question.labels.labels.size(); ++l) {
      for (const std::string& field : question.labels.labels[l].fields) {
        if (is_field(key, field)) out.add_label(l, text, key);
      }
    }
    add_labels_by_patterns(question, key, text, out);
  }
  return out.release();
}

std::vector<LabelConflict> fill_labels(std::vector<LabelOfReport>& labels, const std::vector<LabelOfReport>& given) {
  std::vector<LabelConflict> conflicts;
  for (const LabelOfReport& value : given) {
    const auto at = std::lower_bound(labels.begin(), labels.end(), value.label,
                                     [](const LabelOfReport& l, std::size_t label) { return l.label < label; });
    if (at == labels.end() || at->label != value.label) {
      labels.insert(at, value);
    } else if (at->origin == LabelOrigin::kDefault) {
      *at = value;
    } else if (at->text != value.text) {
      conflicts.push_back({value.label, at->text, at->origin, value.text});
    }
  }
  return conflicts;
}

std::optional<std::vector<LabelOfReport>> labels_by_fields_alone(const Question& question,
                                                                 const std::vector<LabelOfReport>& given) {
  std::vector<LabelOfReport> labels;
  const std::vector<LabelSpec>& specs = question.labels.labels;
  for (std::size_t l = 0; l < specs.size(); ++l) {
    const auto at = std::find_if(given.begin(), given.end(), [&](const LabelOfReport& v) { return v.label == l; });
    if (at != given.end()) {
      labels.push_back(*at);
    } else if (specs[l].default_value) {
      const Result<ParsedLabel> value = read_label_value(specs[l], *specs[l].default_value);
      if (value) labels.push_back({l, value->text, value->order, LabelOrigin::kDefault});
    } else if (!specs[l].descriptive) {
      return std::nullopt;
    }
  }
  if (labels.empty()) return std::nullopt;
  return labels;
}

}  // namespace assay
