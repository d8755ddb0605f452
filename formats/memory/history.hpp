// The allocations and changes of all devices of a snapshot, in the order of time.
#pragma once

#include <vector>

#include "device_history.hpp"

namespace assay::memory_snapshot {

class History {
 public:
  /// Counts rows. Addresses in the snapshot's events become numbers of places, so that a snapshot has one history.
  explicit History(Snapshot& snapshot);

  [[nodiscard]] std::size_t allocation_rows() const { return allocation_rows_; }
  [[nodiscard]] std::size_t change_rows() const { return change_rows_; }
  /// us since the epoch at time 0: the first event or mark.
  [[nodiscard]] std::int64_t origin() const { return origin_; }
  /// ns, of the last event or mark.
  [[nodiscard]] std::int64_t end() const { return ns(last_); }
  [[nodiscard]] std::int64_t ns(std::int64_t microseconds) const { return (microseconds - origin_) * 1000; }

  /// Fills columns of as many rows. Once.
  void write(AllocationColumns allocations, ChangeColumns changes);

  /// Of all devices; what `write` finds is in it afterwards.
  [[nodiscard]] HistoryDoubts doubts() const;
  [[nodiscard]] std::vector<Failure> failures() const;  ///< by time

 private:
  void find_times(const Snapshot& snapshot);

  std::vector<DeviceHistory> devices_;
  std::size_t allocation_rows_ = 0, change_rows_ = 0;
  std::int64_t origin_ = 0, last_ = 0;
};

}  // namespace assay::memory_snapshot
