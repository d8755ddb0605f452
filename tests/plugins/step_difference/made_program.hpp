// A made-up training program as a profile: steps with a copy, a forward and a backward pass, an optimizer and a wait.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/testing/report_builder.hpp"
#include "plugins/step_difference/side.hpp"
#include "plugins/step_items/measure.hpp"
#include "plugins/step_items/phases.hpp"

namespace assay::difference::test {

struct MadeProgram {
  std::int64_t steps = 4, layers = 3;
  std::int64_t attention = 4000, matmul = 6000;  ///< ns of a kernel
  std::int64_t adam = 6000;                      ///< likewise
  bool flash = false;                            ///< one kernel in the place of three
  bool wait = true;                              ///< the host waits for the device at the end of a step
  bool other_streams = false;                    ///< kernels are spread over streams
  std::string template_argument = "float";
  std::int64_t batch = 8;                 ///< blocks of the grid
  bool operators = false;                 ///< each kernel is launched in one
  std::string vendor = {};                ///< begins the name of every kernel
  std::vector<std::int64_t> graphs = {};  ///< ids of graphs that a step launches at its end
  std::int64_t all_reduce = 0;            ///< ns of a collective at the end of a step, with waiting; 0: none
  double adam_bytes = 0;                  ///< of DRAM, by counters of Nsight Compute; 0: not measured
};

/// What a report holds, measured; empty where there is nothing to measure.
inline SideRun measured(const Report& report) {
  const NameRules rules{std::span<const Str>{}};
  SideRun run;
  const step::Steps steps = step::steps_of(report);
  if (steps.kept.empty() || (report.kernels == nullptr && report.graphs == nullptr)) return run;
  const account::Account account(report, steps.kept);
  static_cast<RunMeasure&>(run) = step_items::measure_run(report, steps, account, rules);
  run.phases = step_items::phases_of(report, steps);
  return run;
}

inline void make(const MadeProgram& p, testing::ReportBuilder& b) {
  constexpr std::int64_t kLaunch = 1000;
  std::int64_t host = 1000, device = 0;
  std::int32_t stream = 7;
  for (std::int64_t s = 0; s < p.steps; ++s) {
    const std::int64_t begin = host;
    const auto kernel = [&](const std::string& name, std::int64_t length, std::int64_t blocks) {
      if (p.operators) {
        const bool attention = name.find("gemm_") == std::string::npos;
        b.op(OpKind::kOperator, attention ? "aten::attention" : "aten::linear", host, host + kLaunch - 1,
             {.input_dims = "[[8, 16]]"});
      }
      const Row call = b.call(CallKind::kKernelLaunch, host, host + kLaunch / 2, 0, {.name = "cudaLaunchKernel"});
      host += kLaunch;
      device = std::max(device, host) + 10;
      if (p.other_streams) stream = stream == 7 ? 8 : 7;
      const testing::Dim3 grid{static_cast<std::int32_t>(blocks), 1, 1}, block{128, 1, 1};
      Row measured = kNone;
      if (p.adam_bytes > 0 && name.starts_with("adam")) {
        measured = b.profiled(p.vendor + name, {.grid = grid, .block = block});
        b.counter(measured, "gpu__time_duration.sum", static_cast<double>(length), {.unit = "ns"});
        b.counter(measured, "dram__bytes.sum.per_second", p.adam_bytes * 1e9 / static_cast<double>(length),
                  {.unit = "byte/s"});
      }
      const Row row = b.kernel(p.vendor + name, device, device + length,
                               {.stream = stream, .call = call, .grid = grid, .block = block, .profiled = measured});
      if (name.starts_with("nccl")) b.collective(row, CollectiveKind::kAllReduce);
      device += length;
    };
    const auto range = [&](const std::string& name, auto&& work) {
      const std::int64_t from = host;
      work();
      b.range(name, from, host);
    };
    const std::string t = "<" + p.template_argument + ">(int)";
    range("forward", [&] {
      for (std::int64_t l = 0; l < p.layers; ++l) {
        kernel("gemm_in" + t, p.matmul, p.batch * 4);
        if (p.flash) {
          kernel("flash_fwd_kernel" + t, p.attention, p.batch);
        } else {
          kernel("scores_gemm" + t, p.attention, p.batch * 2);
          kernel("softmax_forward" + t, p.attention, p.batch);
          kernel("values_gemm" + t, p.attention, p.batch * 2);
        }
        kernel("gemm_out" + t, p.matmul, p.batch * 4);
      }
    });
    if (p.all_reduce > 0) kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(int)", p.all_reduce, 24);
    range("optimizer", [&] { kernel("adam" + t, p.adam, 16); });
    for (const std::int64_t graph : p.graphs) {
      const Row call = b.call(CallKind::kGraphLaunch, host, host + kLaunch / 2, 0, {.name = "cudaGraphLaunch"});
      host += kLaunch;
      device = std::max(device, host) + 10;
      b.graph(graph, device, device + p.matmul, {.call = call});
      device += p.matmul;
    }
    if (p.wait) {
      const std::int64_t from = host, end = std::max(host, device) + 20;
      b.call(CallKind::kStreamSync, from, end, 0, {.name = "cudaStreamSynchronize"});
      b.range("log", from, end);
      host = end;
    }
    host += 3000;
    b.range("step_" + std::to_string(s), begin, host);
  }
}

inline SideRun measured(const MadeProgram& p) {
  testing::ReportBuilder b;
  make(p, b);
  return measured(b.build());
}

inline Side side_of(const std::string& name, std::vector<SideRun> runs) {
  Side side;
  side.name = name;
  side.runs = std::move(runs);
  join_items(side);
  return side;
}

inline Side side_of(const MadeProgram& p) { return side_of("made", {measured(p)}); }

}  // namespace assay::difference::test
