#include "measured.hpp"

#include <algorithm>

#include "assay/algo/iterations.hpp"

namespace assay::breakdown {
namespace {

/// Graph launches whose kernels were not traced.
void measure_hidden(const Report& report, Measure measure, const IterationsInside& iterations, KernelMeasurement& out) {
  if (report.graphs == nullptr) return;
  const GraphTable& graphs = *report.graphs;
  std::vector<Row> traced(report.kernels->call.begin(), report.kernels->call.end());
  std::sort(traced.begin(), traced.end());
  for (std::size_t row = 0; row < graphs.rows; ++row) {
    const Row call = graphs.call[row];
    if (graphs.membership[row] != Membership::kInside) continue;
    if (measure == Measure::kIterations && iterations.of(call) == kNone) continue;
    if (call != kNone && std::binary_search(traced.begin(), traced.end(), call)) continue;
    ++out.hidden;
    out.hidden_time += graphs.end[row] - graphs.start[row];
  }
}

}  // namespace

KernelMeasurement measure_kernels(const Report& report, Measure measure) {
  KernelMeasurement out;
  const IterationsInside iterations(report);
  out.iterations = iterations.count();
  const KernelTable& kernels = *report.kernels;
  if (measure == Measure::kWindow) out.kernels.reserve(kernels.rows);
  for (std::size_t row = 0; row < kernels.rows; ++row) {
    if (kernels.membership[row] != Membership::kInside) continue;
    const Row call = report.calls == nullptr ? kNone : kernels.call[row];
    const std::int32_t iteration = iterations.of(call);
    const std::int64_t duration = kernels.end[row] - kernels.start[row];
    if (measure == Measure::kIterations && iteration == kNone) {
      ++out.left_out;
      continue;
    }
    out.kernels.push_back({duration, kernels.name[row], kernels.device[row], call, iteration});
    out.time += duration;
  }
  measure_hidden(report, measure, iterations, out);
  return out;
}

}  // namespace assay::breakdown
