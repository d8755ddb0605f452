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

#include "assay/detail/matching_names.hpp"
#include "assay/detail/text.hpp"

namespace assay {

namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// Length of a number, a date or a hash at the start of a text that follows the character `before`; 0: none.
std::size_t counted_length(std::string_view text, char before) {
  constexpr std::size_t kMinHash = 8;
  constexpr std::string_view kDate = "dddd-dd-dd";
  const bool date = text.size() >= kDate.size() &&
                    std::equal(kDate.begin(), kDate.end(), text.begin(),
                               [](char like, char c) { return like == 'd' ? is_digit(c) : like == c; });
  if (date) return kDate.size();
  const bool in_word = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z');
  const auto hex = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_hex) - text.begin());
  const std::string_view hash = text.substr(0, hex);
  const bool ends =
      hex == text.size() || !((text[hex] >= 'a' && text[hex] <= 'z') || (text[hex] >= 'A' && text[hex] <= 'Z'));
  const bool mixed =
      std::any_of(hash.begin(), hash.end(), is_digit) && !std::all_of(hash.begin(), hash.end(), is_digit);
  if (!in_word && hex >= kMinHash && mixed && ends) return hex;
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

/// Length of "(8)" or "(8, 16)" at the start of a text.
std::size_t numbers_in_parentheses(std::string_view text) {
  const std::size_t end = text.starts_with('(') ? text.find_first_not_of("0123456789., ", 1) : std::string_view::npos;
  return end != std::string_view::npos && end > 1 && text[end] == ')' ? end + 1 : 0;
}

}  // namespace

std::string folded_name(std::string_view name) {
  std::string out;
  char letter = 'i';
  for (std::size_t at = 0; at < name.size();) {
    if (const std::size_t gone = letter > 'i' ? numbers_in_parentheses(name.substr(at)) : 0; gone > 0) {
      at += gone;
      continue;
    }
    const std::size_t length = counted_length(name.substr(at), at == 0 ? ' ' : name[at - 1]);
    if (length == 0) {
      out += name[at++];
      continue;
    }
    out += {'{', letter, '}'};
    letter = letter == 'z' ? 'z' : static_cast<char>(letter + 1);
    at += length;
  }
  return out;
}

bool range_name_matches(std::string_view pattern, std::string_view name) {
  constexpr std::string_view number = "{i}";
  const std::size_t at = pattern.find(number);
  if (at == std::string_view::npos) return name == pattern;
  const std::string_view before = pattern.substr(0, at), after = pattern.substr(at + number.size());
  if (after.find('{') != std::string_view::npos) return name.starts_with(before) && folded_name(name) == pattern;
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) return false;
  const std::string_view counted = name.substr(before.size(), name.size() - before.size() - after.size());
  return std::all_of(counted.begin(), counted.end(), is_digit) || folded_name(name) == pattern;
}

std::int32_t detail::MatchingNames::look_up(StringId name) const {
  const auto fits = std::ranges::find_if(
      patterns_, [&](const std::string& pattern) { return range_name_matches(pattern, report_->string(name)); });
  return fits == patterns_.end() ? kNone : static_cast<std::int32_t>(fits - patterns_.begin());
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
  detail::MatchingNames meant(*report_, patterns);
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (!meant.contains(table.name[r])) continue;
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
