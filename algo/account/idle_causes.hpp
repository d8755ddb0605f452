// Why a device was idle at each instant of a step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/algo/steps.hpp"
#include "assay/report.hpp"

namespace assay::account {

/// A piece of device work.
struct DeviceWork {
  std::int64_t start = 0, end = 0;  ///< ns, on the host's clock
  AccountKind kind = AccountKind::kKernel;
  std::uint32_t row = 0;         ///< of its table
  Row call = kNone;              ///< that launched it
  std::int64_t stream_free = 0;  ///< ns, end of the work before it on its stream
};

/// Idle time with one cause.
struct Idle {
  IdleCause cause = IdleCause::kUnknown;
  Interval time;
  std::int64_t since = 0;  ///< ns, end of the work before it on the device
  Row launch = kNone;      ///< of the work that ends it
  Row blocked = kNone;     ///< the call that the host was in
  Row range = kNone;       ///< of host code: the innermost range around it
  Row stated = kNone;      ///< row of causes
};

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

/// Innermost ranges of the program: not those that nsys writes around Python's interpreter lock.
InnermostRows innermost_ranges(const Report& report);

/// Splits idle time of the steps of one process.
class IdleCauses {
 public:
  /// `steps`: of one process, by time. Borrows both.
  IdleCauses(const Report& report, std::span<const step::Step> steps, std::uint32_t process);

  /// Adds the parts of an idle time by cause, which add up to it. `next`: the work that ends it; null: none follows.
  /// `least_lag`: of the device, from the start of a launch to that of its work.
  void add(Interval time, const DeviceWork* next, std::int64_t least_lag, std::vector<Idle>& parts) const;

 private:
  void add_before_launch(Interval time, std::uint32_t thread, Row launch, std::vector<Idle>& parts) const;
  void add_calls(Interval time, std::uint32_t thread, Row launch, std::vector<Idle>& parts) const;
  void add_host_code(Interval time, std::uint32_t thread, Row launch, std::vector<Idle>& parts) const;
  void add_outside(Interval time, Idle part, std::vector<Idle>& parts) const;

  const Report& report_;
  std::span<const step::Step> steps_;
  InnermostRows ranges_, stated_;
  std::vector<std::vector<Row>> outer_calls_;  ///< by thread: calls that are in no other
  Intervals profiler_;                         ///< its own work in the process
  std::uint32_t thread_ = 0;                   ///< of the steps
};

}  // namespace assay::account
