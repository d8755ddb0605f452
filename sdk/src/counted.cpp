#include "assay/algo/counted.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace assay::roofline {
namespace {

constexpr std::string_view kMatrix = "sm__ops_path_tensor_src_", kCore = "smsp__sass_thread_inst_executed_op_",
                           kPredicated = "_pred_on.sum", kPerCycle = ".per_cycle_elapsed",
                           kTensorInstructions = "sm__inst_executed_pipe_tensor";

std::size_t index_of(Rate rate) { return static_cast<std::size_t>(rate); }

/// The units named in "sm__ops_path_tensor_src_bf16_dst_fp32.sum"; empty for types whose rate is unknown.
std::optional<Rate> matrix_rate(std::string_view type) {
  constexpr std::pair<std::string_view, Rate> kTypes[] = {{"bf16", Rate::kFp16}, {"fp16", Rate::kFp16},
                                                          {"tf32", Rate::kTf32}, {"fp8", Rate::kFp8},
                                                          {"int8", Rate::kInt8}, {"fp64", Rate::kFp64Matrix}};
  for (const auto& [name, rate] : kTypes)
    if (type.starts_with(name)) return rate;
  return std::nullopt;
}

/// An arithmetic instruction of a thread: "ffma" is two fp32 operations. fp16 instructions without a matrix unit run on
/// the fp32 units.
struct Instruction {
  double operations = 0;  ///< 0: no floating-point instruction
  Rate rate = Rate::kFp32;
  bool per_cycle = false;
};

Instruction instruction_of(std::string_view name) {
  if (!name.starts_with(kCore)) return {};
  name.remove_prefix(kCore.size());
  const bool per_cycle = name.ends_with(kPerCycle);
  if (per_cycle) name.remove_suffix(kPerCycle.size());
  if (name.empty() || !name.ends_with(kPredicated)) return {};
  name.remove_suffix(kPredicated.size());
  const std::string_view what = name.empty() ? name : name.substr(1);
  const double operations = what == "fma" ? 2 : what == "add" || what == "mul" ? 1 : 0;
  if (name.empty() || std::string_view("fhd").find(name.front()) == std::string_view::npos) return {};
  return {operations, name.front() == 'd' ? Rate::kFp64 : Rate::kFp32, per_cycle};
}

/// Counters of one launch; negative: not counted.
struct Launch {
  LaunchCounters counted;
  std::array<double, kRates> per_cycle{}, sums{};
  bool matrix = false, core_per_cycle = false, core_sum = false;
  double tensor_instructions = -1;
  double clock = -1, read = -1, written = -1, rate = -1, l2_bytes = -1, l2_sectors = -1;
};

void add_counter(Launch& launch, std::string_view name, double value) {
  if (name.starts_with(kMatrix) && name.ends_with(".sum") && name.find("_sparsity_") == std::string_view::npos) {
    const auto rate = matrix_rate(name.substr(kMatrix.size()));
    (rate ? launch.counted.ops[index_of(*rate)] : launch.counted.other_ops) += value;
    launch.matrix = true;
  }
  if (name.starts_with(kTensorInstructions) && name.ends_with(".sum"))
    launch.tensor_instructions = std::max(launch.tensor_instructions, 0.0) + value;
  if (const Instruction of = instruction_of(name); of.operations > 0) {
    (of.per_cycle ? launch.per_cycle : launch.sums)[index_of(of.rate)] += of.operations * value;
    (of.per_cycle ? launch.core_per_cycle : launch.core_sum) = true;
  }
  if (name == "smsp__cycles_elapsed.avg.per_second") launch.clock = value;
  if (name == "sm__cycles_elapsed.avg.per_second") launch.counted.clock = value;
  if (name == "gpu__time_duration.sum") launch.counted.time = value;
  if (name == "dram__bytes_read.sum" || name == "dram__bytes_op_read.sum") launch.read = value;
  if (name == "dram__bytes_write.sum" || name == "dram__bytes_op_write.sum") launch.written = value;
  if (name == "dram__bytes.sum.per_second") launch.rate = value;
  if (name == "lts__t_bytes.sum") launch.l2_bytes = value;
  if (name == "lts__t_sectors.sum") launch.l2_sectors = value;
}

LaunchCounters finished(const Launch& launch) {
  constexpr double kNs = 1e9, kSector = 32;
  LaunchCounters out = launch.counted;
  const double seconds = out.time / kNs;
  const bool both = launch.read >= 0 && launch.written >= 0, by_rate = launch.rate >= 0 && seconds > 0;
  out.has_bytes = both || by_rate;
  if (out.has_bytes) out.dram_bytes = both ? launch.read + launch.written : launch.rate * seconds;
  out.has_l2 = launch.l2_bytes >= 0 || launch.l2_sectors >= 0;
  if (out.has_l2) out.l2_bytes = launch.l2_bytes >= 0 ? launch.l2_bytes : launch.l2_sectors * kSector;
  const bool core = launch.core_sum || (launch.core_per_cycle && launch.clock > 0 && seconds > 0);
  for (const Rate rate : {Rate::kFp32, Rate::kFp64}) {
    if (!core) continue;
    out.ops[index_of(rate)] +=
        launch.core_sum ? launch.sums[index_of(rate)] : launch.per_cycle[index_of(rate)] * launch.clock * seconds;
  }
  // Without counters of the matrix units, FLOPs are complete only if no matrix instruction ran.
  out.has_flops = core && (launch.matrix || launch.tensor_instructions == 0);
  return out;
}

/// Mean over the launches that have a counter; no value if none has.
class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++n_;
  }
  [[nodiscard]] double value() const { return n_ > 0 ? sum_ / static_cast<double>(n_) : 0; }

 private:
  double sum_ = 0;
  std::int64_t n_ = 0;
};

}  // namespace

double LaunchCounters::matrix_ops() const {
  double sum = other_ops;
  for (const Rate rate : {Rate::kFp64Matrix, Rate::kTf32, Rate::kFp16, Rate::kFp8, Rate::kInt8})
    sum += ops[index_of(rate)];
  return sum;
}

double LaunchCounters::flops() const { return std::accumulate(ops.begin(), ops.end(), other_ops); }

LaunchCounters& LaunchCounters::operator+=(const LaunchCounters& other) {
  for (std::size_t r = 0; r < kRates; ++r) ops[r] += other.ops[r];
  other_ops += other.other_ops;
  dram_bytes += other.dram_bytes;
  l2_bytes += other.l2_bytes;
  time += other.time;
  clock = clock > 0 && other.clock > 0 ? clock + other.clock : 0;
  has_flops = has_flops && other.has_flops;
  has_bytes = has_bytes && other.has_bytes;
  has_l2 = has_l2 && other.has_l2;
  return *this;
}

namespace {

/// Indexed by row of `profiled`.
std::vector<LaunchCounters> counted_launches(const Report& report) {
  if (report.profiled == nullptr || report.counters == nullptr) return {};
  std::vector<Launch> launches(static_cast<std::size_t>(report.profiled->rows));
  const CounterTable& counters = *report.counters;
  for (std::size_t c = 0; c < counters.rows; ++c)
    add_counter(launches[static_cast<std::size_t>(counters.profiled[c])], report.string(counters.name[c]),
                counters.value[c]);
  std::vector<LaunchCounters> out;
  for (const Launch& launch : launches) out.push_back(finished(launch));
  return out;
}

}  // namespace

std::map<Row, RoofTimes> roofs_by_group(const Report& report, const Peaks& peaks) {
  std::map<Row, RoofTimes> out;
  const std::vector<LaunchCounters> launches = counted_launches(report);
  for (std::size_t p = 0; p < launches.size(); ++p) {
    const auto roof = roof_of(peaks, launches[p]);
    if (!roof || launches[p].time <= 0) continue;
    RoofTimes& of = out[report.profiled->group[p]];
    of.least += roof->ns();
    of.measured += launches[p].time;
  }
  return out;
}

std::map<Row, LaunchCounters> counted_by_group(const Report& report) {
  std::map<Row, LaunchCounters> out;
  const std::vector<LaunchCounters> launches = counted_launches(report);
  std::map<Row, double> numbers;
  for (std::size_t p = 0; p < launches.size(); ++p) {
    const Row group = report.profiled->group[p];
    const LaunchCounters& one = launches[p];
    const auto [at, is_new] = out.try_emplace(group, one);
    if (!is_new) at->second += one;
    numbers[group] += 1;
  }
  for (auto& [group, sum] : out) {
    const double n = numbers[group];
    for (double& ops : sum.ops) ops /= n;
    sum.other_ops /= n;
    sum.dram_bytes /= n;
    sum.l2_bytes /= n;
    sum.time /= n;
    sum.clock /= n;
  }
  return out;
}

Peaks counted_peaks(const Report& report, std::string_view device) {
  constexpr double kBitsAByte = 8, kKilo = 1000, kEdges = 2;
  DeviceNumbers numbers{std::string(device)};
  if (report.counters == nullptr) return peaks_of(numbers);
  Mean clock, bytes_per_cycle, dram_clock, width, memory_clock;
  const CounterTable& counters = *report.counters;
  for (std::size_t c = 0; c < counters.rows; ++c) {
    const std::string_view name = report.string(counters.name[c]);
    const double value = counters.value[c];
    if (name == "sm__cycles_elapsed.avg.per_second") clock.add(value);
    if (name == "dram__bytes.sum.peak_sustained") bytes_per_cycle.add(value);
    if (name == "dram__cycles_elapsed.avg.per_second") dram_clock.add(value);
    if (name == "device__attribute_multiprocessor_count") numbers.multiprocessors = value;
    if (name == "device__attribute_global_memory_bus_width") width.add(value);
    if (name == "device__attribute_memory_clock_rate") memory_clock.add(value * kKilo);  // kHz
    if (name == "device__attribute_compute_capability_major") numbers.major = static_cast<std::int32_t>(value);
    if (name == "device__attribute_compute_capability_minor") numbers.minor = static_cast<std::int32_t>(value);
  }
  numbers.clock = clock.value();
  numbers.bandwidth = bytes_per_cycle.value() * dram_clock.value();
  if (numbers.bandwidth <= 0) numbers.bandwidth = width.value() / kBitsAByte * memory_clock.value() * kEdges;
  return peaks_of(numbers);
}

std::optional<Roof> roof_of(const Peaks& peaks, const LaunchCounters& counted) {
  if (!counted.has_flops || !counted.has_bytes || counted.other_ops > 0) return std::nullopt;
  const double slower = counted.clock > 0 && peaks.clock > 0 ? peaks.clock / counted.clock : 1;
  Roof roof;
  for (std::size_t r = 0; r < kRates; ++r) {
    const auto one = roof_of(peaks, static_cast<Rate>(r), counted.ops[r], counted.dram_bytes);
    if (!one) return std::nullopt;
    roof.compute_ns = std::max(roof.compute_ns, one->compute_ns * slower);
    roof.memory_ns = one->memory_ns;
  }
  return roof;
}

}  // namespace assay::roofline
