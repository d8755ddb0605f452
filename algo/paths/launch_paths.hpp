// Finds the range paths around launching calls, and the device work of a range.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algo/paths/device_work.hpp"
#include "algo/paths/path_tree.hpp"
#include "assay/detail/launching_calls.hpp"

namespace assay::ranges {

/// A call belongs to the ranges that contain it entirely, by the rule of NamedRanges per path: on their own thread
/// always, on another thread of the process (autograd launches the backward pass from one) unless ranges of the path on
/// different threads overlap in time, since time then does not identify the owner of a call.
class LaunchPaths {
 public:
  /// Needs col::calls if present: without calls no launches are known. `device`: restricts to its work; kNone: all
  /// devices.
  LaunchPaths(const Report& report, const PathTree& tree, std::int32_t device = kNone);

  /// Nodes of the call, without duplicates; empty: none, or it launches nothing.
  [[nodiscard]] std::span<const Row> path_of(Row call) const {
    return call == kNone || set_of_call_.empty() || !launching_.contains(call)
               ? std::span<const Row>()
               : std::span<const Row>(sets_[set_of_call_[launching_.number(call)]]);
  }
  /// End of an occurrence on the host, or of the last work launched by a call inside it, whichever is later.
  [[nodiscard]] std::int64_t projected_end(const Occurrence& range) const {
    return work_end_.empty() ? range.time.end : std::max(range.time.end, work_end_[range.number]);
  }
  /// First start to last end of the work launched by calls inside an occurrence; empty: none.
  [[nodiscard]] Interval work(const Occurrence& range) const {
    return work_end_.empty() || work_end_[range.number] == kNever
               ? Interval{}
               : Interval{work_start_[range.number], work_end_[range.number]};
  }
  /// Number of calls inside the ranges of a node that launch kernels or graphs.
  [[nodiscard]] std::int64_t launches(Row node) const { return launches_[static_cast<std::size_t>(node)]; }
  /// Whether ranges of the node on different threads overlap, so that only calls of their own threads count.
  [[nodiscard]] bool overlaps(Row node) const { return overlaps_[static_cast<std::size_t>(node)]; }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min(),
                                kAlways = std::numeric_limits<std::int64_t>::max();

  void find_overlaps(const Report& report, const PathTree& tree);
  void assign(const Report& report, const PathTree& tree, const Intervals& work_of_call);

  detail::LaunchingCalls launching_;
  std::vector<std::vector<Row>> sets_{{}};
  std::vector<std::uint32_t> set_of_call_;           ///< by number of the launching call
  std::vector<std::int64_t> work_start_, work_end_;  ///< by index of the occurrence
  std::vector<std::int64_t> launches_;               ///< by node
  std::vector<bool> overlaps_;                       ///< by node
};

}  // namespace assay::ranges
