// What the rules for damaged rows share.
#pragma once

#include <string>

#include "load/row_references.hpp"

namespace assay::load {

/// If more rows break an order than one in so many, the order itself is wrong.
inline constexpr std::size_t kMaxDamaged = 10;
inline constexpr std::size_t kFewRows = 8;
constexpr bool most_damaged(std::size_t some, std::size_t all) { return some >= kFewRows && some > all / kMaxDamaged; }

inline void add_error(Profile::Store& store, const char* code, std::size_t rows, const std::string& text) {
  store.issues.push_back({code, Severity::kError, static_cast<std::int64_t>(rows), text});
}

/// If the rules touched more than 1 % of the device time, adds the issue kDamagedTimes. Call last.
void note_doubtful_time(Profile::Store& store);

/// Sorts a table again after its times changed.
template <class Rows>
void sort_again(Profile::Store& store, std::optional<Rows>& rows) {
  const auto order = sorting_order(rows->start.values(), rows->end.values());
  if (!order.empty()) keep_rows(store, rows, order);
}

/// Drops rows, given in ascending order.
template <class Rows>
void drop_rows(Profile::Store& store, std::optional<Rows>& rows, const std::vector<std::uint32_t>& dropped) {
  std::vector<std::uint32_t> kept;
  auto next = dropped.begin();
  for (std::uint32_t i = 0; i < rows->rows(); ++i) {
    if (next != dropped.end() && *next == i)
      ++next;
    else
      kept.push_back(i);
  }
  keep_rows(store, rows, kept);
}

}  // namespace assay::load
