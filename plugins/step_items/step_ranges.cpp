#include "step_ranges.hpp"

#include <algorithm>
#include <cctype>

#include "assay/algo/named_ranges.hpp"
#include "assay/words.hpp"

namespace assay::step_items {

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

}  // namespace assay::step_items
