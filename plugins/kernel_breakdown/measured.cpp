#include "measured.hpp"

#include <algorithm>

#include "assay/algo/attribution.hpp"

namespace assay::breakdown {
namespace {

/// New numbers for the iterations that lie wholly inside a named window; kNone for the others.
std::vector<std::int32_t> numbers_inside(const Report& report) {
  std::vector<std::int32_t> numbers;
  if (report.iterations == nullptr) return numbers;
  const IterationTable& iterations = *report.iterations;
  const Window& window = *report.window;
  std::int32_t next = 0;
  for (std::size_t i = 0; i < iterations.rows; ++i) {
    const bool inside =
        window.named == 0 || (iterations.start[i] >= window.host_start && iterations.end[i] <= window.host_end);
    numbers.push_back(inside ? next++ : kNone);
  }
  return numbers;
}

/// Which iteration a row of GPU work belongs to, by its launching call.
class Iterations {
 public:
  explicit Iterations(const Report& report) : numbers_(numbers_inside(report)), of_call_(iteration_of_calls(report)) {}

  [[nodiscard]] std::size_t count() const {
    return numbers_.size() - static_cast<std::size_t>(std::count(numbers_.begin(), numbers_.end(), kNone));
  }
  /// The call itself, kNone where no calls were recorded.
  [[nodiscard]] Row known(Row call) const { return of_call_.empty() ? kNone : call; }
  [[nodiscard]] std::int32_t of(Row call) const {
    const std::int32_t owner = known(call) == kNone ? kNone : of_call_[static_cast<std::size_t>(call)];
    return owner == kNone ? kNone : numbers_[static_cast<std::size_t>(owner)];
  }

 private:
  std::vector<std::int32_t> numbers_, of_call_;
};

/// Graph launches of which no kernel was traced.
void measure_hidden(const Report& report, Measure measure, const Iterations& iterations, Measured& out) {
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

Measured measure_kernels(const Report& report, Measure measure) {
  Measured out;
  const Iterations iterations(report);
  out.iterations = iterations.count();
  const KernelTable& kernels = *report.kernels;
  for (std::size_t row = 0; row < kernels.rows; ++row) {
    if (kernels.membership[row] != Membership::kInside) continue;
    const Row call = iterations.known(kernels.call[row]);
    const std::int32_t iteration = iterations.of(call);
    const std::int64_t duration = kernels.end[row] - kernels.start[row];
    if (measure == Measure::kIterations && iteration == kNone) {
      ++out.left_out;
      out.left_out_time += duration;
      continue;
    }
    out.kernels.push_back({duration, kernels.name[row], kernels.device[row], call, iteration});
    out.time += duration;
  }
  measure_hidden(report, measure, iterations, out);
  return out;
}

}  // namespace assay::breakdown
