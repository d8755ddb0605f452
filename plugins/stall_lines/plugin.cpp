// Which source lines of kernels stall, and what changed between two versions.
#include <set>

#include "assay/sdk.hpp"
#include "lines.hpp"

namespace assay::stall_lines {

class StallLines {
 public:
  static constexpr std::string_view kSummary =
      "Shows the source lines at which kernels stall, why, and what changed between two reports, by source counters of "
      "Nsight Compute.";
  static constexpr ColumnId kWants[] = {col::declared, col::profiled, col::counters};
  static constexpr MetricSpec kProduces[] = {
      {"stall_line.stalled_ratio", "ratio", Polarity::kLowerIsBetter,
       "Samples of a kernel's warps that stall at a source line (or instruction), over all samples of the kernel; of "
       "the "
       "three lines with most; dims: kernel, line.",
       "share of a kernel's samples stalled at a line"}};
  static constexpr Str kConsumes[] = {"?ncu.roof_ratio"};

  explicit StallLines(const Options& /*options*/) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const std::vector<StallLine> lines = lines_of(report);
    if (lines.empty())
      return sink.skip("stall_line.*", "no counters of instructions are here; ncu --set full records them",
                       SkipCause::kNoFramework);
    for (const StallKernel kernel : kernels_of(lines)) {
      std::set<std::string> places;  // two files may have one name
      for (const StallLine& line : kernel.first(std::min<std::size_t>(kernel.size(), 3)))
        if (line.kernel_samples > 0 && places.insert(line.place).second)
          sink.fact("stall_line.stalled_ratio", line.share(), {{"kernel", line.kernel}, {"line", line.place}});
    }
    emit_rows(lines, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<std::size_t> reports;
    std::optional<std::size_t> before, after;
    for (std::size_t report = 0; report < view.report_count(); ++report) {
      if (!view.rows(report, "stall_lines", "lines").present()) continue;
      reports.push_back(report);
      const std::string_view side = view.label_text(report, "side");
      if (side == "before" && !before) before = report;
      if (side == "after" && !after) after = report;
    }
    if (reports.empty()) return sink.skip(kNone, "no profile has counters of instructions");
    if (before && after) return emit_changes(view, *before, *after, sink);
    emit_lines(view, reports, sink);
  }
};

ASSAY_PLUGIN("stall_lines", "1.0.0", StallLines);

}  // namespace assay::stall_lines
