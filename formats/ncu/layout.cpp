#include "formats/ncu/layout.hpp"

#include <algorithm>
#include <string_view>

namespace assay::ncu {
namespace {

/// Columns that identify the kernel of a row or hold the opinion of a rule. On the raw page all other columns are
/// metrics.
bool is_no_metric(std::string_view name) {
  constexpr std::string_view kNames[] = {"",
                                         "ID",
                                         "Process ID",
                                         "Process Name",
                                         "Host Name",
                                         "Kernel Name",
                                         "Kernel Time",
                                         "Context",
                                         "Stream",
                                         "Block Size",
                                         "Grid Size",
                                         "Device",
                                         "CC",
                                         "Section Name",
                                         "Rule Name",
                                         "Rule Type",
                                         "Rule Description",
                                         "Estimated Speedup Type",
                                         "Estimated Speedup"};
  const bool nvtx = name.find("_Range:PL_Type:") != std::string_view::npos;
  return nvtx || std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

NcuLayout::Metric metric_column(std::size_t column, std::string_view name) {
  const std::size_t open = name.ends_with(']') ? name.rfind(" [") : std::string_view::npos;
  if (open == std::string_view::npos) return {column, std::string(name), {}};
  return {column, std::string(name.substr(0, open)), std::string(name.substr(open + 2, name.size() - open - 3))};
}

}  // namespace

std::size_t NcuLayout::least_cells() const {
  std::size_t last = std::max(id, kernel);
  if (is_long()) last = std::max({last, *metric, *value});
  return last + 1;
}

std::optional<NcuLayout> ncu_layout(std::span<const std::string> header) {
  const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto at = std::find(header.begin(), header.end(), name);
    if (at == header.end()) return std::nullopt;
    return static_cast<std::size_t>(at - header.begin());
  };
  const auto id = find("ID"), kernel = find("Kernel Name");
  if (!id || !kernel) return std::nullopt;
  NcuLayout layout;
  layout.id = *id;
  layout.kernel = *kernel;
  layout.process = find("Process ID");
  layout.context = find("Context");
  layout.stream = find("Stream");
  layout.block = find("Block Size");
  layout.grid = find("Grid Size");
  layout.device = find("Device");
  layout.section = find("Section Name");
  layout.metric = find("Metric Name");
  layout.unit = find("Metric Unit");
  layout.value = find("Metric Value");
  layout.rule = find("Rule Name");
  layout.rule_kind = find("Rule Type");
  layout.rule_text = find("Rule Description");
  layout.speedup_kind = find("Estimated Speedup Type");
  layout.speedup = find("Estimated Speedup");
  for (std::size_t c = 0; !layout.is_long() && c < header.size(); ++c) {
    if (!is_no_metric(header[c])) layout.metrics.push_back(metric_column(c, header[c]));
  }
  return layout;
}

bool read_units_row(NcuLayout& layout, std::span<const std::string> row) {
  if (layout.is_long() || layout.id >= row.size() || !row[layout.id].empty()) return false;
  for (NcuLayout::Metric& metric : layout.metrics) {
    if (metric.column < row.size() && !row[metric.column].empty()) metric.unit = row[metric.column];
  }
  return true;
}

}  // namespace assay::ncu
