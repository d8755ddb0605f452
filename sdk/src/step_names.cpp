#include "assay/detail/step_names.hpp"

#include <algorithm>

#include "assay/algo/named_ranges.hpp"
#include "assay/words.hpp"

namespace assay::step {

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {  // the last '*' takes one character more
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

Meaning Names::of(StringId name) {
  Meaning& known = known_[name];
  if (known == Meaning::kNotAsked) known = look_up(report_->string(name));
  return known;
}

bool Names::kernel_communicates(StringId name) {
  if (classes_->empty()) return of(name) == Meaning::kCommunication;
  Meaning& known = known_kernels_[name];
  if (known == Meaning::kNotAsked) {
    const bool communicates = classes_->class_of(report_->string(name)) == patterns_->communication_class;
    known = communicates ? Meaning::kCommunication : Meaning::kNothing;
  }
  return known == Meaning::kCommunication;
}

Meaning Names::look_up(std::string_view name) const {
  const auto any = [](const std::vector<std::string>& patterns, auto&& fits) {
    return std::any_of(patterns.begin(), patterns.end(), fits);
  };
  if (any(patterns_->steps, [&](const std::string& p) { return range_name_matches(p, name); })) return Meaning::kStep;
  if (any(patterns_->data_loader, [&](const std::string& p) { return matches(p, name); })) return Meaning::kDataLoader;
  const std::string text = lower_case(name);
  const bool communicates = any(words_, [&](const std::string& w) { return text.find(w) != std::string::npos; });
  return communicates ? Meaning::kCommunication : Meaning::kNothing;
}

}  // namespace assay::step
