// Metrics of gpu_metrics and their source columns.
#pragma once

#include <array>

#include "assay/abi.hpp"

namespace assay::gpu_metrics {

/// With fewer samples there is no value: it would depend on where the ends of the part fall.
inline constexpr std::size_t kMinSamples = 5;

#define ASSAY_DIMS                                                                                                   \
  "dims: path (a folded path of ranges), step, class (of kernels, or 'memory copies'), none: from the first to the " \
  "last work; and device where several were sampled."

inline constexpr MetricSpec kMetrics[] = {
    {"gpu.sm_active_ratio", "ratio", Polarity::kHigherIsBetter,
     "Mean of the samples of the active multiprocessors from the first to the last work of the GPU, of the GPU with "
     "the most.",
     "share of multiprocessors active, by samples"},
    {"gpu_metrics.samples", "1", Polarity::kNeutral, "Samples in a part; " ASSAY_DIMS, "samples of the GPU's counters",
     kExtensive},
    {"gpu_metrics.sms_active_ratio", "ratio", Polarity::kHigherIsBetter,
     "Share of cycles in which a multiprocessor has a warp, mean of the multiprocessors; " ASSAY_DIMS,
     "share of multiprocessors active"},
    {"gpu_metrics.sm_issue_ratio", "ratio", Polarity::kHigherIsBetter,
     "Share of cycles in which a scheduler issues an instruction, mean of the multiprocessors; " ASSAY_DIMS,
     "share of issue slots used"},
    {"gpu_metrics.tensor_active_ratio", "ratio", Polarity::kHigherIsBetter,
     "Share of cycles in which tensor cores are active; " ASSAY_DIMS, "share of time that tensor cores work"},
    {"gpu_metrics.compute_warps_ratio", "ratio", Polarity::kNeutral,
     "Warps in flight, of those that the GPU can hold; " ASSAY_DIMS, "occupancy, by samples"},
    {"gpu_metrics.dram_read_ratio", "ratio", Polarity::kNeutral,
     "Reads from device memory, of its peak bandwidth; " ASSAY_DIMS, "share of the bandwidth that reads use"},
    {"gpu_metrics.dram_write_ratio", "ratio", Polarity::kNeutral,
     "Writes to device memory, of its peak bandwidth; " ASSAY_DIMS, "share of the bandwidth that writes use"},
    {"gpu_metrics.nvlink_rx_ratio", "ratio", Polarity::kNeutral, "Received over NVLink, of its peak; " ASSAY_DIMS,
     "NVLink receive throughput"},
    {"gpu_metrics.nvlink_tx_ratio", "ratio", Polarity::kNeutral, "Sent over NVLink, of its peak; " ASSAY_DIMS,
     "NVLink send throughput"},
    {"gpu_metrics.pcie_rx_ratio", "ratio", Polarity::kNeutral, "Received over PCIe, of its peak; " ASSAY_DIMS,
     "PCIe receive throughput"},
    {"gpu_metrics.pcie_tx_ratio", "ratio", Polarity::kNeutral, "Sent over PCIe, of its peak; " ASSAY_DIMS,
     "PCIe send throughput"},
    {"gpu_metrics.gpc_clock_hz", "1/s", Polarity::kHigherIsBetter, "Clock of the multiprocessors; " ASSAY_DIMS,
     "clock of the multiprocessors"},
    {"gpu_metrics.sys_clock_hz", "1/s", Polarity::kNeutral, "Clock of the GPU's front end; " ASSAY_DIMS,
     "clock of the front end"},
};
#undef ASSAY_DIMS

inline constexpr AttributeSpec kAttributes[] = {
    {"gpu_metrics.clock", "What load does to the clock, in a sentence."},
    {"gpu_metrics.rules", "Version of the rules that gave the classes."},
};

/// A column of the table of samples and its metric.
struct Measure {
  const char *column, *metric, *title;
  double scale = 0.01;  ///< factor from column to metric unit: percents become shares
  const char* unit = "ratio";
};

inline constexpr std::array kMeasures = {Measure{"sms_active", "gpu_metrics.sms_active_ratio", "SMs active"},
                                         Measure{"sm_issue", "gpu_metrics.sm_issue_ratio", "SM issue"},
                                         Measure{"tensor_active", "gpu_metrics.tensor_active_ratio", "Tensor active"},
                                         Measure{"compute_warps", "gpu_metrics.compute_warps_ratio", "Warps"},
                                         Measure{"dram_read", "gpu_metrics.dram_read_ratio", "DRAM read"},
                                         Measure{"dram_write", "gpu_metrics.dram_write_ratio", "DRAM write"},
                                         Measure{"nvlink_rx", "gpu_metrics.nvlink_rx_ratio", "NVLink RX"},
                                         Measure{"nvlink_tx", "gpu_metrics.nvlink_tx_ratio", "NVLink TX"},
                                         Measure{"pcie_rx", "gpu_metrics.pcie_rx_ratio", "PCIe RX"},
                                         Measure{"pcie_tx", "gpu_metrics.pcie_tx_ratio", "PCIe TX"},
                                         Measure{"gpc_clock", "gpu_metrics.gpc_clock_hz", "Clock", 1, "1/s"},
                                         Measure{"sys_clock", "gpu_metrics.sys_clock_hz", "Front end clock", 1, "1/s"}};
inline constexpr std::size_t kSmsActive = 0, kTensorActive = 2, kClock = 10;

}  // namespace assay::gpu_metrics
