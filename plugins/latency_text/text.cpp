#include "text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "assay/algo/dims.hpp"
#include "assay/words.hpp"
#include "metrics.hpp"
#include "script.hpp"

namespace assay::latency {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kNsPerUs = 1e3;
constexpr double kMiB = 1048576;
constexpr double kSuspiciousPreparationUs = 50000;

/// `digits` decimal places, independent of the locale.
std::string fixed(double value, int digits) {
  std::array<char, 400> buffer{};
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed, digits);
  return {buffer.begin(), end.ptr};
}

/// A whole number.
std::string count(double value) { return fixed(value, 0); }

std::string us(double ns) { return fixed(ns / kNsPerUs, 2) + " μs"; }

/// Milliseconds; below one also microseconds, since two decimals would hide the value.
std::string ms(double ns) {
  const std::string text = fixed(ns / kNsPerMs, 2) + " ms";
  return std::abs(ns) < kNsPerMs ? filled("{} ({})", {text, us(ns)}) : text;
}

std::string ms_range(double low, double high) {
  const std::string text = filled("{} - {} ms", {fixed(low / kNsPerMs, 2), fixed(high / kNsPerMs, 2)});
  return low < kNsPerMs ? filled("{} ({} - {})", {text, fixed(low / kNsPerUs, 2), us(high)}) : text;
}

std::string with_percent(double ratio) { return filled("{} ({}%)", {fixed(ratio, 3), fixed(ratio * 100, 1)}); }

/// A fact of the section CORRECTED, and its difference to the number above it.
struct CorrectedRow {
  std::string_view metric, dims, what, differs;
};

constexpr CorrectedRow kCorrected[] = {
    {"window.duration_ns", "", "Window",
     "Until the last GPU work launched in it ends; above it ends with the host's range."},
    {"gpu.kernel_busy_ratio", "", "Kernel busy",
     "Union of kernel and graph-launch time over the window; compute utilization above adds up overlapping kernels, "
     "leaves graph launches out and divides by first start to last end."},
    {"gpu.busy_ratio", "", "GPU busy",
     "Union of all GPU work over the window; temporal compression above counts overlapping work twice."},
    {"gpu.idle_ns", "", "GPU idle", ""},
    {"gpu.overlap_ratio", "", "Copy time overlapped by kernels", "Share of the time with a copy in flight."},
    {"gap.count", "over=1us", "Gaps over 1 μs",
     "From the latest end so far on the stream; above from the end of the previous row, which may have ended earlier."},
    {"gap.time_sum_ns", "", "Gap time", ""},
    {"launch.queue_time_mean_ns", "", "Mean queue time",
     "Launches whose kernel started after the call returned; preparation time above averages negative values in."},
    {"copy.bandwidth_bytes_per_s", "direction=d2h", "D2H bandwidth", "Decimal; \"MB\" above is 1048576 bytes."},
    {"copy.bandwidth_bytes_per_s", "direction=h2d", "H2D bandwidth", "Decimal; \"MB\" above is 1048576 bytes."},
    {"graph.opaque_ratio", "", "GPU busy time inside graph launches whose kernels were not traced",
     "The sections above do not contain it."},
};

std::string stem_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot));
}

/// Writes the text of one report section by section; skips a section whose numbers are missing.
class Text {
 public:
  Text(const StudyView& view, std::size_t report) : view_(view), report_(report) {}

  std::string write(const HeaderLabels& labels) {
    line("CUPTI Performance Analysis - Configuration: " + stem_of(view_.path(report_)));
    line(std::string(80, '='));
    configuration(labels);
    scope();
    transfers();
    compute();
    pipeline();
    temporal();
    corrected();
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }
  void heading(const std::string& title, std::size_t rule) {
    line(title);
    line(std::string(rule, '-'));
  }
  [[nodiscard]] std::optional<double> fact(std::string_view metric, std::string_view dims = {}) const {
    return view_.value(static_cast<Row>(report_), metric, dims);
  }
  [[nodiscard]] double at(std::string_view metric, std::string_view dims = {}) const {
    return fact(metric, dims).value_or(0);
  }

  void configuration(const HeaderLabels& labels) {
    const auto shown = [&](const std::string& name) {
      const std::string_view text = view_.label_text(report_, name);
      return text.empty() ? std::string("unknown") : std::string(text);
    };
    heading("CONFIGURATION", 20);
    line("GPU ID: " + shown(labels.gpu));
    line("NUMA Node: " + shown(labels.numa));
    const std::string depth = shown(labels.depth);
    const bool transfer_only = depth == "0", parsed = depth != "unknown";
    line(std::string("Test Type: ") + (!parsed ? "unknown" : transfer_only ? "Memory Transfer Only" : "ViT Pipeline"));
    if (parsed && !transfer_only) {
      line("ViT Patch Size: " + shown(labels.patch));
      line("ViT Depth: " + depth);
      line("ViT Dimension: " + shown(labels.dim));
    }
    line("");
  }

  void scope() {
    const double start = at("seed.window_start_ns"), duration = at("seed.window_duration_ns");
    heading("ANALYSIS SCOPE", 20);
    if (const auto window = view_.attribute(report_, kWindowName)) {
      line("Scope: " + std::string(*window) + " period only");
      line(filled("Time range: {} - {} ns", {count(start), count(start + duration)}));
      line("Duration: " + ms(duration));
    } else {
      line("Scope: Entire trace");
    }
    line("");
  }

  static std::string direction_title(std::string_view direction) {
    if (direction == "d2h") return "Device-to-Host (D2H) Transfers:";
    if (direction == "h2d") return "Host-to-Device (H2D) Transfers:";
    return "Other " + std::string(direction.substr(direction.find('_') + 1)) + " Transfers:";
  }

  void transfers() {
    bool first = true;
    view_.each_fact(static_cast<Row>(report_), "seed.copy_count", [&](std::size_t row) {
      const FactTable& facts = *view_.study().facts;
      const std::string_view dims = facts.dims[row];
      const double copies = facts.value[row];
      const double bytes = at("seed.copy_bytes", dims), time = at("seed.copy_time_sum_ns", dims);
      if (first) heading("MEMORY TRANSFER PERFORMANCE", 30);
      first = false;
      line(direction_title(dim_value(dims, "direction").value_or("")));
      line("  Count: " + count(copies));
      line("  Total bytes: " + fixed(bytes / kMiB, 2) + " MB");
      line("  Total time: " + ms(time));
      line("  Average bandwidth: " + fixed(mib_per_s(bytes, time), 2) + " MB/s");
      line("  Average duration: " + us(time / copies));
      line(filled("  Duration range: {} - {}",
                  {fixed(at("seed.copy_time_min_ns", dims) / kNsPerUs, 2), us(at("seed.copy_time_max_ns", dims))}));
      line("");
    });
  }

  void compute() {
    const double kernels = at("seed.kernel_count"), time = at("seed.kernel_time_sum_ns");
    if (kernels == 0) return;
    heading("COMPUTE PERFORMANCE", 20);
    line("Total kernels: " + count(kernels));
    line("Total compute time: " + ms(time));
    line("Average kernel duration: " + ms(time / kernels));
    line("Kernel duration range: " + ms_range(at("seed.kernel_time_min_ns"), at("seed.kernel_time_max_ns")));
    if (const auto utilization = fact("seed.compute_utilization")) {
      line("Compute timeline: " + ms(at("seed.kernel_timeline_ns")));
      line("Compute utilization: " + with_percent(*utilization));
    }
    line("");
  }

  void pipeline() {
    const auto gaps = fact("seed.total_gaps");
    if (!gaps) return;
    const double kernels = *gaps + 1, time = at("seed.pipeline_time_sum_ns");
    const double preparation = at("seed.preparation_time_us");
    const double average_gap = at("seed.average_gap_ns"), max_gap = at("seed.max_gap_ns");
    heading("PIPELINE ANALYSIS (Per-Stream)", 20);
    line("Pipeline kernels: " + count(kernels));
    line("Average preparation time: " + fixed(preparation, 2) + " μs");
    line("Average execution time: " + ms(time / kernels));
    line("Total compute time: " + ms(time));
    line("Total timeline: " + ms(at("seed.pipeline_timeline_ns")));
    if (const auto efficiency = fact("seed.pipeline_efficiency")) {
      line("Pipeline efficiency: " + with_percent(*efficiency));
    }
    line("");
    line("Gap Statistics:");
    line("  Total gaps: " + count(*gaps));
    line("  Significant gaps (>1μs): " + count(at("seed.significant_gaps")));
    line("  Large gaps (>10μs): " + count(at("seed.large_gaps")));
    line("  Very large gaps (>100μs): " + count(at("seed.very_large_gaps")));
    line("  Total significant gap time: " + ms(at("seed.significant_gap_time_ns")));
    if (average_gap != 0) line("  Average gap: " + us(average_gap));
    if (max_gap != 0) line("  Maximum gap: " + us(max_gap));
    if (preparation > kSuspiciousPreparationUs) {
      line("");
      line("Warning: High preparation time (" + fixed(preparation, 2) + " μs) may indicate timing issues.");
    }
    line("");
  }

  void temporal() {
    const auto compression = fact("seed.temporal_compression_ratio");
    if (!compression) return;
    const double timeline = at("seed.timeline_ns"), sequential = at("seed.operation_time_sum_ns");
    heading("TEMPORAL COMPRESSION ANALYSIS", 30);
    line("Timeline duration: " + ms(timeline));
    line("Total operation time (sequential): " + ms(sequential));
    line("Time saved through overlapping: " + ms(sequential - timeline));
    line("Temporal compression ratio: " + with_percent(*compression));
    line("Total operations: " + count(at("seed.total_operations")));
    line("Active streams: " + count(at("seed.active_streams")));
    line("Average stream utilization: " + with_percent(at("seed.average_stream_utilization")));
    line("");
  }

  void corrected() {
    bool first = true;
    for (const CorrectedRow& row : kCorrected) {
      const auto found = fact(row.metric, row.dims);
      if (!found) continue;
      if (first) heading("CORRECTED", 20);
      first = false;
      line(std::string(row.what) + ": " + corrected_value(row, *found));
      if (!row.differs.empty()) line("  " + std::string(row.differs));
    }
    if (!first) line("");
  }

  static std::string corrected_value(const CorrectedRow& row, double value) {
    if (row.metric.ends_with("busy_ratio"))
      return filled("{} ({}% of the window)", {fixed(value, 3), fixed(value * 100, 1)});
    if (row.metric.ends_with("bytes_per_s")) return fixed(value / 1e9, 2) + " GB/s";
    if (row.metric.ends_with("_ns")) return ms(value);
    if (row.metric.ends_with("ratio")) return fixed(value, 3);
    return count(value);
  }

  const StudyView& view_;
  std::size_t report_;
  std::string text_;
};

}  // namespace

std::string text_of(const StudyView& view, std::size_t report, const HeaderLabels& labels) {
  if (view.value(static_cast<Row>(report), "seed.kernel_count")) return Text(view, report).write(labels);
  return filled("Analysis Error - Configuration: {}\n{}\nError: Missing required CUPTI tables\n",
                {stem_of(view.path(report)), std::string(50, '=')});
}

}  // namespace assay::latency
