#include "assay/detail/step_names.hpp"

#include <algorithm>

#include "assay/words.hpp"

namespace assay::step {

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {  // let the last '*' match one more character
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

Names::Names(const Report& report, const NamePatterns& patterns, const NameRules& classes)
    : report_(&report),
      patterns_(&patterns),
      classes_(&classes),
      known_(static_cast<std::size_t>(report.strings.size)),
      known_kernels_(known_.size()) {
  for (const std::string& word : patterns.communication) words_.push_back(lower_case(word));
}

NameMeaning Names::meaning_of(StringId name) {
  NameMeaning& known = known_[name];
  if (known == NameMeaning::kNotAsked) known = look_up(report_->string(name));
  return known;
}

bool Names::kernel_communicates(StringId name) {
  if (classes_->empty()) return meaning_of(name) == NameMeaning::kCommunication;
  NameMeaning& known = known_kernels_[name];
  if (known == NameMeaning::kNotAsked) {
    const bool communicates = classes_->class_of(report_->string(name)) == patterns_->communication_class;
    known = communicates ? NameMeaning::kCommunication : NameMeaning::kNothing;
  }
  return known == NameMeaning::kCommunication;
}

NameMeaning Names::look_up(std::string_view name) const {
  const auto any = [](const std::vector<std::string>& patterns, auto&& fits) {
    return std::any_of(patterns.begin(), patterns.end(), fits);
  };
  if (any(patterns_->data_loader, [&](const std::string& p) { return matches(p, name); }))
    return NameMeaning::kDataLoader;
  const std::string text = lower_case(name);
  const bool communicates = any(words_, [&](const std::string& w) { return text.find(w) != std::string::npos; });
  return communicates ? NameMeaning::kCommunication : NameMeaning::kNothing;
}

}  // namespace assay::step
