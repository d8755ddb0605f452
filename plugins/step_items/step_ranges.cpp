#include "step_ranges.hpp"

#include <algorithm>
#include <cctype>

#include "assay/algo/named_ranges.hpp"
#include "assay/words.hpp"

namespace assay::step_items {

std::string step_word(const step::Steps& steps) {
  if (steps.source == StepSource::kWhole) return "capture";
  if (!steps.found()) return "window";
  const std::string folded = folded_name(steps.kept.front().name);
  std::string word = lower_case(folded.substr(0, folded.find('{')));
  while (!word.empty() && std::isalpha(static_cast<unsigned char>(word.back())) == 0) word.pop_back();
  const auto holds = [&](const char* part) { return word.find(part) != std::string::npos; };
  const bool one_word = std::ranges::all_of(word, [](unsigned char c) { return std::isalpha(c) != 0; });
  return word.empty() || !one_word || holds("step") || holds("iter") || word == "train" ? "step" : word;
}

std::string found_text(const std::string& range, std::string_view source) {
  return filled("steps are the ranges '{}', {}", {range, source == step_source_name(StepSource::kNamed) ? "as named"
                                                         : source == step_source_name(StepSource::kMarks)
                                                             ? "marks of the profiler"
                                                             : "which repeat and hold most of the GPU's work"});
}

}  // namespace assay::step_items
