// What each thread was innermost in, at any time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay::account {

/// Innermost rows of each thread by time.
class InnermostRows {
 public:
  /// Of a table with times and threads; null: of none. `counts(row)`: whether it is looked at.
  template <class Table, class Counts>
  InnermostRows(const Table* table, std::size_t threads, const Counts& counts) : changes_(threads) {
    std::vector<std::vector<Piece>> of_thread(threads);
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      if (table->end[r] > table->start[r] && counts(r))
        of_thread[table->thread[r]].push_back({table->start[r], table->end[r], static_cast<Row>(r)});
    }
    for (std::size_t t = 0; t < threads; ++t) add_changes(of_thread[t], changes_[t]);
  }
  /// Calls `use(piece, row)` for the parts of a time in each innermost row of a thread; kNone: in none.
  template <class Use>
  void each_in(std::uint32_t thread, Interval time, const Use& use) const {
    const std::vector<Change>& own = changes_[thread];
    auto after = std::ranges::upper_bound(own, time.start, {}, &Change::at);
    for (std::int64_t from = time.start; from < time.end; ++after) {
      const std::int64_t to = after == own.end() ? time.end : std::min(after->at, time.end);
      if (to > from) use(Interval{from, to}, after == own.begin() ? kNone : std::prev(after)->range);
      from = to;
      if (after == own.end()) break;
    }
  }

 private:
  struct Piece {
    std::int64_t start = 0, end = 0;
    Row row = kNone;
  };
  struct Change {
    std::int64_t at = 0;
    Row range = kNone;
  };
  static void add_changes(std::vector<Piece>& rows, std::vector<Change>& changes);
  std::vector<std::vector<Change>> changes_;  ///< by thread
};

}  // namespace assay::account
