#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "render/format.hpp"
#include "render/outputs.hpp"

namespace assay {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kNsPerUs = 1e3;
constexpr double kMiB = 1048576;
constexpr double kSuspiciousPreparationUs = 50000;

using Values = std::map<std::string, double, std::less<>>;

/// The numbers that run_summary hands over for this text; nothing when the report gave none.
std::optional<Values> values_of(const ReportResult& result) {
  for (const OwnedTable& table : result.tables) {
    if (table.id != "seed_text" || table.columns.size() != 2) continue;
    Values values;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      values.emplace(table.columns[0].texts[row], table.columns[1].numbers[row]);
    }
    return values;
  }
  return std::nullopt;
}

std::string us(double ns) { return fixed(ns / kNsPerUs, 2) + " μs"; }

/// Milliseconds; below one also in microseconds, where two places would hide the value.
std::string ms(double ns) {
  const std::string text = fixed(ns / kNsPerMs, 2) + " ms";
  return std::abs(ns) < kNsPerMs ? text + " (" + us(ns) + ")" : text;
}

std::string ms_range(double low, double high) {
  const std::string text = fixed(low / kNsPerMs, 2) + " - " + fixed(high / kNsPerMs, 2) + " ms";
  return low < kNsPerMs ? text + " (" + fixed(low / kNsPerUs, 2) + " - " + us(high) + ")" : text;
}

std::string with_percent(double ratio) { return fixed(ratio, 3) + " (" + fixed(ratio * 100, 1) + "%)"; }

/// A fact of the section CORRECTED, and what it does differently from the number above it.
struct CorrectedRow {
  std::string_view metric, dims, what, differs;
};

constexpr CorrectedRow kCorrected[] = {
    {"window.duration_ns", "", "Window",
     "Until the last GPU work launched in it ends; above it ends with the host's range."},
    {"gpu.kernel_busy_ratio", "", "Kernel busy",
     "Union of kernel and graph-launch time over the window; compute utilization above adds up overlapping kernels, "
     "leaves "
     "graph launches out and divides by first start to last end."},
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

/// Writes one report's text section by section; a section whose numbers are missing is left out.
class SeedText {
 public:
  SeedText(const Values& values, const ReportResult& result, const WindowSpec& window)
      : values_(values), result_(result), window_(window) {}

  std::string write(const std::string& stem, const std::map<std::string, std::string>& labels) {
    line("CUPTI Performance Analysis - Configuration: " + stem);
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
  [[nodiscard]] bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
  [[nodiscard]] double at(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? 0 : found->second;
  }
  [[nodiscard]] std::string count(std::string_view key) const { return exact(at(key)); }

  void configuration(const std::map<std::string, std::string>& labels) {
    const auto label = [&](const char* name) {
      const auto found = labels.find(name);
      return found == labels.end() ? std::string("unknown") : found->second;
    };
    heading("CONFIGURATION", 20);
    line("GPU ID: " + label("gpu"));
    line("NUMA Node: " + label("numa"));
    const std::string depth = label("depth");
    const bool transfer_only = depth == "0", parsed = depth != "unknown";
    line(std::string("Test Type: ") + (!parsed ? "unknown" : transfer_only ? "Memory Transfer Only" : "ViT Pipeline"));
    if (parsed && !transfer_only) {
      line("ViT Patch Size: " + label("patch"));
      line("ViT Depth: " + depth);
      line("ViT Dimension: " + label("dim"));
    }
    line("");
  }

  void scope() {
    if (!has("scope_named")) return;
    heading("ANALYSIS SCOPE", 20);
    if (at("scope_named") == 0) {
      line("Scope: Entire trace");
    } else {
      line("Scope: " + window_.nvtx + " period only");
      line("Time range: " + count("window_start_ns") + " - " + count("window_end_ns") + " ns");
      line("Duration: " + ms(at("window_end_ns") - at("window_start_ns")));
    }
    line("");
  }

  static std::string direction_title(std::string_view direction) {
    if (direction == "d2h") return "Device-to-Host (D2H) Transfers:";
    if (direction == "h2d") return "Host-to-Device (H2D) Transfers:";
    return "Other " + std::string(direction.substr(direction.find('_') + 1)) + " Transfers:";
  }

  void transfers() {
    constexpr std::string_view prefix = "copy.", suffix = ".count";
    bool first = true;
    for (auto it = values_.lower_bound(prefix); it != values_.end() && it->first.starts_with(prefix); ++it) {
      if (!it->first.ends_with(suffix)) continue;
      const std::string direction = it->first.substr(prefix.size(), it->first.size() - prefix.size() - suffix.size());
      const std::string key = std::string(prefix) + direction + ".";
      if (first) heading("MEMORY TRANSFER PERFORMANCE", 30);
      first = false;
      line(direction_title(direction));
      line("  Count: " + count(key + "count"));
      line("  Total bytes: " + fixed(at(key + "bytes") / kMiB, 2) + " MB");
      line("  Total time: " + ms(at(key + "time_ns")));
      line("  Average bandwidth: " + fixed(at(key + "bandwidth_mib_per_s"), 2) + " MB/s");
      line("  Average duration: " + us(at(key + "mean_ns")));
      line("  Duration range: " + fixed(at(key + "min_ns") / kNsPerUs, 2) + " - " + us(at(key + "max_ns")));
      line("");
    }
  }

  void compute() {
    if (at("compute.kernels") == 0) return;
    heading("COMPUTE PERFORMANCE", 20);
    line("Total kernels: " + count("compute.kernels"));
    line("Total compute time: " + ms(at("compute.time_ns")));
    line("Average kernel duration: " + ms(at("compute.mean_ns")));
    line("Kernel duration range: " + ms_range(at("compute.min_ns"), at("compute.max_ns")));
    if (at("compute.timeline_ns") != 0) {
      line("Compute timeline: " + ms(at("compute.timeline_ns")));
      line("Compute utilization: " + with_percent(at("compute.utilization")));
    }
    line("");
  }

  void pipeline() {
    if (!has("pipeline.kernels")) return;
    const double preparation = at("pipeline.preparation_us");
    heading("PIPELINE ANALYSIS (Per-Stream)", 20);
    line("Pipeline kernels: " + count("pipeline.kernels"));
    line("Average preparation time: " + fixed(preparation, 2) + " μs");
    line("Average execution time: " + ms(at("pipeline.execution_ns")));
    line("Total compute time: " + ms(at("pipeline.time_ns")));
    line("Total timeline: " + ms(at("pipeline.timeline_ns")));
    if (has("pipeline.efficiency")) line("Pipeline efficiency: " + with_percent(at("pipeline.efficiency")));
    line("");
    line("Gap Statistics:");
    line("  Total gaps: " + count("pipeline.total_gaps"));
    line("  Significant gaps (>1μs): " + count("pipeline.significant_gaps"));
    line("  Large gaps (>10μs): " + count("pipeline.large_gaps"));
    line("  Very large gaps (>100μs): " + count("pipeline.very_large_gaps"));
    line("  Total significant gap time: " + ms(at("pipeline.significant_gap_time_ns")));
    if (at("pipeline.average_gap_ns") != 0) line("  Average gap: " + us(at("pipeline.average_gap_ns")));
    if (at("pipeline.max_gap_ns") != 0) line("  Maximum gap: " + us(at("pipeline.max_gap_ns")));
    if (preparation > kSuspiciousPreparationUs) {
      line("");
      line("Warning: High preparation time (" + fixed(preparation, 2) + " μs) may indicate timing issues.");
    }
    line("");
  }

  void temporal() {
    if (!has("temporal.operations")) return;
    heading("TEMPORAL COMPRESSION ANALYSIS", 30);
    line("Timeline duration: " + ms(at("temporal.timeline_ns")));
    line("Total operation time (sequential): " + ms(at("temporal.sequential_ns")));
    line("Time saved through overlapping: " + ms(at("temporal.saved_ns")));
    line("Temporal compression ratio: " + with_percent(at("temporal.compression_ratio")));
    line("Total operations: " + count("temporal.operations"));
    line("Active streams: " + count("temporal.streams"));
    line("Average stream utilization: " + with_percent(at("temporal.average_stream_utilization")));
    line("");
  }

  [[nodiscard]] const Fact* fact(std::string_view metric, std::string_view dims) const {
    for (const Fact& f : result_.facts) {
      if (f.metric == metric && f.dims == dims) return &f;
    }
    return nullptr;
  }

  void corrected() {
    bool first = true;
    for (const CorrectedRow& row : kCorrected) {
      const Fact* found = fact(row.metric, row.dims);
      if (found == nullptr) continue;
      if (first) heading("CORRECTED", 20);
      first = false;
      line(std::string(row.what) + ": " + corrected_value(row, found->value));
      if (!row.differs.empty()) line("  " + std::string(row.differs));
    }
    if (!first) line("");
  }

  static std::string corrected_value(const CorrectedRow& row, double value) {
    if (row.metric.ends_with("busy_ratio")) return fixed(value, 3) + " (" + fixed(value * 100, 1) + "% of the window)";
    if (row.metric.ends_with("bytes_per_s")) return fixed(value / 1e9, 2) + " GB/s";
    if (row.metric.ends_with("_ns")) return ms(value);
    if (row.metric.ends_with("ratio")) return fixed(value, 3);
    return exact(value);
  }

  const Values& values_;
  const ReportResult& result_;
  const WindowSpec& window_;
  std::string text_;
};

std::string error_text(const std::string& stem) {
  return "Analysis Error - Configuration: " + stem + "\n" + std::string(50, '=') +
         "\nError: Missing required CUPTI tables\n";
}

std::string without_extension(std::string_view name) {
  const std::size_t dot = name.rfind('.'), slash = name.rfind('/');
  const bool has_extension = dot != std::string_view::npos && (slash == std::string_view::npos || dot > slash + 1);
  return std::string(has_extension ? name.substr(0, dot) : name);
}

/// Adds the text under the first free of three ever longer names: two files may share a stem, two questions a report.
void add(std::map<std::string, std::string>& texts, const std::string& report, const std::string& question,
         std::string text) {
  const std::string names[] = {without_extension(report), report, report + "." + question};
  for (const std::string& name : names) {
    const auto [at, added] = texts.try_emplace("reports/" + name + "_performance_analysis.txt", text);
    if (added || at->second == text) return;
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> seed_texts(const RunResult& run) {
  std::map<std::string, std::string> texts;
  for (std::size_t q = 0; q < run.questions.size(); ++q) {
    const Question& question = *run.plan->questions[q].question;
    if (!question.seed_text) continue;
    for (std::size_t e = 0; e < run.analysis.questions[q].size(); ++e) {
      const CatalogEntry& entry = run.catalog->questions[q].entries[e];
      if (entry.role == ReportRole::kNoise) continue;
      const ReportResult& result = run.analysis.questions[q][e];
      const std::string& report = run.catalog->files[entry.file].name;
      const std::string path = without_extension(report);
      const std::string stem = path.substr(path.rfind('/') + 1);
      std::map<std::string, std::string> labels;
      for (const LabelOfReport& label : entry.labels)
        labels.emplace(question.labels.labels[label.label].name, label.text);
      const std::optional<Values> values = values_of(result);
      add(texts, report, question.id,
          values ? SeedText(*values, result, question.window).write(stem, labels) : error_text(stem));
    }
  }
  return {texts.begin(), texts.end()};
}

}  // namespace assay
