#include "propose/ranges.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "assay/algo/named_ranges.hpp"
#include "assay/words.hpp"
#include "config/iteration_names.hpp"

namespace assay::init {
namespace {

/// All ranges with a name.
RangesOfReport::Range ranges_named(const RangesOfReport& report, const std::string& pattern) {
  RangesOfReport::Range all;
  for (const auto& [name, range] : report.by_name) {
    if (range_name_matches(pattern, name)) all.add(range);
  }
  return all;
}

/// Smallest and largest number of ranges with that name per report.
std::pair<std::uint64_t, std::uint64_t> counts_of(const std::vector<RangesOfReport>& reports,
                                                  const std::string& pattern) {
  std::pair<std::uint64_t, std::uint64_t> counts = {std::numeric_limits<std::uint64_t>::max(), 0};
  for (const RangesOfReport& report : reports) {
    const std::uint64_t count = ranges_named(report, pattern).count;
    counts = {std::min(counts.first, count), std::max(counts.second, count)};
  }
  return counts;
}

/// Ranges without a number that contain the steps, sorted by their time outside of the steps.
std::vector<std::string> suggested_ranges(const RangesOfReport& report) {
  const RangesOfReport::Range steps = ranges_named(report, report.steps);
  std::vector<std::pair<std::int64_t, std::string>> found;
  for (const auto& [name, range] : report.by_name) {
    const bool holds = range.count == 1 && range.start <= steps.start && range.end >= steps.end;
    if (holds && folded_name(name) == name) found.emplace_back(range.end - range.start, name);
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (const auto& [time, name] : found) names.push_back(name);
  return names;
}

std::vector<std::string> seen_in(const std::vector<RangesOfReport>& reports) {
  constexpr std::size_t kMaxSeen = 8;
  std::map<std::string, std::int64_t> times;
  for (const RangesOfReport& report : reports) {
    for (const auto& [name, range] : report.by_name) times[folded_name(name)] += range.time;
  }
  std::vector<std::pair<std::string, std::int64_t>> sorted(times.begin(), times.end());
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMaxSeen); ++i) names.push_back(sorted[i].first);
  return names;
}

/// Folded names containing a word, in one report.
std::set<std::string> names_with(const RangesOfReport& report, std::string_view word) {
  std::set<std::string> names;
  for (const auto& [name, range] : report.by_name) {
    if (lower_case(name).find(word) != std::string::npos) names.insert(folded_name(name));
  }
  return names;
}

/// Names that every report has.
std::vector<std::string> names_everywhere(const std::vector<RangesOfReport>& reports, std::string_view word) {
  std::set<std::string> names = names_with(reports.front(), word);
  for (const RangesOfReport& report : reports) {
    const std::set<std::string> own = names_with(report, word);
    std::erase_if(names, [&](const std::string& name) { return !own.contains(name); });
  }
  return {names.begin(), names.end()};
}

/// A decode range alone may be another program's; with a prefill or a request it is a server's.
ServerRanges server_of(const std::vector<RangesOfReport>& reports) {
  constexpr std::string_view kSteps[] = {"_generation_", "execute_new_", "step[decode", "step[extend", "_forward_step"};
  ServerRanges server{names_everywhere(reports, "request"), names_everywhere(reports, "prefill"),
                      names_everywhere(reports, "decode")};
  for (const std::string_view mark : kSteps)
    server.steps_named = server.steps_named || !names_everywhere(reports, mark).empty();
  const bool serves = !server.decode.empty() && (!server.prefill.empty() || !server.request.empty());
  return server.steps_named ? ServerRanges{.steps_named = true} : serves ? server : ServerRanges{};
}

/// Training without named steps: PyTorch records one range of the optimizer per step, from one to the next is a step.
void use_optimizer(const std::vector<RangesOfReport>& reports, ProposedRanges& proposed) {
  const std::vector<std::string> names = names_everywhere(reports, "optimizer.step#");
  if (names.size() != 1) return;
  const auto [least, most] = counts_of(reports, names.front());
  if (least < 2) return;
  proposed.iterations = names.front();
  proposed.optimizer = true;
  proposed.least = least;
  proposed.most = most;
}

}  // namespace

ProposedRanges ranges_of(const std::vector<RangesOfReport>& reports) {
  ProposedRanges proposed;
  proposed.seen = seen_in(reports);
  if (reports.empty()) return proposed;
  proposed.server = server_of(reports);
  const std::string& steps = reports.front().steps;
  const auto same = [&](const RangesOfReport& report) { return report.steps == steps; };
  if (steps.empty() && std::ranges::all_of(reports, same)) use_optimizer(reports, proposed);
  if (steps.empty() || !std::ranges::all_of(reports, same)) return proposed;
  proposed.steps = steps;
  if (names_iterations(steps)) proposed.iterations = steps;
  std::tie(proposed.least, proposed.most) = counts_of(reports, steps);
  for (const std::string& name : suggested_ranges(reports.front())) {
    const bool everywhere = std::ranges::all_of(reports, [&](const RangesOfReport& report) {
      const std::vector<std::string> names = suggested_ranges(report);
      return std::ranges::find(names, name) != names.end();
    });
    if (!everywhere) continue;
    proposed.window = name;
    break;
  }
  return proposed;
}

}  // namespace assay::init
