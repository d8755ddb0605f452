// Columns of the sampled GPU metrics of Nsight Systems, by metric name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "assay/format.hpp"

namespace assay::load {

/// Columns for metrics with unknown names, in the order of the file.
inline constexpr std::size_t kOtherMetrics = 32;

/// Tables declared by the format, in addition to graph_nodes (graph_nodes.hpp) and those of samples. gpu_metrics:
/// samples of all GPUs, one row per GPU and time and one column per metric, so that a sample takes 8 bytes.
/// gpu_metric_names: the metric in each column.
extern const std::array<TableSpec, 7> kDeclaredTables;
inline const TableSpec& metrics_table() { return kDeclaredTables[0]; }
inline const TableSpec& metric_names_table() { return kDeclaredTables[1]; }

/// Index of the first metric in gpu_metrics, after time and device.
inline constexpr std::size_t kFirstMetric = 2;
/// Index of the first column for other metrics.
std::size_t first_other_metric();

/// A metric name from TARGET_INFO_GPU_METRICS, "SMs Active [Throughput %]", split into its two parts.
struct MetricName {
  std::string_view base;  ///< "SMs Active"
  std::string_view unit;  ///< "Throughput %"; empty: none
};
MetricName split_metric_name(std::string_view name);

/// Index of the column of a metric, ignoring case; empty: no column has this name and unit.
std::optional<std::size_t> metric_column(std::string_view name);

/// The value in the unit of its column: frequencies in Hz, including exports that write MHz as in the name.
std::int64_t metric_value(std::size_t column, std::int64_t value);

}  // namespace assay::load
