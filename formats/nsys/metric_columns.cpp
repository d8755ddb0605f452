#include "formats/nsys/metric_columns.hpp"

#include <algorithm>
#include <string>

#include "assay/detail/stack_tables.hpp"
#include "formats/nsys/graph_nodes.hpp"

namespace assay::load {
namespace {

/// A metric with a column of its own. Names are in lower case; alternatives come from different GPUs and versions.
struct KnownMetric {
  std::string_view column, unit;
  std::array<std::string_view, 3> bases;
  std::string_view measure;  ///< must occur in the unit
  std::string_view doc;
};

constexpr KnownMetric kKnown[] = {
    {"gpc_clock", "Hz", {"gpc clock frequency"}, "hz", "clock of the multiprocessors"},
    {"sys_clock", "Hz", {"sys clock frequency"}, "hz", "clock of the front end"},
    {"gr_active", "%", {"gr active"}, "%", "cycles in which the graphics and compute engine is active"},
    {"sync_compute", "%", {"sync compute in flight"}, "%", "cycles with synchronous compute in flight"},
    {"async_compute", "%", {"async compute in flight"}, "%", "cycles with asynchronous compute in flight"},
    {"sms_active", "%", {"sms active", "sm active"}, "%", "cycles in which an SM has a warp, mean of the SMs"},
    {"sm_issue", "%", {"sm issue"}, "%", "cycles in which a scheduler of an SM issues, mean of the SMs"},
    {"tensor_active", "%", {"tensor active", "tensor active / fp16 active"}, "%", "cycles of active tensor cores"},
    {"compute_warps", "%", {"compute warps in flight"}, "%", "warps of compute in flight, of those possible"},
    {"compute_warps_per_cycle", "1", {"compute warps in flight"}, "per cycle", "'Avg Warps per Cycle' of the file"},
    {"unallocated_warps",
     "%",
     {"unallocated warps in active sms", "active sm unused warp slots"},
     "%",
     "warps that active SMs could hold and do not"},
    {"unallocated_warps_per_cycle",
     "1",
     {"unallocated warps in active sms"},
     "per cycle",
     "'Avg Warps per Cycle' of the file"},
    {"dram_read", "%", {"dram read bandwidth", "dram read throughput"}, "%", "of the peak of the device memory"},
    {"dram_write", "%", {"dram write bandwidth", "dram write throughput"}, "%", "of the peak of the device memory"},
    {"nvlink_rx",
     "%",
     {"nvlink rx bandwidth", "nvlink rx throughput", "nvlink bytes received"},
     "%",
     "received over NVLink, of its peak"},
    {"nvlink_tx",
     "%",
     {"nvlink tx bandwidth", "nvlink tx throughput", "nvlink bytes transmitted"},
     "%",
     "sent over NVLink, of its peak"},
    {"pcie_rx", "%", {"pcie rx throughput", "pcie rx bandwidth"}, "%", "received over PCIe, of its peak"},
    {"pcie_tx", "%", {"pcie tx throughput", "pcie tx bandwidth"}, "%", "sent over PCIe, of its peak"},
};
constexpr std::size_t kKnownMetrics = std::size(kKnown);

constexpr std::string_view kOtherNames[] = {
    "other_1",  "other_2",  "other_3",  "other_4",  "other_5",  "other_6",  "other_7",  "other_8",
    "other_9",  "other_10", "other_11", "other_12", "other_13", "other_14", "other_15", "other_16",
    "other_17", "other_18", "other_19", "other_20", "other_21", "other_22", "other_23", "other_24",
    "other_25", "other_26", "other_27", "other_28", "other_29", "other_30", "other_31", "other_32"};
static_assert(std::size(kOtherNames) == kOtherMetrics);

constexpr auto make_columns() {
  std::array<ColumnSpec, kFirstMetric + kKnownMetrics + kOtherMetrics> columns;
  columns[0] = {.name = "time", .role = CellRole::kTime, .unit = "ns", .doc = "end of the sample"};
  columns[1] = {.name = "device", .role = CellRole::kKey, .doc = "number of the GPU"};
  for (std::size_t m = 0; m < kKnownMetrics; ++m) {
    columns[kFirstMetric + m] = {
        .name = kKnown[m].column, .role = CellRole::kCounter, .unit = kKnown[m].unit, .doc = kKnown[m].doc};
  }
  for (std::size_t m = 0; m < kOtherMetrics; ++m)
    columns[kFirstMetric + kKnownMetrics + m] = {.name = kOtherNames[m], .doc = "see gpu_metric_names"};
  return columns;
}

constexpr auto kColumns = make_columns();
constexpr ColumnSpec kNameColumns[] = {
    {.name = "device", .role = CellRole::kKey, .doc = "number of the GPU"},
    {.name = "name", .kind = CellKind::kText, .doc = "the metric's name in the file"},
    {.name = "column", .kind = CellKind::kText, .doc = "its column of gpu_metrics"},
    {.name = "samples", .unit = "1", .doc = "its samples"}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

constinit const std::array<TableSpec, 7> kDeclaredTables{
    {{"gpu_metrics", "samples of the GPU's own counters", "Sampled metrics of GPUs: one row per GPU and time.",
      kColumns},
     {"gpu_metric_names", "sampled metrics", "Which metric of the file is in which column of gpu_metrics.",
      kNameColumns},
     kGraphNodes,
     stack_tables::kSampleTable,
     stack_tables::kStackTable,
     stack_tables::kFrameTable,
     stack_tables::kGilTable}};

std::size_t first_other_metric() { return kFirstMetric + kKnownMetrics; }

MetricName split_metric_name(std::string_view name) {
  const std::size_t open = name.rfind('[');
  if (open == std::string_view::npos || !name.ends_with(']')) return {name, {}};
  std::string_view base = name.substr(0, open);
  while (base.ends_with(' ')) base.remove_suffix(1);
  return {base, name.substr(open + 1, name.size() - open - 2)};
}

std::optional<std::size_t> metric_column(std::string_view name) {
  const MetricName parts = split_metric_name(name);
  const std::string base = lower(parts.base), unit = lower(parts.unit);
  const auto* const at = std::ranges::find_if(kKnown, [&](const KnownMetric& known) {
    return std::ranges::find(known.bases, std::string_view(base)) != known.bases.end() &&
           unit.find(known.measure) != std::string::npos;
  });
  if (at == std::end(kKnown) || base.empty()) return std::nullopt;
  return kFirstMetric + static_cast<std::size_t>(at - std::begin(kKnown));
}

std::int64_t metric_value(std::size_t column, std::int64_t value) {
  constexpr std::int64_t kHighestMegahertz = 100'000;
  const bool clock = column >= kFirstMetric && column < first_other_metric() &&
                     kKnown[column - kFirstMetric].unit == std::string_view("Hz");
  return clock && value > 0 && value < kHighestMegahertz ? value * 1'000'000 : value;
}

}  // namespace assay::load
