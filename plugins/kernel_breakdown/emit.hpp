// The facts and tables of one report.
#pragma once

#include <string_view>
#include <vector>

#include "assay/output.hpp"
#include "by_range.hpp"
#include "classes.hpp"
#include "measured.hpp"

namespace assay::breakdown {

struct KernelRow {
  std::string_view name;  ///< demangled; refers to the report
  std::string_view kind;  ///< class by the rules, of the first kernel with the name
  std::string_view tensor_cores;
  StringId id = 0;
  std::int64_t instances = 0;
  std::int64_t time = 0;             ///< sum, ns
  double share = 0;                  ///< of the time of all rows, 0..1
  double mean = 0, median = 0;       ///< ns; the median of type 2
  std::int64_t least = 0, most = 0;  ///< ns
  double deviation = 0;              ///< sample standard deviation, ns; 0 for one instance
  double per_iteration = 0;          ///< launches inside iterations / iterations; 0 without iterations
};

/// One row per name, sorted by descending time, then instances, then name.
std::vector<KernelRow> kernel_table(const Report& report, const KernelMeasurement& measured, Classifier& classes);

/// Launches of one name in each iteration.
std::vector<double> launches_per_iteration(const KernelMeasurement& measured, StringId name);

/// Facts of the classes and tensor cores. `range` empty: for everything measured.
void emit_breakdown(const Breakdown& breakdown, const Classifier& classes, std::string_view range, ReportSink& sink);

/// Facts of the first row, the one with the most time. `rows` must not be empty.
void emit_top(const KernelMeasurement& measured, std::span<const KernelRow> rows, std::string_view range,
              ReportSink& sink);

void emit_range(const RangeKernels& range, ReportSink& sink);

/// The columns of `nsys stats cuda_gpu_kern_sum`, then class, tensor cores and launches per iteration.
Table summary_table(std::string id, std::string title, std::span<const KernelRow> rows, bool iterations);

/// The first `top` rows outside the class `without`.
std::vector<KernelRow> first_rows(std::span<const KernelRow> rows, std::size_t top, std::string_view without = {});

/// A row of the table by range.
struct RangeRow {
  const RangeKernels* range = nullptr;
  double product_share = 0, unknown_share = 0;  ///< of the kernel time of the range
  std::vector<KernelRow> rows;                  ///< its kernels
};
Table range_table(std::span<const RangeRow> ranges);

}  // namespace assay::breakdown
