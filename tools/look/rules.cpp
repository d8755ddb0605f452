#include "look/rules.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "load/format.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay::look {

std::optional<PageSection> rules_part(const FoundFile& file) {
  constexpr std::size_t kSaid = 5, kWords = 160, kName = 46;
  const load::Format* format = load::format_of(file.kind);
  if (format == nullptr) return std::nullopt;
  const auto launches = format->rules(file.path);
  if (!launches) return std::nullopt;  // if it cannot be read, its counters report that
  struct Gain {
    std::optional<double> speedup;  ///< %; empty: the rule estimates none
    std::string text;
  };
  std::vector<Gain> gains;
  for (const load::RuledLaunch& launch : *launches) {
    std::string who = launch.ranges.empty() ? "" : one_line(launch.ranges.back()) + ", ";
    who += shortened(one_line(launch.kernel), kName);
    for (const load::RuleSaying& saying : launch.sayings) {
      if (saying.speedup ? *saying.speedup <= 0 : saying.kind != "OPT") continue;
      const std::string gain = saying.speedup ? fixed(*saying.speedup, 0) + " % " +
                                                    (saying.local ? "of the part it is about" : "of its duration")
                                              : "gain unknown";
      const std::string text = one_line(saying.text), first = text.substr(0, text.find(". "));
      gains.push_back(
          {saying.speedup, fmt::format("{}: {} ({}): {}", who, gain, one_line(saying.rule), shortened(first, kWords))});
    }
  }
  if (gains.empty()) return std::nullopt;
  std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) { return a.speedup > b.speedup; });
  PageSection part{"Largest gains by the profiler's own rules, as it estimates them", {}, {}};
  for (std::size_t i = 0; i < std::min(kSaid, gains.size()); ++i) part.sentences.push_back(gains[i].text);
  if (gains.size() > kSaid) part.sentences.push_back("and " + counted(gains.size() - kSaid, "smaller one"));
  return part;
}

}  // namespace assay::look
