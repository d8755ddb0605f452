// Source lines of kernels and the stalls sampled there, by counters of instructions (table `source` of the format ncu).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "assay/output.hpp"
#include "assay/report.hpp"
#include "assay/study.hpp"

namespace assay::stall_lines {

/// A source line, or an instruction if the code has no lines: sums over the launches of its kernel.
struct StallLine {
  std::string kernel, short_name, bound;  ///< bound: by compute, memory or latency; empty: not known
  std::int64_t kernel_samples = 0, kernel_sectors = 0;
  double duration = 0, interval = 0;  ///< of the kernel: ns, cycles between samples; 0 or NaN: not known
  std::string place;                  ///< "lines.py:12", "LDG at +0x390"
  std::string text;                   ///< of the line; empty: the report does not have the file
  std::string reasons;                ///< "34 % mio throttle, 13 % lg throttle", of the samples of the kernel
  std::string waits_for;              ///< "LDG at lines.py:11": what most scoreboard stalls wait for
  std::int64_t has_line = 0, stalled = 0;
  std::int64_t sectors = 0, needed = 0;  ///< of global memory

  [[nodiscard]] double share() const { return kernel_samples > 0 ? double(stalled) / double(kernel_samples) : 0; }
  [[nodiscard]] double sector_ratio() const { return double(sectors) / double(needed); }
};
/// Lines of one kernel, most stalled first.
using StallKernel = std::span<const StallLine>;
inline constexpr double kWorthSaying = 0.01;  ///< share of the samples of a kernel

/// Kernels one after the other, in the order of their first launches; empty if the report has no counters of
/// instructions.
std::vector<StallLine> lines_of(const Report& report);
/// Kernels of such lines.
std::vector<StallKernel> kernels_of(const std::vector<StallLine>& lines);

/// Passes lines from `analyze` to `conclude` and to the results.
void emit_rows(const std::vector<StallLine>& lines, ReportSink& sink);
std::vector<StallLine> lines_from_rows(const StudyView& view, std::size_t report);

/// Lines of each report's kernels, on its page.
void emit_lines(const StudyView& view, const std::vector<std::size_t>& reports, StudySink& sink);
/// What changed between two reports, as answer and page.
void emit_changes(const StudyView& view, std::size_t before, std::size_t after, StudySink& sink);

}  // namespace assay::stall_lines
