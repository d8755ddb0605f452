#include "check/small_reports.hpp"

#include <algorithm>

#include "load/columns.hpp"

namespace assay::check {
namespace {

bool needs(const Descriptor& declared, ColumnId column) {
  return std::ranges::find(declared.needs, column) != declared.needs.end();
}

void every_table_empty(ReportBuilder& b) {
  for (const ColumnInfo& info : column_infos()) {
    if (info.id == table_of(info.id)) b.captured(info.id);
  }
}

/// Exactly the tables that the analyzer needs, without rows.
void only_needs_empty(ReportBuilder& b, const Descriptor& declared) {
  for (const ColumnId need : declared.needs) b.captured(table_of(need));
}

void launch(ReportBuilder& b, const std::string& name, std::int64_t start, std::int64_t end,
            testing::KernelOptions options = {}) {
  options.call = b.call(CallKind::kKernelLaunch, start - 20, start - 10, 0, {.name = "cudaLaunchKernel"});
  b.kernel(name, start, end, options);
}

/// A few rows in each table that the analyzer needs, without optional tables and columns.
void only_needs(ReportBuilder& b, const Descriptor& declared) {
  const auto needed = [&](ColumnId table) {
    return std::ranges::any_of(declared.needs, [&](ColumnId id) { return table_of(id) == table; });
  };
  for (std::int64_t at = 1000; at < 5000; at += 1000) {
    const std::int64_t end = at + 500;
    if (needed(col::kernels)) b.kernel("kernel", at, end);
    if (needed(col::graphs)) b.graph(1, at, end);
    if (needed(col::copies)) b.copy(CopyDirection::kHostToDevice, 4096, at, end);
    if (needed(col::sets)) b.set(4096, at, end);
    if (needed(col::calls)) b.call(CallKind::kKernelLaunch, at, at + 10);
    if (needed(col::ranges)) b.range("range", at, end);
    if (needed(col::spans)) b.span("span", at, end);
    if (needed(col::syncs)) b.sync(3, at, end);
    if (needed(col::iterations)) b.iteration(at / 1000, at, end);
    if (needed(col::overheads)) b.overhead(at, end);
    if (needed(col::causes)) b.cause("cause", at, end);
    if (needed(col::ops)) b.op(OpKind::kOperator, "aten::matmul", at, end);
    if (needed(col::allocations)) b.allocation(1024, at);
    if (needed(col::properties)) b.property("name" + std::to_string(at), "value");
    if (needed(col::profiled) || needed(col::counters)) b.counter(b.profiled("kernel"), "counter", 1);
  }
  for (const ColumnInfo& info : column_infos()) {
    if (info.id != table_of(info.id) && !needs(declared, info.id)) b.absent(info.id);
  }
}

void overlapping_kernels(ReportBuilder& b) {
  launch(b, "around", 100, 1000);
  launch(b, "inside", 200, 300);
  launch(b, "equal", 200, 300);
  launch(b, "crossing", 900, 1100);
  launch(b, "empty", 500, 500);
  launch(b, "empty", 1100, 1100);
  launch(b, "other stream", 100, 1000, {.stream = 8});
  b.kernel("unlinked", 50, 2000, {.stream = kNone});
  b.copy(CopyDirection::kHostToDevice, 0, 150, 150);
  b.iteration(0, 0, 1000);
  b.iteration(1, 500, 1500);
}

void several_devices(ReportBuilder& b) {
  const std::uint32_t other = b.process(1), second = b.process(2);
  b.thread(11, other);
  b.thread(22, second);
  for (std::int32_t device = 0; device < 4; ++device) {
    b.device(device, {.name = "device " + std::to_string(device), .sm_count = 100 + device});
    for (std::int64_t i = 0; i < 5; ++i) {
      const std::int64_t start = 100 * i + 7 * device + 50;
      launch(b, "kernel", start, start + 60,
             {.device = device, .stream = 7 + device, .process = device % 2 == 0 ? other : second});
      b.copy(CopyDirection::kPeerToPeer, 4096, start + 1, start + 30,
             {.device = device, .stream = 9, .process = device % 2 == 0 ? other : second});
    }
  }
  b.device(-7).device(1 << 30);
}

/// Texts that no profiler should write.
std::vector<std::string> hostile_texts() {
  using namespace std::string_literals;
  return {"",
          " ",
          "\xFF\xFE\x80",
          "caf\xC3",
          "a\0b"s,
          "line\nbreak\ttab\r\x1B[31m\x7F",
          "a=b;c=d%",
          "\"quoted\", 'twice' \\",
          "<<<<((((",
          ">>>>))))",
          "f<g<h>>(int)",
          "{i} %s %n {} ${x}",
          "\xE2\x80\xAE\xF0\x9F\x92\xA9",
          std::string(10000, 'x'),
          std::string(10000, '<'),
          std::string(10000, '\xFF')};
}

void names_in_any_bytes(ReportBuilder& b) {
  std::int64_t at = 1000;
  for (const std::string& text : hostile_texts()) {
    const Row call = b.call(CallKind::kKernelLaunch, at, at + 10, 0, {.name = text});
    b.kernel(text, at + 20, at + 90, {.call = call, .short_name = text, .mangled_name = text});
    b.range(text, at - 10, at + 95, {.domain = text});
    b.span(text, at - 10, at + 95);
    b.op(OpKind::kOperator, text, at - 5, at + 50);
    b.counter(b.profiled(text), text, 1.5, {.unit = text, .section = text});
    b.property(text, text);
    b.issue(text.empty() ? "issue" : text, Severity::kWarning, 1, text);
    at += 100;
  }
  b.device(0, {.name = "\xFF\n"});
  b.window("\xFF\n", {900, at});
  for (std::int64_t i = 0; i < 3; ++i) b.iteration(i, 900 + 200 * i, 1100 + 200 * i);
}

void add_device(ReportBuilder& b, std::int32_t device) {
  b.device(device, {.name = "synthetic device",
                    .sm_count = 132,
                    .compute_major = 9,
                    .compute_minor = 0,
                    .max_threads_per_sm = 2048,
                    .max_blocks_per_sm = 32,
                    .max_registers_per_sm = 65536,
                    .max_shared_per_sm = 233472,
                    .total_memory = std::int64_t{80} << 30,
                    .memory_bandwidth = 3350000000000,
                    .clock_rate = 1980000000,
                    .l2_size = std::int64_t{50} << 20});
}

/// The kernels of iteration `i`, which begins at `t`.
void launch_kernels(ReportBuilder& b, std::int64_t i, std::int64_t t, int scale) {
  for (std::int64_t k = 0; k < 4 + scale; ++k) {
    const std::int64_t start = t + 100 + k * 20000;
    const bool first = k == 0;
    const Row call = b.call(CallKind::kKernelLaunch, start, start + 3000, 0,
                            {.name = "cudaLaunchKernel", .correlation = 1 + i * 100 + k});
    b.kernel(first ? "ampere_sgemm_128x64<float>(int)" : "void softmax_kernel<float, 4>(float*)", start + 5000,
             start + 5000 + 9000 * scale,
             {.device = static_cast<std::int32_t>(k % 2),
              .call = call,
              .correlation = 1 + i * 100 + k,
              .grid = {64, 2, 1},
              .block = {256, 1, 1},
              .static_shared = 1024,
              .blocks_per_sm = 0.97,
              .warps_per_sm = 7.75,
              .occupancy = 0.5,
              .shared_a_block = 1024});
  }
}

}  // namespace

void fill_every_table(ReportBuilder& b, int scale) {
  b.thread(1);
  const std::uint32_t helper = b.thread(2);
  for (const std::int32_t device : {0, 1}) add_device(b, device);
  const std::int64_t length = 1000000 * scale;
  for (std::int64_t i = 0; i < 6; ++i) {
    const std::int64_t t = 1000000 + i * length;
    b.iteration(i, t, t + length - 1);
    b.range("step_" + std::to_string(i), t, t + length - 1);
    b.range("forward", t + 10, t + length / 2, {.domain = "model"});
    b.op(OpKind::kAnnotation, "ProfilerStep#" + std::to_string(i), t, t + length - 1, {.external_id = 100 + i});
    b.op(OpKind::kPythonFunction, "model.py(7): forward", t + 5, t + length / 2, {.python_id = i, .python_module = 1});
    b.op(OpKind::kOperator, "aten::matmul", t + 20, t + 40000, {.external_id = i});
    launch_kernels(b, i, t, scale);
    const Row copy = b.call(CallKind::kCopy, t + 300000, t + 303000, 0, {.name = "cudaMemcpyAsync"});
    b.copy(CopyDirection::kHostToDevice, 1 << 20, t + 310000, t + 350000, {.call = copy});
    b.copy(CopyDirection::kDeviceToHost, 1 << 10, t + 360000, t + 361000, {.stream = 8, .call = copy});
    b.set(4096, t + 370000, t + 371000);
    b.call(CallKind::kDeviceSync, t + 400000, t + 450000, 0, {.name = "cudaDeviceSynchronize"});
    b.sync(4, t + 400000, t + 450000);
    b.span("loading", t + 1000, t + length + 5000, {.thread = helper, .end_thread = 0});
    b.allocation(1 << 20, t + 50, {.allocated = 2 << 20, .reserved = 4 << 20});
    b.allocation(-(1 << 20), t + 900, {.allocated = 1 << 20, .reserved = 4 << 20});
  }
  b.graph(5, 500000, 600000, {.call = b.call(CallKind::kGraphLaunch, 400000, 410000, 0, {.name = "cudaGraphLaunch"})});
  b.overhead(100, 200);
  const Row measured = b.profiled("ampere_sgemm_128x64", {.grid = {64, 2, 1}, .block = {256, 1, 1}});
  b.counter(measured, "sm__throughput.avg.pct_of_peak_sustained_elapsed", 61.5, {.unit = "%"});
  b.counter(measured, "gpu__time_duration.sum", 9000, {.unit = "ns"});
  b.counter(measured, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 40, {.unit = "%"});
  b.property("schemaVersion", "1").property("distributedInfo.rank", "0");
  b.issue("made_up", Severity::kInfo, 0, "This report is synthetic.");
  b.every_column();
}

std::vector<SmallReport> small_reports(const Descriptor& declared) {
  const Descriptor* d = &declared;
  return {{"empty report", [d](ReportBuilder& b) { only_needs_empty(b, *d); }},
          {"every table null", [](ReportBuilder&) {}},
          {"every table empty", every_table_empty},
          {"only what it needs", [d](ReportBuilder& b) { only_needs(b, *d); }},
          {"every table filled", [](ReportBuilder& b) { fill_every_table(b); }},
          {"one kernel",
           [d](ReportBuilder& b) {
             only_needs_empty(b, *d);
             launch(b, "kernel", 100, 200);
           }},
          {"overlapping kernels",
           [d](ReportBuilder& b) {
             only_needs_empty(b, *d);
             overlapping_kernels(b);
           }},
          {"several devices",
           [d](ReportBuilder& b) {
             only_needs_empty(b, *d);
             several_devices(b);
           }},
          {"names in any bytes", names_in_any_bytes}};
}

std::vector<SmallReport> without_each_column(const Descriptor& declared) {
  std::vector<SmallReport> reports;
  for (const ColumnInfo& info : column_infos()) {
    if (info.id == table_of(info.id) || needs(declared, info.id)) continue;
    reports.push_back({std::string(info.name), [id = info.id](ReportBuilder& b) {
                         fill_every_table(b);
                         b.absent(id);
                       }});
  }
  return reports;
}

}  // namespace assay::check
