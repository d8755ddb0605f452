// Which paths a launching call lies in, and until when the device works for a range.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "assay/detail/device_work.hpp"
#include "assay/detail/path_tree.hpp"

namespace assay::ranges {

/// A call belongs to the ranges that contain it wholly, by the rule of NamedRanges for each path: on their own thread
/// always, on another thread of the process (autograd launches the backward pass from one) unless ranges of the path
/// overlap in time on different threads, where time cannot tell whose the call is.
class LaunchPaths {
 public:
  /// Needs col::calls where present: without calls nothing is known to be launched anywhere. `device`: whose work
  /// counts; kNone: that of all.
  LaunchPaths(const Report& report, const PathTree& tree, std::int32_t device = kNone);

  /// Nodes that the call belongs to, each once; empty: none, or it launches nothing.
  [[nodiscard]] std::span<const Row> path_of(Row call) const {
    return call == kNone || set_of_call_.empty()
               ? std::span<const Row>()
               : std::span<const Row>(sets_[set_of_call_[static_cast<std::size_t>(call)]]);
  }
  /// The end of an occurrence on the host, or of the last work that a call inside it launched, whichever is later.
  [[nodiscard]] std::int64_t projected_end(const Occurrence& range) const {
    return work_end_.empty() ? range.time.end : std::max(range.time.end, work_end_[range.number]);
  }
  /// From the first begin to the last end of the work that calls inside an occurrence launched; empty: they launched
  /// none.
  [[nodiscard]] Interval work(const Occurrence& range) const {
    return work_end_.empty() || work_end_[range.number] == kNever
               ? Interval{}
               : Interval{work_start_[range.number], work_end_[range.number]};
  }
  /// Launching calls of kernels and graphs inside the ranges of a node.
  [[nodiscard]] std::int64_t launches(Row node) const { return launches_[static_cast<std::size_t>(node)]; }
  /// Whether ranges of the node overlap on different threads, so that only their own threads' calls count.
  [[nodiscard]] bool overlaps(Row node) const { return overlaps_[static_cast<std::size_t>(node)]; }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min(),
                                kAlways = std::numeric_limits<std::int64_t>::max();

  void find_overlaps(const Report& report, const PathTree& tree);
  void assign(const Report& report, const PathTree& tree, const Intervals& work_of_call);

  std::vector<std::vector<Row>> sets_{{}};
  std::vector<std::uint32_t> set_of_call_;
  std::vector<std::int64_t> work_start_, work_end_;  ///< by number of the occurrence
  std::vector<std::int64_t> launches_;               ///< by node
  std::vector<bool> overlaps_;                       ///< by node
};

}  // namespace assay::ranges
