#include "propose/labels.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/words.hpp"

namespace assay::init {
namespace {

/// The value named like a baseline; empty: none is.
std::string state_before(const naming::NameLabel& label) {
  constexpr std::string_view kBases[] = {
      "baseline", "base",    "none",  "no",       "off",     "eager",    "uncompiled", "reference", "ref",   "before",
      "old",      "control", "sync",  "default",  "vanilla", "original", "orig",       "single",    "local", "fp32",
      "float32",  "forward", "false", "disabled", "without", "wo",       "not",        "disable"};
  if (!label.otherwise.empty() && label.otherwise != "yes") return label.otherwise;
  for (const std::string_view base : kBases) {
    const auto at = std::find_if(label.values.begin(), label.values.end(),
                                 [&](const std::string& value) { return lower_case(value) == base; });
    if (at != label.values.end()) return *at;
  }
  return {};
}

/// Likely interest in the effect of the label, 0 highest: first a change, then a size, then the choice of a model.
int position_of(const naming::NameLabel& label, bool has_state_before) {
  if (label.name == "model" || label.name == "size") return 3;
  if (label.type != LabelType::kText) return 2;
  return has_state_before ? 0 : 1;
}

/// The other labels of a run: equal for runs that may be compared.
std::string rest_of(const std::map<std::string, std::string>& said, const naming::NameRules& rules,
                    const std::string& label) {
  std::string rest;
  for (const naming::NameLabel& other : rules.labels) {
    if (other.name == label || other.descriptive) continue;
    const auto at = said.find(other.name);
    rest += (at == said.end() ? std::string("\1") : at->second) + "\2";
  }
  return rest;
}

}  // namespace

std::vector<Comparison> comparisons_of(const naming::NameRules& rules) {
  struct Candidate {
    Comparison comparison;
    int place;
  };
  std::vector<Candidate> found;
  for (const naming::NameLabel& label : rules.labels) {
    if (label.descriptive || label.values.size() < 2) continue;
    const std::string before = state_before(label);
    std::map<std::string, std::set<std::string>> alike;  // values of runs, by their other labels
    for (const auto& said : rules.of_stem) {
      if (const auto at = said.find(label.name); at != said.end())
        alike[rest_of(said, rules, label.name)].insert(at->second);
    }
    std::map<std::string, std::size_t> pairs;  // by base
    for (const auto& [rest, values] : alike) {
      for (const std::string& value : values) pairs[value] += values.size() - 1;
    }
    Comparison comparison{label.name, before.empty() ? label.values.front() : before, 0, label.values.size()};
    if (pairs[comparison.base] == 0) {
      const std::string& most = *std::ranges::max_element(label.values, {}, [&](const auto& v) { return pairs[v]; });
      if (pairs[most] > 0) comparison.base = most;
    }
    comparison.pairs = pairs[comparison.base];
    found.push_back({std::move(comparison), position_of(label, !before.empty())});
  }
  std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    const bool none_a = a.comparison.pairs == 0, none_b = b.comparison.pairs == 0;
    if (none_a != none_b) return none_b;
    if (a.place != b.place) return a.place < b.place;
    return a.comparison.pairs != b.comparison.pairs ? a.comparison.pairs > b.comparison.pairs
                                                    : a.comparison.values < b.comparison.values;
  });
  std::vector<Comparison> out;
  for (Candidate& candidate : found) out.push_back(std::move(candidate.comparison));
  return out;
}

}  // namespace assay::init
