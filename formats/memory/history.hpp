// The allocations and changes on all devices of a snapshot, in order of time.
#pragma once

#include <vector>

#include "device_history.hpp"

namespace assay::memory_snapshot {

class History {
 public:
  /// Counts rows. Replaces addresses in the events by place numbers, so only one history can be made from a snapshot.
  explicit History(Snapshot& snapshot);

  [[nodiscard]] std::size_t allocation_rows() const { return allocation_rows_; }
  [[nodiscard]] std::size_t change_rows() const { return change_rows_; }
  /// Time 0 in us since the epoch: the first event or mark.
  [[nodiscard]] std::int64_t origin() const { return origin_; }
  /// Time of the last event or mark, ns.
  [[nodiscard]] std::int64_t end() const { return ns(last_); }
  [[nodiscard]] std::int64_t ns(std::int64_t microseconds) const { return (microseconds - origin_) * 1000; }

  /// Fills columns with that many rows. Call once.
  void write(AllocationColumns allocations, ChangeColumns changes);

  /// Over all devices; complete after `write`.
  [[nodiscard]] HistoryDoubts doubts() const;
  [[nodiscard]] std::vector<Failure> failures() const;  ///< by time

 private:
  void find_times(const Snapshot& snapshot);

  std::vector<DeviceHistory> devices_;
  std::size_t allocation_rows_ = 0, change_rows_ = 0;
  std::int64_t origin_ = 0, last_ = 0;
};

}  // namespace assay::memory_snapshot
