// Assigns work to iterations: membership, sums per iteration, and the fact with one sample per iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assay/algo/attribution.hpp"
#include "assay/algo/summary.hpp"
#include "assay/output.hpp"
#include "assay/report.hpp"

namespace assay {

/// Iterations entirely inside the window (all of them if it is not named), numbered from 0, and the iteration of each
/// call. Needs col::iterations, and col::calls to assign work; null tables have no rows.
class IterationsInside {
 public:
  explicit IterationsInside(const Report& report);

  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  /// Rows of Report::iterations, ascending.
  [[nodiscard]] std::span<const Row> rows() const { return rows_; }
  /// Index, 0..count() - 1, of the iteration of a call (iteration_of_calls); kNone: none inside the window, or unknown.
  [[nodiscard]] std::int32_t of(Row call) const {
    if (call == kNone || of_call_.empty()) return kNone;
    const std::int32_t row = of_call_[static_cast<std::size_t>(call)];
    return row == kNone ? kNone : numbers_[static_cast<std::size_t>(row)];
  }

  /// Per iteration, the sum of `value(row)` over the rows of a table of device work (kernels, copies, ...) that it
  /// launched and that belong to the window; 0 if it launched none. Size: count().
  template <class Table, class Value>
  [[nodiscard]] std::vector<double> sums(const Table& work, Value&& value) const {
    std::vector<double> out(count(), 0.0);
    for (std::size_t row = 0; row < work.rows; ++row) {
      if (work.membership[row] != Membership::kInside) continue;
      const std::int32_t i = of(work.call[row]);
      if (i != kNone) out[static_cast<std::size_t>(i)] += static_cast<double>(value(row));
    }
    return out;
  }

 private:
  std::vector<std::int32_t> of_call_, numbers_;
  std::vector<Row> rows_;
};

/// Emits the median of one sample per iteration with the samples, or a skip with the reason `why_none` if there are
/// none. Throws EmitError if the host refuses the fact.
void emit_median(ReportSink& sink, std::string_view metric, std::span<const double> samples,
                 std::string_view why_none = "no iteration is in the window", const Dims& dims = {});

}  // namespace assay
