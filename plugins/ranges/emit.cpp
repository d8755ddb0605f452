#include "emit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace assay::ranges {
namespace {

constexpr std::size_t kMaxSamples = 10'000;

std::optional<std::int64_t> rounded(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(static_cast<std::int64_t>(std::llround(value)));
}

void emit_row(const std::string& path, const PathTimes& row, const std::vector<double>& samples, ReportSink& sink) {
  const auto fact = [&](std::string_view metric, double value) {
    if (!std::isnan(value)) sink.fact(metric, value, {{"path", path}});
  };
  const auto quantile = [&](std::string_view name, double value) {
    if (!std::isnan(value)) sink.fact("range.host_quantile_ns", value, {{"path", path}, {"quantile", name}});
  };
  fact("range.count", static_cast<double>(row.count));
  if (samples.size() <= kMaxSamples)
    sink.fact("range.host_ns", row.median, samples, {{"path", path}});
  else
    fact("range.host_ns", row.median);
  quantile("p95", row.p95);
  quantile("p99", row.p99);
  quantile("max", row.max);
  fact("range.host_sum_ns", row.total);
  fact("range.capture_ratio", row.capture_ratio);
  fact("range.step_ratio", row.step_ratio);
  fact("range.gpu_ns", row.each(row.gpu));
  fact("range.busy_ratio", row.busy_ratio);
  fact("range.idle_ns", row.each(row.idle));
  fact("range.kernels", row.each(row.kernels));
  fact("range.launches", row.each(row.launches));
}

}  // namespace

std::vector<PathTimes> largest_rows(const std::vector<PathTimes>& rows, std::size_t most, double window) {
  if (rows.size() <= most) return rows;
  const auto weight = [&](const PathTimes& row) {
    return std::max(row.capture_ratio, window > 0 && !std::isnan(row.gpu) ? row.gpu / window : 0);
  };
  std::vector<std::size_t> order(rows.size());
  for (std::size_t r = 0; r < order.size(); ++r) order[r] = r;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return weight(rows[a]) > weight(rows[b]); });
  order.resize(most);
  std::ranges::sort(order);
  std::vector<PathTimes> out;
  for (const std::size_t r : order) out.push_back(rows[r]);
  return out;
}

void emit_facts(const PathTree& tree, const std::vector<PathTimes>& rows, ReportSink& sink) {
  const std::vector<std::vector<double>> samples = host_times(tree, rows);
  for (std::size_t r = 0; r < rows.size(); ++r) emit_row(tree.path(rows[r].node), rows[r], samples[r], sink);
}

Table path_table(const PathTree& tree, const std::vector<PathTimes>& rows) {
  Table table("ranges", "Ranges by folded path: each range below the one around it");
  const auto node = [&](const PathTimes& row) { return tree.nodes()[static_cast<std::size_t>(row.node)]; };
  table
      .column("Range", "", rows,
              [&](const PathTimes& row) {
                return std::string(2 * static_cast<std::size_t>(node(row).depth), ' ') +
                       std::string(tree.name(row.node));
              })
      .column("Count", "1", rows, &PathTimes::count)
      .column("Med", "ns", rows, &PathTimes::median)
      .column("P95", "ns", rows, &PathTimes::p95)
      .column("P99", "ns", rows, &PathTimes::p99)
      .column("Max", "ns", rows, &PathTimes::max)
      .column("Total Time", "ns", rows, &PathTimes::total)
      .column("Share", "ratio", rows, &PathTimes::capture_ratio)
      .column("Of the step", "ratio", rows, &PathTimes::step_ratio)
      .column("GPU time", "ns", rows, [](const PathTimes& row) { return row.each(row.gpu); })
      .column("GPU busy", "ratio", rows, &PathTimes::busy_ratio)
      .column("Idle within", "ns", rows, [](const PathTimes& row) { return row.each(row.idle); })
      .column("Kernels", "1", rows, [](const PathTimes& row) { return rounded(row.each(row.kernels)); })
      .column("Launches", "1", rows, [](const PathTimes& row) { return rounded(row.each(row.launches)); })
      .column("Path", "", rows, [&](const PathTimes& row) { return tree.path(row.node); });
  return table;
}

}  // namespace assay::ranges
