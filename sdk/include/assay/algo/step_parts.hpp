// What the device does in a step: compute, communication and copies as five parts that sum to the step's window to the
// nanosecond. Of compute kernels C, kernels that communicate X, and copies and sets M, each a union of intervals within
// the window W:
//   compute alone |C - X|, overlap |C and X|, exposed communication |X - C|, copies alone |M - C - X|, idle the rest.
// W reaches from the first start to the last end of the work that was launched in the step, on any thread.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/algo/named_ranges.hpp"
#include "assay/detail/communication.hpp"
#include "assay/report.hpp"

namespace assay {

/// Times in ns; the five parts sum to `window`.
struct StepParts {
  std::int64_t window = 0, compute_only = 0, overlap = 0, exposed = 0, copy_only = 0, idle = 0;
  std::int64_t compute_busy = 0, comm_busy = 0;
  std::int64_t exposed_copy = 0;  ///< of `exposed` what lies under a copy, which does not hide it
};

struct DeviceStep {
  std::int64_t number = 0;                                 ///< in the range's name; its place where those do not rise
  Interval host;                                           ///< the range
  Interval window;                                         ///< of the work launched in it; empty: none
  std::vector<Row> kernels;                                ///< launched in it, by start
  std::int64_t compute_kernels = 0, compute_time_sum = 0;  ///< of kernels that do not communicate; ns
  bool worked = false;                                     ///< something was launched in it
};

/// Device work of one report as unions, which all steps share.
class DeviceWork {
 public:
  /// Needs col::kernels and col::collectives; copies, sets and calls where present. Without a table of collectives no
  /// kernel communicates.
  explicit DeviceWork(const Report& report);

  [[nodiscard]] bool communicates(std::size_t kernel) const { return communicates_[kernel] != 0; }
  [[nodiscard]] const Intervals& compute() const { return compute_; }
  [[nodiscard]] const Intervals& communication() const { return communication_; }

  /// First start to last end of all device work but graphs; empty when there is none.
  [[nodiscard]] Interval extent() const;

  [[nodiscard]] StepParts parts(Interval window) const;

  /// What of `all`, in normal form, lies within an interval; takes logarithmic time and what it gives.
  static Intervals within(const Intervals& all, Interval window);

 private:
  template <class Table>
  static void add(const Table* table, Intervals& to) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) to.push_back({table->start[r], table->end[r]});
  }

  std::vector<std::uint8_t> communicates_;
  Intervals compute_, communication_, copies_;
};

/// The steps that ranges of these names are ("step_{i}"), else those of [iterations], else, where kernels communicate,
/// those that step::found_steps names, by host start; one inside another is left out. Device work belongs to the step
/// in which its launching call starts, on whichever thread; unlinked work to that in which it starts itself. Empty when
/// there are neither.
std::vector<DeviceStep> device_steps(const Report& report, const DeviceWork& work,
                                     std::span<const std::string> patterns);

}  // namespace assay
