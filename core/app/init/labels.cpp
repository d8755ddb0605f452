#include "app/init/labels.hpp"

#include <algorithm>
#include <set>

namespace assay::init {
namespace {

/// The value that sounds like the state before, or else the first.
std::string base_of(const NameLabel& label) {
  constexpr std::string_view kBases[] = {"baseline",  "base",     "none",   "no",    "off",     "eager", "uncompiled",
                                         "reference", "ref",      "before", "old",   "control", "sync",  "default",
                                         "vanilla",   "original", "single", "local", "forward"};
  for (const std::string_view base : kBases) {
    const auto at = std::find(label.values.begin(), label.values.end(), base);
    if (at != label.values.end()) return *at;
  }
  return label.values.front();
}

/// What a run is beside the label: equal for runs that may be compared.
std::string rest_of(const std::map<std::string, std::string>& said, const NameRules& rules, const std::string& label) {
  std::string rest;
  for (const NameLabel& other : rules.labels) {
    if (other.name == label || other.descriptive) continue;
    const auto at = said.find(other.name);
    rest += (at == said.end() ? std::string("\1") : at->second) + "\2";
  }
  return rest;
}

}  // namespace

std::vector<Comparison> comparisons_of(const NameRules& rules) {
  std::vector<std::pair<Comparison, std::size_t>> found;
  for (const NameLabel& label : rules.labels) {
    if (label.descriptive || label.values.size() < 2) continue;
    Comparison comparison{label.name, base_of(label)};
    std::set<std::string> bases;
    std::set<std::pair<std::string, std::string>> others;
    for (const auto& said : rules.of_stem) {
      const auto at = said.find(label.name);
      if (at == said.end()) continue;
      const std::string rest = rest_of(said, rules, label.name);
      if (at->second == comparison.base)
        bases.insert(rest);
      else
        others.emplace(rest, at->second);
    }
    for (const auto& [rest, value] : others) comparison.pairs += bases.contains(rest) ? 1U : 0U;
    found.emplace_back(comparison, label.values.size());
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first.pairs != b.first.pairs ? a.first.pairs > b.first.pairs : a.second < b.second;
  });
  std::vector<Comparison> out;
  for (auto& [comparison, values] : found) out.push_back(std::move(comparison));
  return out;
}

}  // namespace assay::init
