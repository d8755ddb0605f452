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
  return word.empty() || holds("step") || holds("iter") ? "step" : word;
}

}  // namespace assay::step_items
