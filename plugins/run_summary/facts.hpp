// Turns measurements into facts, or reports why they are missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/output.hpp"
#include "calls.hpp"
#include "device.hpp"
#include "iterations.hpp"
#include "kernels.hpp"

namespace assay::summary {

/// Why a group of metrics is unknown, as a part of a sentence; empty if it is known.
struct Coverage {
  std::optional<std::string> calls;    ///< launch.*, sync.*
  std::optional<std::string> kernels;  ///< kernel.*
  std::optional<std::string> graphs;   ///< graph.launch_count and graph.time_sum_ns
  std::optional<std::string> opaque;   ///< graph.opaque_ratio
  std::optional<std::string> copies;   ///< copy.*
  std::optional<std::string> gpu;      ///< gpu.*, gap.* and the GPU side of iteration.*
};

/// `calls` and `kernels` summarise `report`.
Coverage coverage_of(const Report& report, const CallSummary& calls, const KernelSummary& kernels);

void emit_kernels(KernelSummary& kernels, ReportSink& sink);
void emit_launches(CallSummary& calls, const KernelSummary& kernels, ReportSink& sink);
void emit_syncs(const CallSummary& calls, ReportSink& sink);
/// Rows of the processes and devices of a report with several of them, and the processes without GPU work.
void emit_parts(const std::vector<PartBusy>& parts, const Report& report, ReportSink& sink);
void emit_busy(const std::vector<DeviceBusy>& devices, std::int64_t window, ReportSink& sink);
void emit_graphs(const Work& graphs, Interval window, ReportSink& sink);
/// Graph launches of the window with traced kernels, and the number of distinct graphs. Requires kernels and calls.
void emit_node_launches(const Report& report, ReportSink& sink);
void emit_copies(std::array<CopySummary, kDirections> copies, ReportSink& sink);
void emit_gaps(const GapSummary& gaps, ReportSink& sink);
/// `gpu_unknown`: why the GPU side is unknown; empty if it is known.
void emit_iterations(const IterationSummary& iterations, const Coverage& coverage, ReportSink& sink);

/// Share of the GPU's busy time inside graph launches whose kernels were not traced; 0 if it was never busy.
double opaque_ratio(const std::vector<DeviceBusy>& devices);

}  // namespace assay::summary
