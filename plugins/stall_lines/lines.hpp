// Source lines of kernels with the stalls sampled there, by counters of instructions (table `source` of the format
// ncu).
#pragma once

#include <string>
#include <vector>

#include "assay/output.hpp"
#include "assay/report.hpp"
#include "assay/study.hpp"

namespace assay::stall_lines {

/// A source line; an instruction if the cubin has no lines. Sums over the launches of its kernel.
struct StallLine {
  std::int64_t kernel = 0;  ///< in the kernels of the report
  std::string place;        ///< "lines.py:12", "LDG at +0x390"
  std::string text;         ///< of the line; empty: the report does not have the file
  std::string reasons;      ///< "34 % MIO throttle, 13 % LG throttle", of the samples of the kernel
  std::string waits_for;    ///< "LDG at lines.py:11": what most of its scoreboard stalls wait for; empty: none
  std::int64_t has_line = 0, samples = 0, stalled = 0;
  std::int64_t sectors = 0, needed = 0;  ///< of global memory

  [[nodiscard]] double sector_ratio() const { return static_cast<double>(sectors) / static_cast<double>(needed); }
};

struct StallKernel {
  std::string name, short_name;
  std::int64_t samples = 0, sectors = 0, needed = 0;
  double duration = 0;                ///< ns, mean of the launches; NaN: not measured
  double interval = 0;                ///< cycles between samples; NaN: not known
  std::vector<StallLine> lines = {};  ///< most stalled first, at most kMaxLines
};
inline constexpr std::size_t kMaxLines = 500;
inline constexpr double kWorthSaying = 0.01;  ///< share of the samples of a kernel

/// 0 if the kernel has no samples.
inline double share_of(std::int64_t samples, const StallKernel& kernel) {
  return kernel.samples > 0 ? static_cast<double>(samples) / static_cast<double>(kernel.samples) : 0;
}

/// In the order of their first launches; empty if the report has no counters of instructions.
std::vector<StallKernel> kernels_of(const Report& report);

/// Passes kernels from `analyze` to `conclude`.
void emit_rows(const std::vector<StallKernel>& kernels, ReportSink& sink);
std::vector<StallKernel> kernels_from_rows(const StudyView& view, std::size_t report);

}  // namespace assay::stall_lines
