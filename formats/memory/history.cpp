#include "history.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace assay::memory_snapshot {
namespace {

template <class T>
void reorder(std::span<T> column, std::span<const std::size_t> order) {
  const std::vector<T> old(column.begin(), column.end());
  for (std::size_t row = 0; row < order.size(); ++row) column[row] = old[order[row]];
}

std::vector<std::size_t> order_by(std::span<const std::int64_t> times) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return times[row]; });
  return order;
}

/// Sorts the rows of all devices by time and adjusts the references to changes.
void merge_devices(AllocationColumns& allocations, ChangeColumns& changes) {
  const std::vector<std::size_t> order = order_by(changes.time);
  std::vector<std::int64_t> place(order.size());
  for (std::size_t row = 0; row < order.size(); ++row) place[order[row]] = static_cast<std::int64_t>(row);
  changes.each([&](auto column) { reorder(column, order); });
  for (auto column : {allocations.allocated_by, allocations.freed_by}) {
    for (std::int64_t& row : column) row = row == kNone ? kNone : place[static_cast<std::size_t>(row)];
  }
  const std::vector<std::size_t> by_begin = order_by(allocations.begin);
  allocations.each([&](auto column) { reorder(column, by_begin); });
}

}  // namespace

History::History(Snapshot& snapshot) {
  find_times(snapshot);
  std::size_t count = snapshot.traces.size();
  for (const Segment& segment : snapshot.segments) {
    constexpr std::int64_t kMaxDevices = 1024;
    if (segment.device >= 0 && segment.device < kMaxDevices)
      count = std::max(count, static_cast<std::size_t>(segment.device) + 1);
  }
  for (std::size_t d = 0; d < count; ++d) {
    const Slice events = d < snapshot.traces.size() ? snapshot.traces[d] : Slice{};
    const DeviceHistory& device = devices_.emplace_back(snapshot, static_cast<std::int32_t>(d), events);
    allocation_rows_ += device.allocation_rows();
    change_rows_ += device.change_rows();
  }
}

void History::find_times(const Snapshot& snapshot) {
  origin_ = std::numeric_limits<std::int64_t>::max();
  last_ = std::numeric_limits<std::int64_t>::min();
  const auto see = [&](std::int64_t time) {
    origin_ = std::min(origin_, time);
    last_ = std::max(last_, time);
  };
  for (const Slice& trace : snapshot.traces) {
    for (std::size_t e = trace.first; e < trace.first + trace.count; ++e) {
      if (snapshot.events[e].action != Action::kOther) see(snapshot.events[e].time);
    }
  }
  for (const Mark& mark : snapshot.marks) see(mark.time);
  if (origin_ > last_) origin_ = last_ = 0;
}

void History::write(AllocationColumns allocations, ChangeColumns changes) {
  std::size_t allocation = 0, change = 0, devices = 0;
  for (DeviceHistory& device : devices_) {
    device.write(origin_, last_, allocations, allocation, changes, change);
    allocation += device.allocation_rows();
    change += device.change_rows();
    devices += device.allocation_rows() > 0 ? 1U : 0U;
  }
  if (devices > 1) merge_devices(allocations, changes);
  for (auto column : {allocations.begin, allocations.end, changes.time}) {
    for (std::int64_t& time : column) time = ns(time);
  }
}

HistoryDoubts History::doubts() const {
  HistoryDoubts sum;
  for (const DeviceHistory& device : devices_) {
    sum.unknown_actions += device.doubts.unknown_actions;
    sum.unread += device.doubts.unread;
    sum.unknown_sizes += device.doubts.unknown_sizes;
    sum.unexplained += device.doubts.unexplained;
    sum.allocated_twice += device.doubts.allocated_twice;
  }
  return sum;
}

std::vector<Failure> History::failures() const {
  std::vector<Failure> all;
  for (const DeviceHistory& device : devices_) all.insert(all.end(), device.failures.begin(), device.failures.end());
  std::ranges::stable_sort(all, {}, &Failure::time);
  return all;
}

}  // namespace assay::memory_snapshot
