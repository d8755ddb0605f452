#include "assay/algo/iterations.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace assay {

IterationsInside::IterationsInside(const Report& report) {
  if (report.iterations == nullptr) return;
  of_call_ = iteration_of_calls(report);
  const IterationTable& iterations = *report.iterations;
  const Window& window = *report.window;
  for (std::size_t i = 0; i < iterations.rows; ++i) {
    const bool inside =
        window.named == 0 || (iterations.start[i] >= window.host_start && iterations.end[i] <= window.host_end);
    numbers_.push_back(inside ? static_cast<std::int32_t>(rows_.size()) : kNone);
    if (inside) rows_.push_back(static_cast<Row>(i));
  }
}

void emit_median(ReportSink& sink, std::string_view metric, std::span<const double> samples, std::string_view why_none,
                 const Dims& dims) {
  if (samples.empty()) return sink.skip(metric, why_none);
  sink.fact(metric, median(samples), samples, dims);
}

}  // namespace assay
