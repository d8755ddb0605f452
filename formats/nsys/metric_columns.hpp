// Columns of the sampled metrics of GPUs: the metrics of Nsight Systems by the names that it gives them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "assay/format.hpp"

namespace assay::load {

/// Columns for metrics whose names are not known here, in the order in which a file names them.
inline constexpr std::size_t kOtherMetrics = 32;

/// What the format declares, with graph_nodes (graph_nodes.hpp).
/// gpu_metrics: samples of all GPUs, one row per GPU and time with a column per metric, so that a sample takes 8 bytes.
/// gpu_metric_names: which metric of the file is in which column.
extern const std::array<TableSpec, 3> kDeclaredTables;
inline const TableSpec& metrics_table() { return kDeclaredTables[0]; }
inline const TableSpec& metric_names_table() { return kDeclaredTables[1]; }

/// Place in gpu_metrics of the first metric; before it are the time and the device.
inline constexpr std::size_t kFirstMetric = 2;
/// Place of the first column for other metrics.
std::size_t first_other_metric();

/// A metric's name as TARGET_INFO_GPU_METRICS has it, "SMs Active [Throughput %]", in its two parts.
struct MetricName {
  std::string_view base;  ///< "SMs Active"
  std::string_view unit;  ///< "Throughput %"; empty: none is said
};
MetricName split_metric_name(std::string_view name);

/// Place of the column of a metric by its name in any case; empty: none has it, or not in that unit.
std::optional<std::size_t> metric_column(std::string_view name);

/// A value as its column has it: frequencies in Hz, also where an export writes MHz as the name says.
std::int64_t metric_value(std::size_t column, std::int64_t value);

}  // namespace assay::load
