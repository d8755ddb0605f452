#include "difference/step_ranges.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

#include "assay/algo/named_ranges.hpp"
#include "assay/words.hpp"

namespace assay::difference {

step::NamePatterns patterns_of(const Report& report, const std::vector<std::string>& given) {
  step::NamePatterns patterns{.steps = given};
  if (report.ranges == nullptr || report.iterations != nullptr) return patterns;
  step::Names names(report, patterns, NameRules(std::span<const Str>()));
  const bool named = std::ranges::any_of(report.ranges->name, [&](StringId name) { return names.is_step(name); });
  if (named) return patterns;
  if (std::string found = step::found_steps(report); !found.empty()) patterns.steps.push_back(std::move(found));
  return patterns;
}

std::string step_word(const step::Steps& steps) {
  if (steps.source == step::StepSource::kWhole) return "capture";
  if (steps.source == step::StepSource::kWindow || steps.kept.empty()) return "window";
  const std::string folded = folded_name(steps.kept.front().name);
  std::string word = lower_case(folded.substr(0, folded.find('{')));
  while (!word.empty() && std::isalpha(static_cast<unsigned char>(word.back())) == 0) word.pop_back();
  const auto holds = [&](const char* part) { return word.find(part) != std::string::npos; };
  return word.empty() || holds("step") || holds("iter") ? "step" : word;
}

std::vector<Phase> phases_of(const Report& report, step::Names& names, const LaunchPlaces& places) {
  std::vector<Phase> phases;
  if (report.ranges == nullptr) return phases;
  const RangeTable& ranges = *report.ranges;
  std::map<std::string, std::size_t> known;
  std::unordered_map<StringId, std::size_t> of_name;
  for (std::size_t r = 0; r < ranges.rows; ++r) {
    const Row parent = ranges.parent[r];
    if (parent < 0 || !names.is_step(ranges.name[parent]) || names.is_step(ranges.name[r])) continue;
    if (places.step_at(ranges.start[r]) < 0) continue;
    const auto [at, fresh] = of_name.try_emplace(ranges.name[r], 0);
    if (fresh) {
      std::string name = folded_name(report.string(ranges.name[r]));
      const auto [place, added] = known.try_emplace(name, phases.size());
      if (added) phases.push_back({std::move(name), {}});
      at->second = place->second;
    }
    phases[at->second].times.push_back(ranges.end[r] - ranges.start[r]);
  }
  return phases;
}

}  // namespace assay::difference
