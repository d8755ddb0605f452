#include "check/large_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "assay/algo/intervals.hpp"

namespace assay::check {
namespace {

constexpr std::size_t kNames = 200, kLayer = 100, kIteration = 1000, kCopyEvery = 10;
constexpr std::int64_t kStep = 10000, kLaunch = 3000, kDelay = 4000;
constexpr StringId kLaunchName = kNames + 1, kCopyName = kNames + 2, kLayerName = kNames + 3, kStepName = kNames + 4;

std::int64_t launch_start(std::size_t kernel) { return static_cast<std::int64_t>(kernel) * kStep; }
std::int64_t kernel_start(std::size_t kernel) { return launch_start(kernel) + kDelay; }
std::int64_t kernel_end(std::size_t kernel) {
  return kernel_start(kernel) + kDelay + static_cast<std::int64_t>(kernel * 2654435761U % 4000U);
}
std::size_t parts(std::size_t kernels, std::size_t every) { return (kernels + every - 1) / every; }

/// Calls are launches, with a copy after every tenth.
bool is_copy_call(std::size_t call) { return call % (kCopyEvery + 1) == kCopyEvery; }
std::size_t launches_before(std::size_t call) { return call - call / (kCopyEvery + 1); }
Row call_of_kernel(std::size_t kernel) { return static_cast<Row>(kernel + kernel / kCopyEvery); }

/// Ranges and operators: every iteration is followed by its layers.
constexpr std::size_t kGroup = 1 + kIteration / kLayer;
bool is_iteration(std::size_t range) { return range % kGroup == 0; }
std::size_t first_kernel(std::size_t range) {
  const std::size_t within = range % kGroup;
  return range / kGroup * kIteration + (within == 0 ? 0 : (within - 1) * kLayer);
}
Row layer_of_kernel(std::size_t kernel) {
  return static_cast<Row>(kernel / kIteration * kGroup + 1 + kernel % kIteration / kLayer);
}

}  // namespace

bool LargeReport::has_table(ColumnId table) const {
  const auto number = [](ColumnId id) { return static_cast<std::uint16_t>(id) >> 8; };
  return std::any_of(wanted_.begin(), wanted_.end(), [&](ColumnId id) { return number(id) == number(table); });
}

template <class T, class Cell>
Column<T> LargeReport::column(std::size_t rows, const Cell& cell) {
  std::vector<T> cells(rows);
  for (std::size_t i = 0; i < rows; ++i) cells[i] = static_cast<T>(cell(i));
  return pool_.keep(std::move(cells));
}

template <class T, class Cell>
Column<T> LargeReport::column(ColumnId id, std::size_t rows, const Cell& cell) {
  return asked(id) ? column<T>(rows, cell) : Column<T>{};
}

LargeReport::LargeReport(std::size_t kernels, const std::set<ColumnId>& wanted) : kernels_(kernels), wanted_(wanted) {
  name_things();
  Report& r = built_.report;
  r.path = "large_report";
  if (has_table(col::kernels)) {
    make_kernels();
    r.kernels = &built_.kernels;
  }
  if (has_table(col::copies)) {
    make_copies();
    r.copies = &built_.copies;
  }
  if (has_table(col::calls)) {
    make_calls();
    r.calls = &built_.calls;
  }
  if (has_table(col::ranges)) {
    make_ranges();
    r.ranges = &built_.ranges;
  }
  if (has_table(col::iterations)) {
    make_iterations();
    r.iterations = &built_.iterations;
  }
  if (has_table(col::ops)) {
    make_ops();
    r.ops = &built_.ops;
  }
  make_hosts();
  const auto fill = [&](auto& table) {
    testing::fill_listed(pool_, table, [&](const ListedColumn& listed) { return asked(listed.id); });
  };
  fill(built_.kernels);
  fill(built_.copies);
  fill(built_.calls);
  fill(built_.ranges);
  fill(built_.ops);
  if (has_table(col::steps)) {
    steps_ = step::find_step_rows(r, {});
    built_.steps = steps_.table();
    r.steps = &built_.steps;
  }
}

void LargeReport::name_things() {
  names_.emplace_back();
  for (std::size_t i = 0; i < kNames; ++i)
    names_.push_back(fmt::format("void library::kernel_{}<float, {}>(float*)", i, i));
  for (const char* name : {"cudaLaunchKernel", "cudaMemcpyAsync", "layer", "step"}) names_.emplace_back(name);
  for (std::size_t i = 0; i < kNames; ++i) names_.push_back("kernel_" + std::to_string(i));
  built_.report.strings = pool_.keep(std::vector<Str>(names_.begin(), names_.end()));
}

/// Columns common to kernels and copies: row i belongs to kernel i * every.
template <class Table>
void LargeReport::work(Table& table, std::size_t rows, std::size_t every) {
  table.rows = rows;
  table.device = column<std::int32_t>(rows, [](std::size_t) { return 0; });
  table.stream = column<std::int32_t>(rows, [](std::size_t) { return 7; });
  table.process = column<std::uint32_t>(rows, [](std::size_t) { return 0; });
  table.membership = column<Membership>(rows, [](std::size_t) { return Membership::kInside; });
  const Row after = every == 1 ? 0 : 1;  // the call of a copy follows that of its kernel
  table.call = column<Row>(
      rows, [&](std::size_t i) { return has_table(col::calls) ? call_of_kernel((i + 1) * every - 1) + after : kNone; });
}

void LargeReport::make_kernels() {
  KernelTable& t = built_.kernels;
  const std::size_t n = kernels_;
  work(t, n, 1);
  t.start = column<std::int64_t>(n, kernel_start);
  t.end = column<std::int64_t>(n, kernel_end);
  t.name = column<StringId>(col::kernel_name, n, [](std::size_t i) { return 1 + i * 7 % kNames; });
  t.short_name =
      column<StringId>(col::kernel_short_name, n, [](std::size_t i) { return kStepName + 1 + i * 7 % kNames; });
  t.mangled_name = column<StringId>(col::kernel_mangled_name, n, [](std::size_t) { return 0; });
  t.context = column<std::int32_t>(col::kernel_context, n, [](std::size_t) { return 1; });
  t.correlation = column<std::int64_t>(col::kernel_correlation, n, [](std::size_t i) { return i; });
  const auto constant = [&](ColumnId id, std::int32_t value) {
    return column<std::int32_t>(id, n, [&](std::size_t) { return value; });
  };
  t.grid_x = column<std::int32_t>(col::kernel_grid, n, [](std::size_t i) { return 1 + i % 512; });
  t.grid_y = constant(col::kernel_grid, 1);
  t.grid_z = constant(col::kernel_grid, 1);
  t.block_x = constant(col::kernel_block, 256);
  t.block_y = constant(col::kernel_block, 1);
  t.block_z = constant(col::kernel_block, 1);
  t.registers = constant(col::kernel_registers, 64);
  t.static_shared = constant(col::kernel_shared, 1024);
  t.dynamic_shared = constant(col::kernel_shared, 0);
  t.executed_shared = constant(col::kernel_shared, 4096);
  t.shared_a_block = constant(col::kernel_shared_a_block, 1024);
  t.graph_node = column<std::int64_t>(col::kernel_graph_node, n, [](std::size_t) { return kNone; });
  t.blocks_per_sm =
      column<double>(col::kernel_blocks_per_sm, n, [](std::size_t i) { return double(1 + i % 512) / 132; });
  t.warps_per_sm = column<double>(col::kernel_warps_per_sm, n, [](std::size_t i) { return double(1 + i % 512) / 16; });
  t.occupancy = column<double>(col::kernel_occupancy, n, [](std::size_t i) { return double(i % 100) / 100; });
  t.op =
      column<Row>(col::kernel_op, n, [&](std::size_t i) { return has_table(col::ops) ? layer_of_kernel(i) : kNone; });
}

void LargeReport::make_copies() {
  CopyTable& t = built_.copies;
  const std::size_t n = kernels_ / kCopyEvery;
  work(t, n, kCopyEvery);
  const auto start = [](std::size_t i) { return kernel_start((i + 1) * kCopyEvery - 1) + 500; };
  t.start = column<std::int64_t>(n, start);
  t.end = column<std::int64_t>(n, [&](std::size_t i) { return start(i) + 2000; });
  t.bytes = column<std::int64_t>(col::copy_bytes, n, [](std::size_t i) { return 1024 << (i % 10); });
  t.direction = column<CopyDirection>(col::copy_direction, n, [](std::size_t i) {
    return i % 2 == 0 ? CopyDirection::kHostToDevice : CopyDirection::kDeviceToHost;
  });
  t.kind = column<std::int32_t>(col::copy_direction, n, [](std::size_t i) { return 1 + i % 2; });
  t.context = column<std::int32_t>(col::copy_context, n, [](std::size_t) { return 1; });
}

void LargeReport::make_calls() {
  CallTable& t = built_.calls;
  const std::size_t n = kernels_ + kernels_ / kCopyEvery;
  t.rows = n;
  // The call of a copy begins when the launch before it ends.
  const auto start = [](std::size_t i) {
    return is_copy_call(i) ? launch_start(launches_before(i) - 1) + kLaunch : launch_start(launches_before(i));
  };
  t.start = column<std::int64_t>(n, start);
  t.end = column<std::int64_t>(n, [&](std::size_t i) { return start(i) + kLaunch; });
  t.thread = column<std::uint32_t>(n, [](std::size_t) { return 0; });
  t.kind =
      column<CallKind>(n, [](std::size_t i) { return is_copy_call(i) ? CallKind::kCopy : CallKind::kKernelLaunch; });
  t.in_window = column<std::uint8_t>(n, [](std::size_t) { return 1; });
  const auto name = [](std::size_t i) { return is_copy_call(i) ? kCopyName : kLaunchName; };
  t.name = column<StringId>(col::call_name, n, name);
  t.full_name = column<StringId>(col::call_full_name, n, name);
  const auto layer = [](std::size_t i) { return layer_of_kernel(launches_before(i) - (is_copy_call(i) ? 1 : 0)); };
  t.range = column<Row>(col::call_range, n, [&](std::size_t i) { return has_table(col::ranges) ? layer(i) : kNone; });
  t.op = column<Row>(col::call_op, n, [&](std::size_t i) { return has_table(col::ops) ? layer(i) : kNone; });
  t.correlation = column<std::int64_t>(col::call_correlation, n, [](std::size_t i) { return i; });
  t.return_value = column<std::int32_t>(col::call_return_value, n, [](std::size_t) { return 0; });
}

namespace {

/// Number of ranges (and operators): iterations and their layers.
std::size_t range_count(std::size_t kernels) { return parts(kernels, kIteration) + parts(kernels, kLayer); }
std::int64_t range_start(std::size_t range) { return launch_start(first_kernel(range)); }
std::int64_t range_end(std::size_t range, std::size_t kernels) {
  return launch_start(std::min(first_kernel(range) + (is_iteration(range) ? kIteration : kLayer), kernels)) - 1;
}
Row range_parent(std::size_t range) { return is_iteration(range) ? kNone : static_cast<Row>(range / kGroup * kGroup); }

}  // namespace

void LargeReport::make_ranges() {
  RangeTable& t = built_.ranges;
  const std::size_t n = range_count(kernels_);
  t.rows = n;
  t.start = column<std::int64_t>(n, range_start);
  t.end = column<std::int64_t>(n, [&](std::size_t i) { return range_end(i, kernels_); });
  t.name = column<StringId>(n, [](std::size_t i) { return is_iteration(i) ? kStepName : kLayerName; });
  t.domain = column<StringId>(n, [](std::size_t) { return 0; });
  t.thread = column<std::uint32_t>(n, [](std::size_t) { return 0; });
  t.end_thread = t.thread;
  t.open = column<std::uint8_t>(n, [](std::size_t) { return 0; });
  t.in_named_domain = t.open;
  t.parent = column<Row>(n, range_parent);
  t.depth = column<std::int32_t>(n, [](std::size_t i) { return is_iteration(i) ? 0 : 1; });
  std::vector<std::int64_t> reach(n);
  compute_reach(t.start.view(), t.end.view(), reach);
  t.reach = pool_.keep(std::move(reach));
}

void LargeReport::make_iterations() {
  IterationTable& t = built_.iterations;
  const std::size_t n = parts(kernels_, kIteration);
  t.rows = n;
  t.number = column<std::int64_t>(n, [](std::size_t i) { return i; });
  t.start = column<std::int64_t>(n, [](std::size_t i) { return range_start(i * kGroup); });
  t.end = column<std::int64_t>(n, [&](std::size_t i) { return range_end(i * kGroup, kernels_); });
  t.thread = column<std::uint32_t>(n, [](std::size_t) { return 0; });
  t.overlapping = column<std::uint8_t>(n, [](std::size_t) { return 0; });
}

void LargeReport::make_ops() {
  OpTable& t = built_.ops;
  const std::size_t n = range_count(kernels_);
  t.rows = n;
  t.start = column<std::int64_t>(n, range_start);
  t.end = column<std::int64_t>(n, [&](std::size_t i) { return range_end(i, kernels_); });
  t.name = column<StringId>(n, [](std::size_t i) { return is_iteration(i) ? kStepName : kLayerName; });
  t.thread = column<std::uint32_t>(n, [](std::size_t) { return 0; });
  t.kind = column<OpKind>(n, [](std::size_t i) { return is_iteration(i) ? OpKind::kAnnotation : OpKind::kOperator; });
  t.parent = column<Row>(n, range_parent);
  t.depth = column<std::int32_t>(n, [](std::size_t i) { return is_iteration(i) ? 0 : 1; });
  t.external_id = column<std::int64_t>(col::op_external_id, n, [](std::size_t i) { return i; });
  const auto none = [](std::size_t) { return kNone; };
  t.python_id = column<std::int64_t>(col::op_python_ids, n, none);
  t.python_parent = t.python_module = t.python_id;
  t.input_dims = column<StringId>(col::op_inputs, n, [](std::size_t) { return 0; });
  t.input_types = t.input_strides = t.input_dims;
  t.concrete_inputs = column<StringId>(col::op_concrete_inputs, n, [](std::size_t) { return 0; });
  t.flops = column<double>(col::op_work, n, [](std::size_t) { return 1e9; });
  t.least_bytes = column<double>(col::op_work, n, [](std::size_t) { return 1e6; });
  t.work_kind = t.arithmetic = column<StringId>(col::op_work, n, [](std::size_t) { return 0; });
}

void LargeReport::make_hosts() {
  const auto one = [&](auto value) { return pool_.keep(std::vector<decltype(value)>{value}); };
  built_.processes = {1, one(std::int64_t{1})};
  built_.threads = {1, one(std::uint32_t{0}), one(std::int64_t{1}), {}, {}};
  DeviceTable& d = built_.devices;
  d.rows = 1;
  d.id = one(std::int32_t{0});
  d.name = one(Str("synthetic device"));
  d.sm_count = one(std::int32_t{132});
  d.compute_major = one(std::int32_t{9});
  d.compute_minor = one(std::int32_t{0});
  d.max_threads_per_sm = one(std::int32_t{2048});
  d.max_blocks_per_sm = one(std::int32_t{32});
  d.max_registers_per_sm = one(std::int32_t{65536});
  d.max_shared_per_sm = one(std::int32_t{233472});
  d.total_memory = one(std::int64_t{80} << 30);
  d.memory_bandwidth = one(std::int64_t{3350000000000});
  d.clock_rate = one(std::int64_t{1980000000});
  d.l2_size = one(std::int64_t{50} << 20);
  built_.issues = {0, pool_.keep(std::vector<Str>()), pool_.keep(std::vector<Severity>()),
                   pool_.keep(std::vector<std::int64_t>()), pool_.keep(std::vector<Str>())};
  const std::int64_t end = kernels_ == 0 ? 0 : kernel_start(kernels_ - 1) + 2 * kDelay;
  built_.window = {0, end, 0, end, 0, 1, {}};
  Report& r = built_.report;
  r.window = &built_.window;
  r.processes = &built_.processes;
  r.threads = &built_.threads;
  r.devices = &built_.devices;
  r.issues = &built_.issues;
}

}  // namespace assay::check
