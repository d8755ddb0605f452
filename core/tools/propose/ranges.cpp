#include "propose/ranges.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "assay/algo/named_ranges.hpp"
#include "assay/words.hpp"

namespace assay::init {
namespace {

constexpr std::size_t kLeastIterations = 3, kMostSeen = 8;

/// "step_12" as "step_{i}": the last number gives way, because numbers before it name something else.
std::optional<std::string> with_placeholder(const std::string& name) {
  const std::size_t last = name.find_last_of("0123456789");
  if (last == std::string::npos || name.find_first_of("{}") != std::string::npos) return std::nullopt;
  std::size_t first = last;
  while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9') --first;
  std::string pattern = name.substr(0, first) + "{i}" + name.substr(last + 1);
  return pattern.size() == std::string_view("{i}").size() ? std::nullopt : std::optional(pattern);
}

bool is_warm_up(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return name.find("warm") != std::string::npos;
}

struct Family {
  std::set<std::string> names;
  std::int64_t start = 0, end = 0, time = 0;
  bool one_each = true;  ///< every name stands for one range
};

std::map<std::string, Family> families_of(const RangesOfReport& report) {
  std::map<std::string, Family> families;
  for (const auto& [name, range] : report.by_name) {
    const auto pattern = with_placeholder(name);
    if (!pattern) continue;
    Family& family = families[*pattern];
    family.start = family.names.empty() ? range.start : std::min(family.start, range.start);
    family.end = family.names.empty() ? range.end : std::max(family.end, range.end);
    family.names.insert(name);
    family.time += range.time;
    family.one_each = family.one_each && range.count == 1;
  }
  return families;
}

/// Ranges without number that hold the family, by the time that they take beyond it.
std::vector<std::string> around(const RangesOfReport& report, const Family& family) {
  std::vector<std::pair<std::int64_t, std::string>> found;
  for (const auto& [name, range] : report.by_name) {
    const bool holds = range.count == 1 && range.start <= family.start && range.end >= family.end;
    if (holds && !with_placeholder(name)) found.emplace_back(range.end - range.start, name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (const auto& [time, name] : found) names.push_back(name);
  return names;
}

std::vector<std::string> seen_in(const std::vector<RangesOfReport>& reports) {
  std::map<std::string, std::int64_t> times;
  for (const RangesOfReport& report : reports) {
    for (const auto& [name, range] : report.by_name) times[with_placeholder(name).value_or(name)] += range.time;
  }
  std::vector<std::pair<std::string, std::int64_t>> sorted(times.begin(), times.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostSeen); ++i) names.push_back(sorted[i].first);
  return names;
}

/// Folded names with a word in them that one report has.
std::set<std::string> names_with(const RangesOfReport& report, std::string_view word) {
  std::set<std::string> names;
  for (const auto& [name, range] : report.by_name) {
    if (lower_case(name).find(word) != std::string::npos) names.insert(folded_name(name));
  }
  return names;
}

/// Those that every report has.
std::vector<std::string> names_everywhere(const std::vector<RangesOfReport>& reports, std::string_view word) {
  std::set<std::string> names = names_with(reports.front(), word);
  for (const RangesOfReport& report : reports) {
    const std::set<std::string> own = names_with(report, word);
    std::erase_if(names, [&](const std::string& name) { return !own.contains(name); });
  }
  return {names.begin(), names.end()};
}

/// A decode alone may be another program's; beside a prefill or a request it is a server's.
ServerRanges server_of(const std::vector<RangesOfReport>& reports) {
  constexpr std::string_view kSteps[] = {"_generation_", "step[decode", "_forward_step"};
  ServerRanges server{names_everywhere(reports, "request"), names_everywhere(reports, "prefill"),
                      names_everywhere(reports, "decode")};
  for (const std::string_view mark : kSteps)
    server.steps_named = server.steps_named || !names_everywhere(reports, mark).empty();
  const bool serves = !server.decode.empty() && (!server.prefill.empty() || !server.request.empty());
  return server.steps_named ? ServerRanges{.steps_named = true} : serves ? server : ServerRanges{};
}

}  // namespace

ProposedRanges ranges_of(const std::vector<RangesOfReport>& reports) {
  ProposedRanges proposed;
  proposed.seen = seen_in(reports);
  if (reports.empty()) return proposed;
  proposed.server = server_of(reports);
  std::vector<std::map<std::string, Family>> families;
  for (const RangesOfReport& report : reports) families.push_back(families_of(report));
  std::int64_t most = -1;
  for (const auto& [pattern, first] : families.front()) {
    std::int64_t time = 0;
    std::uint64_t least = first.names.size(), greatest = 0;
    const bool everywhere = std::all_of(families.begin(), families.end(), [&, p = pattern](const auto& of_report) {
      const auto at = of_report.find(p);
      if (at == of_report.end() || at->second.names.size() < kLeastIterations || !at->second.one_each) return false;
      time += at->second.time;
      least = std::min<std::uint64_t>(least, at->second.names.size());
      greatest = std::max<std::uint64_t>(greatest, at->second.names.size());
      return true;
    });
    if (!everywhere || is_warm_up(pattern) || time <= most) continue;
    most = time;
    proposed.iterations = pattern;
    proposed.least = least;
    proposed.most = greatest;
  }
  if (proposed.iterations.empty()) return proposed;
  for (const std::string& name : around(reports.front(), families.front().at(proposed.iterations))) {
    const bool everywhere = std::all_of(reports.begin(), reports.end(), [&](const RangesOfReport& report) {
      const std::vector<std::string> names = around(report, families_of(report).at(proposed.iterations));
      return std::find(names.begin(), names.end(), name) != names.end();
    });
    if (!everywhere) continue;
    proposed.window = name;
    break;
  }
  return proposed;
}

}  // namespace assay::init
