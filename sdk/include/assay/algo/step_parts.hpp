// Device activity of a step: compute, communication and copies as five parts that add up to the step's window exactly.
// With compute kernels C, communication kernels X, and copies and sets M, each a union of intervals within the window
// W: compute alone |C - X|, overlap |C and X|, exposed communication |X - C|, copies alone |M - C - X|, idle the rest.
// W is from the first start to the last end of the work that was launched in the step, on any thread.
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

/// Times in ns; the five parts add up to `window`.
struct StepParts {
  std::int64_t window = 0, compute_only = 0, overlap = 0, exposed = 0, copy_only = 0, idle = 0;
  std::int64_t compute_busy = 0, comm_busy = 0;
  std::int64_t exposed_copy = 0;  ///< part of `exposed` under a copy, which does not hide it
};

/// One step of the host, with the device work that was launched in it.
struct DeviceStep {
  std::int64_t number = 0;                                 ///< number in the range's name; its index if those do not
                                                           ///< increase
  Interval host;                                           ///< the range
  Interval window;                                         ///< of the work launched in it; empty: none
  std::vector<Row> kernels;                                ///< launched in it, by start
  std::int64_t compute_kernels = 0, compute_time_sum = 0;  ///< of kernels that do not communicate; ns
  bool worked = false;                                     ///< work was launched in it
};

/// Device work of one report as unions, common to all steps.
class DeviceWork {
 public:
  /// Needs col::kernels and col::collectives; copies, sets and calls if present. Without a table of collectives no
  /// kernel communicates.
  explicit DeviceWork(const Report& report);

  /// Whether a row of kernels is in the table of collectives.
  [[nodiscard]] bool communicates(std::size_t kernel) const { return communicates_[kernel] != 0; }
  /// Unions of kernel times, in normal form.
  [[nodiscard]] const Intervals& compute() const { return compute_; }
  [[nodiscard]] const Intervals& communication() const { return communication_; }

  /// First start to last end of all kernels, copies and sets, not of graphs; empty without such work.
  [[nodiscard]] Interval extent() const;

  /// The five parts inside a window with start <= end.
  [[nodiscard]] StepParts parts(Interval window) const;

  /// Part of `all`, in normal form, inside an interval; logarithmic plus the size of the result.
  static Intervals within(const Intervals& all, Interval window);

 private:
  template <class Table>
  static void add(const Table* table, Intervals& to) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) to.push_back({table->start[r], table->end[r]});
  }

  std::vector<std::uint8_t> communicates_;
  Intervals compute_, communication_, copies_;
};

/// The whole steps of the report (Report::steps), disturbed ones included, by start. Device work belongs to the step in
/// which its launching call starts, on any thread; unlinked work to the step in which it starts itself. Graph launches
/// do not count. Empty without steps.
std::vector<DeviceStep> device_steps(const Report& report, const DeviceWork& work);

}  // namespace assay
