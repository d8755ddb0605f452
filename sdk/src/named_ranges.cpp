#include "assay/algo/named_ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace assay {

bool range_name_matches(std::string_view pattern, std::string_view name) {
  constexpr std::string_view number = "{i}";
  const std::size_t at = pattern.find(number);
  if (at == std::string_view::npos) return name == pattern;
  const std::string_view before = pattern.substr(0, at), after = pattern.substr(at + number.size());
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) return false;
  const std::string_view digits = name.substr(before.size(), name.size() - before.size() - after.size());
  return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

NamedRanges::NamedRanges(const Report& report, std::span<const std::string> patterns) : report_(&report) {
  for (const RangeTable* table : {report.ranges, report.spans}) {
    if (table != nullptr) collect(*table, patterns);
  }
  sort_by([](const Instance& i) { return std::tuple(i.process, i.start, -i.end, i.thread); });
  drop_nested();
  for (std::size_t i = 1; i < instances_.size(); ++i) {
    const Instance& a = instances_[i - 1];
    const Instance& b = instances_[i];
    if (a.process == b.process && a.thread != b.thread && b.start < a.end) by_time_ = false;
  }
  if (!by_time_) sort_by([](const Instance& i) { return std::tuple(i.thread, i.start); });
}

NamedRanges::NamedRanges(const Report& report, std::vector<Instance> instances)
    : report_(&report), instances_(std::move(instances)), by_time_(false) {
  sort_by([](const Instance& i) { return std::tuple(i.thread, i.start, -i.end); });
  drop_nested();
}

void NamedRanges::collect(const RangeTable& table, std::span<const std::string> patterns) {
  enum class Known : std::uint8_t { kNotAsked, kNo, kYes };
  std::vector<Known> matches(static_cast<std::size_t>(report_->strings.size), Known::kNotAsked);
  for (std::size_t r = 0; r < table.rows; ++r) {
    Known& known = matches[table.name[r]];
    if (known == Known::kNotAsked) {
      const std::string_view name = report_->string(table.name[r]);
      const bool hit = std::any_of(patterns.begin(), patterns.end(),
                                   [&](const std::string& pattern) { return range_name_matches(pattern, name); });
      known = hit ? Known::kYes : Known::kNo;
    }
    if (known != Known::kYes) continue;
    const std::uint32_t thread = table.thread[r];
    instances_.push_back({table.start[r], table.end[r], report_->threads->process[thread], thread});
  }
}

void NamedRanges::drop_nested() {
  std::vector<std::int64_t> reach(static_cast<std::size_t>(report_->threads->rows),
                                  std::numeric_limits<std::int64_t>::min());
  std::erase_if(instances_, [&](const Instance& i) {
    if (i.end <= reach[i.thread]) return true;
    reach[i.thread] = i.end;
    return false;
  });
}

}  // namespace assay
