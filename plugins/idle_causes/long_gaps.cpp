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

LongGaps::TimeOfName LongGaps::mostly_in(const Report& report, std::span<const Stretches> tables) const {
  std::unordered_map<StringId, std::string> names;
  std::map<std::int32_t, std::map<std::string, Cover>> covers;
  for (const Stretches& table : tables) {
    for (std::size_t r = 0; r < table.rows; ++r) {
      if (table.counts.present() && table.counts[r] == 0) continue;
      const std::int64_t start = table.start[r], end = table.end[r];
      for (const auto& [device, gaps] : gaps_) {
        auto gap = std::ranges::upper_bound(gaps, start, {}, &Interval::end);
        if (gap == gaps.end() || gap->start >= end) continue;
        const auto [name, added] = names.try_emplace(table.name[r]);
        if (added) {  // "XlaCompile" of "XlaCompile:#module=jit_step#"
          const std::string_view text = report.string(table.name[r]);
          name->second = folded_name(text.substr(0, text.find(":#")));
        }
        Cover& cover = covers[device][name->second];
        cover.length += end - start;
        for (; gap != gaps.end() && gap->start < end; ++gap)
          cover.parts.push_back({std::max(gap->start, start), std::min(gap->end, end)});
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
  TimeOfName found;
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

LongGaps::TimeOfName LongGaps::range(const Report& report) const {
  std::vector<Stretches> tables;
  for (const RangeTable* table : {report.ranges, report.spans}) {
    if (table != nullptr) tables.push_back({table->rows, table->start, table->end, table->name});
  }
  return mostly_in(report, tables);
}

LongGaps::TimeOfName LongGaps::call(const Report& report) const {
  if (report.calls == nullptr || !report.calls->name.present()) return {};
  const Stretches calls{report.calls->rows, report.calls->start, report.calls->end, report.calls->name,
                        report.calls->in_window};
  return mostly_in(report, {&calls, 1});
}

}  // namespace assay::idle
