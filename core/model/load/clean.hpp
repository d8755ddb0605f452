// Cleans rows before they are linked: valid times, possible sizes, sorted by start.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "load/issue.hpp"
#include "load/owned_column.hpp"

namespace assay::load {

/// A cell without a usable value: NULL, or not an integer where one is expected.
inline constexpr std::int64_t kNoValue = std::numeric_limits<std::int64_t>::min();

/// Times more than 146 years from 0 are damage, or hostile: the difference of any two other times fits 64 bits.
inline constexpr std::int64_t kFarthestTime = (std::int64_t{1} << 62) - 1;
/// Later times count from the epoch (2001 and after); 0 then means no time.
inline constexpr std::int64_t kEpochTimes = 1'000'000'000'000'000'000;
constexpr bool is_time(std::int64_t value) { return value >= -kFarthestTime && value <= kFarthestTime; }

/// A process or thread that the file does not name.
inline constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

/// Limit on the sum of durations (36 years) or sizes (an exbibyte) of one table, far beyond any capture, so that no sum
/// over rows overflows.
inline constexpr std::int64_t kMaxInAll = std::int64_t{1} << 60;

/// kMaxInAll if the values, none of them negative, add up to no more; else the largest value such that rows up to it
/// add up to no more.
template <class Value>
std::int64_t most_a_row(std::size_t rows, Value value) {
  std::int64_t left = kMaxInAll;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t one = value(i);
    if (one > left) return kMaxInAll / static_cast<std::int64_t>(std::max<std::size_t>(rows, 2));
    left -= one;
  }
  return kMaxInAll;
}

/// Sets sizes to kNone, with an issue, if they add up to more than is possible.
void bound_bytes(OwnedColumn<std::int64_t>& bytes, const std::string& table, std::vector<Issue>& issues);

/// Calls `keep` with the rows that have a start, sorted, unless `all` have one and are sorted already.
template <class Keep>
void keep_timed(std::span<const std::int64_t> start, std::span<const std::int64_t> end, bool all, Keep keep) {
  std::vector<std::uint32_t> order = sorting_order(start, end);
  if (order.empty() && all) return;
  if (order.empty()) {
    order.resize(start.size());
    std::iota(order.begin(), order.end(), 0U);
  }
  if (!all) std::erase_if(order, [&](std::uint32_t row) { return !is_time(start[row]); });
  keep(order);
}
inline void note_no_start(std::int64_t rows, std::string_view table, std::vector<Issue>& issues) {
  if (rows == 0) return;
  issues.push_back({"no_start", Severity::kWarning, rows,
                    fmt::format("{} rows of {} have no start time and are left out.", rows, table)});
}

/// Drops rows without start or with an end before it; repairs ends that are missing, invalid or beyond what a capture
/// can last; bounds sizes; sorts by start. `keep` is called with the rows that stay, in their order, unless they stay
/// as they are. Adds issues with the number of rows dropped or repaired.
template <class Rows, class Keep>
void clean_and_sort(Rows& rows, const std::string& table, std::vector<Issue>& issues, Keep keep) {
  auto& start = rows.start.values();
  auto& end = rows.end.values();
  if (!rows.end.present()) rows.end.assign(start.size(), kNoValue);
  std::int64_t dropped = 0, mended = 0, backward = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!is_time(start[i])) {
      ++dropped;
    } else if (!is_time(end[i])) {
      end[i] = start[i];
      ++mended;
    } else if (end[i] < start[i]) {
      start[i] = kNoValue;
      ++backward;
    }
  }
  const std::int64_t longest =
      most_a_row(start.size(), [&](std::size_t i) { return is_time(start[i]) ? end[i] - start[i] : 0; });
  std::int64_t too_long = 0;
  for (std::size_t i = 0; i < start.size() && longest < kMaxInAll; ++i) {
    if (!is_time(start[i]) || end[i] - start[i] <= longest) continue;
    end[i] = start[i];
    ++too_long;
  }
  if constexpr (requires { rows.bytes; }) bound_bytes(rows.bytes, table, issues);
  if (backward > 0) {
    issues.push_back({"impossible_times", Severity::kError, backward,
                      fmt::format("{} rows of {} end before they start, so they are left out; record or export the "
                                  "profile again.",
                                  backward, table)});
  }
  note_no_start(dropped, table, issues);
  if (mended > 0) {
    issues.push_back({"bad_end", Severity::kWarning, mended,
                      fmt::format("{} rows of {} never end; they count with duration 0.", mended, table)});
  }
  if (too_long > 0) {
    issues.push_back(
        {"too_long", Severity::kError, too_long,
         fmt::format(
             "{} rows of {} last longer than any capture; they count with duration 0, export the profile again.",
             too_long, table)});
  }
  keep_timed(start, end, dropped + backward == 0, keep);
}
/// For a table that no other refers to yet.
template <class Rows>
void clean_and_sort(Rows& rows, const std::string& table, std::vector<Issue>& issues) {
  clean_and_sort(rows, table, issues, [&](const std::vector<std::uint32_t>& order) {
    rows.each([&](auto& column) { column.reorder(order); });
  });
}

}  // namespace assay::load
