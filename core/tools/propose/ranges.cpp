#include "propose/ranges.hpp"

#include <algorithm>
#include <limits>

#include "assay/algo/named_ranges.hpp"
#include "config/iteration_names.hpp"

namespace assay::init {
namespace {

/// All ranges of a name.
RangesOfReport::Range ranges_named(const RangesOfReport& report, const std::string& pattern) {
  RangesOfReport::Range all;
  for (const auto& [name, range] : report.by_name) {
    if (!range_name_matches(pattern, name)) continue;
    all.start = all.count == 0 ? range.start : std::min(all.start, range.start);
    all.end = all.count == 0 ? range.end : std::max(all.end, range.end);
    all.count += range.count;
  }
  return all;
}

/// Ranges without number that hold the steps, by the time that they take beyond them.
std::vector<std::string> around(const RangesOfReport& report) {
  const RangesOfReport::Range steps = ranges_named(report, report.steps);
  std::vector<std::pair<std::int64_t, std::string>> found;
  for (const auto& [name, range] : report.by_name) {
    const bool holds = range.count == 1 && range.start <= steps.start && range.end >= steps.end;
    if (holds && folded_name(name) == name) found.emplace_back(range.end - range.start, name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (const auto& [time, name] : found) names.push_back(name);
  return names;
}

std::vector<std::string> seen_in(const std::vector<RangesOfReport>& reports) {
  constexpr std::size_t kMostSeen = 8;
  std::map<std::string, std::int64_t> times;
  for (const RangesOfReport& report : reports) {
    for (const auto& [name, range] : report.by_name) times[folded_name(name)] += range.time;
  }
  std::vector<std::pair<std::string, std::int64_t>> sorted(times.begin(), times.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostSeen); ++i) names.push_back(sorted[i].first);
  return names;
}

}  // namespace

ProposedRanges ranges_of(const std::vector<RangesOfReport>& reports) {
  ProposedRanges proposed;
  proposed.seen = seen_in(reports);
  if (reports.empty()) return proposed;
  const std::string& steps = reports.front().steps;
  const auto same = [&](const RangesOfReport& report) { return report.steps == steps; };
  if (!names_iterations(steps) || !std::ranges::all_of(reports, same)) return proposed;
  proposed.iterations = steps;
  proposed.least = std::numeric_limits<std::uint64_t>::max();
  for (const RangesOfReport& report : reports) {
    const std::uint64_t count = ranges_named(report, steps).count;
    proposed.least = std::min(proposed.least, count), proposed.most = std::max(proposed.most, count);
  }
  for (const std::string& name : around(reports.front())) {
    const bool everywhere = std::ranges::all_of(reports, [&](const RangesOfReport& report) {
      const std::vector<std::string> names = around(report);
      return std::ranges::find(names, name) != names.end();
    });
    if (!everywhere) continue;
    proposed.window = name;
    break;
  }
  return proposed;
}

}  // namespace assay::init
