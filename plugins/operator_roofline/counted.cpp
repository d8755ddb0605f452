#include "counted.hpp"

#include <vector>

namespace assay::roofline {
namespace {

constexpr std::string_view kMatrix = "sm__ops_path_tensor_src_", kCore = "smsp__sass_thread_inst_executed_op_",
                           kPerCycle = "_pred_on.sum.per_cycle_elapsed";

/// Operations of a thread's instruction: "ffma" -> 2; 0: none of arithmetic with a point.
double operations_of(std::string_view name) {
  if (!name.starts_with(kCore) || !name.ends_with(kPerCycle)) return 0;
  name.remove_prefix(kCore.size());
  name.remove_suffix(kPerCycle.size());
  for (const std::string_view type : {"f", "h", "d"}) {
    if (!name.starts_with(type)) continue;
    const std::string_view what = name.substr(1);
    return what == "fma" ? 2 : what == "add" || what == "mul" ? 1 : 0;
  }
  return 0;
}

/// Counters of one launch.
struct Launch {
  Counted counted;
  double core_per_cycle = 0, clock = 0, read = -1, written = -1;
  bool matrix = false, core = false;
};

void take(Launch& launch, std::string_view name, double value) {
  if (name.starts_with(kMatrix) && name.ends_with(".sum") && name.find("_sparsity_") == std::string_view::npos)
    launch.counted.matrix_ops += value, launch.matrix = true;
  if (const double operations = operations_of(name); operations > 0)
    launch.core_per_cycle += operations * value, launch.core = true;
  if (name == "smsp__cycles_elapsed.avg.per_second") launch.clock = value;
  if (name == "gpu__time_duration.sum") launch.counted.time = value;
  if (name == "dram__bytes_read.sum") launch.read = value;
  if (name == "dram__bytes_write.sum") launch.written = value;
  if (name == "lts__t_bytes.sum") launch.counted.l2_bytes = value;
}

Counted finished(const Launch& launch) {
  constexpr double kNs = 1e9;
  Counted out = launch.counted;
  out.has_bytes = launch.read >= 0 && launch.written >= 0;
  if (out.has_bytes) out.dram_bytes = launch.read + launch.written;
  const bool core = launch.core && launch.clock > 0 && out.time > 0;
  if (core) out.core_ops = launch.core_per_cycle * launch.clock * out.time / kNs;
  out.has_flops = launch.matrix && core;
  return out;
}

}  // namespace

Counted& Counted::operator+=(const Counted& other) {
  matrix_ops += other.matrix_ops, core_ops += other.core_ops;
  dram_bytes += other.dram_bytes, l2_bytes += other.l2_bytes, time += other.time;
  has_flops = has_flops && other.has_flops;
  has_bytes = has_bytes && other.has_bytes;
  return *this;
}

std::map<Row, Counted> counted_by_group(const Report& report) {
  std::map<Row, Counted> out;
  if (report.profiled == nullptr || report.counters == nullptr) return out;
  std::vector<Launch> launches(static_cast<std::size_t>(report.profiled->rows));
  const CounterTable& counters = *report.counters;
  for (std::size_t c = 0; c < counters.rows; ++c)
    take(launches[static_cast<std::size_t>(counters.profiled[c])], report.string(counters.name[c]), counters.value[c]);
  std::map<Row, double> numbers;
  for (std::size_t p = 0; p < launches.size(); ++p) {
    const Row group = report.profiled->group[p];
    const Counted one = finished(launches[p]);
    const auto [at, is_new] = out.try_emplace(group, one);
    if (!is_new) at->second += one;
    numbers[group] += 1;
  }
  for (auto& [group, sum] : out) {
    const double n = numbers[group];
    sum.matrix_ops /= n, sum.core_ops /= n, sum.dram_bytes /= n, sum.l2_bytes /= n, sum.time /= n;
  }
  return out;
}

CountedDevice counted_device(const Report& report) {
  CountedDevice out;
  if (report.counters == nullptr) return out;
  constexpr double kBitsAByte = 8, kKilo = 1000, kEdges = 2;
  double clocks = 0, width = 0, memory = 0;
  std::int64_t n = 0;
  const CounterTable& counters = *report.counters;
  for (std::size_t c = 0; c < counters.rows; ++c) {
    const std::string_view name = report.string(counters.name[c]);
    const double value = counters.value[c];
    if (name == "sm__cycles_elapsed.avg.per_second") clocks += value, ++n;
    if (name == "device__attribute_multiprocessor_count") out.multiprocessors = value;
    if (name == "device__attribute_global_memory_bus_width") width = value;
    if (name == "device__attribute_memory_clock_rate") memory = value * kKilo;  // kHz
    if (name == "device__attribute_compute_capability_major") out.major = static_cast<std::int32_t>(value);
    if (name == "device__attribute_compute_capability_minor") out.minor = static_cast<std::int32_t>(value);
  }
  if (n > 0) out.clock = clocks / static_cast<double>(n);
  out.bandwidth = width / kBitsAByte * memory * kEdges;
  return out;
}

}  // namespace assay::roofline
