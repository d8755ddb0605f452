#include "conclude/mixture.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "config/built_in_labels.hpp"
#include "load/issue.hpp"
#include "some_of.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxValues = 6;

/// Where a question mentions a label.
struct LabelUse {
  bool compared = false;  ///< as the label under test
  bool at_all = false;    ///< anywhere, including conditions
};

void look_for(std::string_view label, const OptionSet& options, LabelUse& named) {
  for (const OptionSet::Entry& entry : options.entries()) {
    if (entry.type == OptionType::kLabel && std::get<std::string>(entry.value) == label)
      named.compared = named.at_all = true;
    const bool list = entry.type == OptionType::kLabelList || entry.type == OptionType::kConditionList;
    if (!list) continue;
    for (const std::string& text : std::get<std::vector<std::string>>(entry.value)) {
      named.at_all = named.at_all || std::string_view(text).substr(0, text.find('=')) == label;
    }
  }
}

LabelUse named(std::string_view label, const PlannedQuestion& planned) {
  LabelUse named;
  for (const PlannedAnalyzer& analyzer : planned.analyzers) look_for(label, analyzer.options, named);
  for (const PlannedClaim& claim : planned.claims) look_for(label, claim.keys, named);
  return named;
}

bool across(std::string_view label, const Question& question) {
  return std::find(question.across.begin(), question.across.end(), label) != question.across.end();
}

std::string plural(std::string_view name) { return name == "cuda" ? "CUDA versions" : std::string(name) + "s"; }

/// "A (12 profiles, such as a.sqlite), B (3 profiles, such as b.sqlite) and not known (1 profile, c.sqlite)".
std::string listed(const SaidBy& said, const AnalyzedQuestion& question) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& value, const std::vector<std::size_t>& reports) {
    parts.push_back(fmt::format("{} ({}{}{})", value, reports.size(),
                                reports.size() == 1 ? " profile, " : " profiles, such as ",
                                question.name_of(reports.front())));
  };
  for (const auto& [value, reports] : said) {
    if (!value.empty()) add(value, reports);
  }
  const std::size_t known = parts.size();
  if (known > kMaxValues) {
    parts.resize(kMaxValues);
    parts.push_back(std::to_string(known - kMaxValues) + " more");
  }
  if (const auto unknown = said.find(""); unknown != said.end()) add("not known", unknown->second);
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

}  // namespace

SaidBy labels_under(std::string_view name, const std::vector<ReportResult>& reports) {
  SaidBy said;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    if (!reports[r].loaded) continue;
    const auto& attributes = reports[r].attributes;
    const auto at = std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name == name; });
    said[at == attributes.end() ? std::string() : at->value].push_back(r);
  }
  return said;
}

std::vector<std::string_view> built_in_labels_of(const PlannedQuestion& planned,
                                                 const std::vector<ReportResult>& reports) {
  const bool other_device = across("device", *planned.question) || named("device", planned).compared;
  std::vector<std::string_view> labels;
  for (const std::string_view label : kBuiltInLabels) {
    const bool follows = label != "device" && other_device;
    const bool apart = !follows && !across(label, *planned.question) && labels_under(label, reports).size() > 1;
    if (named(label, planned).at_all || apart) labels.push_back(label);
  }
  return labels;
}

std::vector<OwnedFinding> mixtures(const AnalyzedQuestion& question) {
  const std::vector<std::string_view> labels = built_in_labels_of(question.planned, question.reports);
  std::vector<OwnedFinding> out;
  const bool several_formats = labels_under("format", question.reports).size() > 1;
  for (const std::string_view name : {"device", "clock", "driver", "cuda", "format", "profiler"}) {
    const SaidBy said = labels_under(name, question.reports);
    if (said.size() < 2 || (name == "profiler" && several_formats)) continue;
    OwnedFinding finding{"", FindingRole::kNote, {}, {}, std::nullopt, {}, {}};
    const std::size_t known = said.size() - (said.contains("") ? 1U : 0U);
    finding.title =
        (known > 1 ? "Several " + plural(name)
                   : "Not every profile records its " + std::string(name == "cuda" ? "CUDA version" : name)) +
        ": " + listed(said, question);
    if (named(name, question.planned).compared) {
      finding.text = "They are what the question compares.";
    } else if (std::find(labels.begin(), labels.end(), name) != labels.end()) {
      finding.text = fmt::format(
          "Runs that differ in it are never paired, pooled or treated as repeat runs. To compare them, name the label "
          "'{}' in an analyzer, or write across = [\"{}\"] in [question] if another label represents it.",
          std::string(name), std::string(name));
    } else {
      finding.text = "They are compared anyway, so a difference may come from it.";
    }
    out.push_back(std::move(finding));
  }
  return out;
}

std::vector<OwnedFinding> damaged_profiles(const AnalyzedQuestion& question) {
  std::vector<std::string> names;
  std::string first;
  for (std::size_t r = 0; r < question.reports.size(); ++r) {
    const auto& issues = question.reports[r].issues;
    const auto damage = std::ranges::find(issues, load::kDamagedTimes, &OwnedIssue::name);
    if (damage == issues.end()) continue;
    if (names.empty()) first = damage->text;
    names.push_back(question.name_of(r));
  }
  if (names.empty()) return {};
  constexpr std::size_t kNamed = 3;
  OwnedFinding finding{"", FindingRole::kNote, {}, {}, std::nullopt, {}, {}};
  finding.title = "Damaged profiles, whose times of the GPU contradict each other: " + some_of(names, kNamed);
  finding.text = fmt::format("{}: {}.", names.front(), first);
  return {finding};
}

}  // namespace assay
