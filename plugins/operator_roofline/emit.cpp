#include "emit.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace assay::roofline {
namespace {

void emit_row(const OperatorRow& row, ReportSink& sink) {
  const Dims dims{{kOperator, row.name}, {kShapes, row.shapes}};
  const auto calls = static_cast<double>(row.calls);
  sink.fact("operator.time_ns", row.time, dims);
  sink.fact("operator.count", calls, dims);
  if (!row.modelled()) return;
  sink.fact("operator.least_bytes", row.work.bytes, dims);
  if (row.time > 0) sink.fact("operator.bytes_per_s", 1e9 * row.work.bytes * calls / row.time, dims);
  if (row.work.flops_known) {
    sink.fact("operator.flops", row.work.computed, dims);
    if (row.time > 0) sink.fact("operator.flops_per_s", 1e9 * row.work.computed * calls / row.time, dims);
  }
  if (row.roof && row.time > 0) {
    sink.fact("operator.roof_ratio", row.least() / row.time, dims);
    sink.fact("operator.above_roof_ns", row.above(), dims);
  }
  const auto counted = static_cast<double>(row.counted_calls);
  if (row.counted_calls == 0) return;
  if (row.counted.has_flops && row.work.flops_known && row.work.computed > 0)
    sink.fact("operator.counted_flops_ratio", row.counted_flops() / (counted * row.work.computed), dims);
  if (row.counted.has_bytes && row.work.bytes > 0)
    sink.fact("operator.counted_bytes_ratio", row.counted.dram_bytes / (counted * row.work.bytes), dims);
}

void emit_kinds(const OperatorCalls& calls, ReportSink& sink) {
  struct Kind {
    double time = 0, count = 0, least = 0;
    bool roofs = true;
  };
  std::map<std::string, Kind> kinds;
  for (const OperatorRow& row : calls.rows) {
    if (!row.modelled()) continue;
    Kind& kind = kinds[row.kind];
    kind.time += row.time;
    kind.count += static_cast<double>(row.calls);
    kind.least += row.least();
    kind.roofs = kind.roofs && row.roof.has_value();
  }
  for (const auto& [name, kind] : kinds) {
    const Dims dims{{"kind", name}};
    sink.fact("operator_kind.time_ns", kind.time, dims);
    sink.fact("operator_kind.count", kind.count, dims);
    if (kind.roofs && kind.time > 0) sink.fact("operator_kind.roof_ratio", kind.least / kind.time, dims);
  }
}

void emit_totals(const OperatorCalls& calls, ReportSink& sink) {
  constexpr std::pair<MissingModel, std::string_view> kReasons[] = {{MissingModel::kNoOperator, "no_operator"},
                                                                    {MissingModel::kNoShapes, "no_shapes"},
                                                                    {MissingModel::kNoFormula, "no_formula"},
                                                                    {MissingModel::kOperands, "operands"}};
  double with_roof = 0, least = 0, above = 0;
  for (const OperatorRow& row : calls.rows) {
    if (row.roof) {
      with_roof += row.time;
      least += row.least();
      above += row.above();
    }
  }
  sink.fact("operator.time_ns", calls.time);
  if (with_roof > 0) {
    sink.fact("operator.roof_ratio", least / with_roof);
    sink.fact("operator.above_roof_ns", above);
  } else {
    sink.skip("operator.roof_ratio, operator.above_roof_ns",
              calls.unmodelled < calls.time ? "the device's peaks are unknown (options 'device' and 'measured')"
                                            : "no operator has a model");
  }
  sink.fact("operator.unmodelled_time_ratio", calls.unmodelled / calls.time);
  for (const auto& [why, name] : kReasons) {
    double time = 0;
    for (const OperatorRow& row : calls.rows) time += row.why == why ? row.time : 0;
    if (time > 0) sink.fact("operator.unmodelled_time_ratio", time / calls.time, {{"reason", name}});
  }
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

void emit_operators(const OperatorCalls& calls, std::size_t top, ReportSink& sink) {
  std::vector<std::size_t> gains(calls.rows.size());
  std::iota(gains.begin(), gains.end(), std::size_t{0});
  std::stable_sort(gains.begin(), gains.end(),
                   [&](std::size_t a, std::size_t b) { return calls.rows[a].above() > calls.rows[b].above(); });
  gains.resize(std::min(top, gains.size()));
  for (std::size_t r = 0; r < calls.rows.size(); ++r) {
    const bool gain = std::find(gains.begin(), gains.end(), r) != gains.end();
    if (r < top || gain) emit_row(calls.rows[r], sink);
  }
  emit_kinds(calls, sink);
  emit_totals(calls, sink);
}

void emit_steps(const StepUse& use, ReportSink& sink) {
  if (!use.time.empty()) sink.fact("step.least_time_ns", mean(use.least), use.least);
  if (use.no_roof.empty())
    sink.fact("step.compute_roof_ratio", mean(use.of_roof), use.of_roof);
  else
    sink.skip("step.compute_roof_ratio", use.no_roof);
  if (!use.no_mfu.empty()) return sink.skip("step.mfu_ratio, step.hfu_ratio", use.no_mfu);
  sink.attribute("step.mfu_peak", use.peak);
  sink.fact("step.mfu_ratio", mean(use.mfu), use.mfu);
  sink.fact("step.hfu_ratio", mean(use.hfu), use.hfu);
}

void emit_peaks(const Peaks& peaks, ReportSink& sink) {
  for (std::size_t r = 0; r < kRates; ++r) {
    if (peaks.flops_per_s[r] > 0)
      sink.fact("peak.flops_per_s", peaks.flops_per_s[r], {{"type", rate_name(static_cast<Rate>(r))}});
  }
  if (peaks.bytes_per_s > 0) sink.fact("peak.bytes_per_s", peaks.bytes_per_s);
  sink.attribute("peak.sources", peaks.sources);
}

}  // namespace assay::roofline
