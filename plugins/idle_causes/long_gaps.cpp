#include "long_gaps.hpp"

#include <algorithm>
#include <unordered_map>

#include "assay/algo/named_ranges.hpp"

namespace assay::idle {
namespace {

constexpr double kNearly = 0.9;

struct Cover {
  Intervals parts;           ///< of gaps
  std::int64_t covered = 0;  ///< ns of gaps
  std::int64_t length = 0;   ///< ns of the ranges
};

}  // namespace

void LongGaps::add(std::int32_t device, const Gap& gap, const CauseTimes& causes) {
  if (gap.last || gap.time.end - gap.time.start < kLongGap) return;
  gaps_[device].push_back(gap.time);
  for (std::size_t c = 0; c < kCauses; ++c) times_[c] += causes[c];
  ++count_;
}

std::pair<std::string, std::int64_t> LongGaps::range(const Report& report) const {
  std::unordered_map<StringId, std::string> names;
  std::map<std::int32_t, std::map<std::string, Cover>> covers;
  for (const RangeTable* table : {report.ranges, report.spans}) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      for (const auto& [device, gaps] : gaps_) {
        auto gap = std::ranges::upper_bound(gaps, table->start[r], {}, &Interval::end);
        if (gap == gaps.end() || gap->start >= table->end[r]) continue;
        const auto [name, added] = names.try_emplace(table->name[r]);
        if (added) {  // "XlaCompile" of "XlaCompile:#module=jit_step#"
          const std::string_view text = report.string(table->name[r]);
          name->second = folded_name(text.substr(0, text.find(":#")));
        }
        Cover& cover = covers[device][name->second];
        cover.length += table->end[r] - table->start[r];
        for (; gap != gaps.end() && gap->start < table->end[r]; ++gap)
          cover.parts.push_back({std::max(gap->start, table->start[r]), std::min(gap->end, table->end[r])});
      }
    }
  }
  std::map<std::string, Cover> all;
  for (auto& [device, by_name] : covers) {
    for (auto& [name, cover] : by_name) {
      all[name].covered += measure(merge(cover.parts));
      all[name].length += cover.length;
    }
  }
  std::int64_t most = 0;
  for (const auto& [name, one] : all) most = std::max(most, one.covered);
  std::pair<std::string, std::int64_t> found;
  std::int64_t shortest = 0;
  for (const auto& [name, one] : all) {
    if (static_cast<double>(one.covered) < kNearly * static_cast<double>(most)) continue;
    if (found.first.empty() || one.length < shortest) {
      found = {name, one.covered};
      shortest = one.length;
    }
  }
  return found;
}

}  // namespace assay::idle
