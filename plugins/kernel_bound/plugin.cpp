// What bounds the kernels: compute, memory or latency, from counters of Nsight Compute, weighted by GPU time.
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "assay/algo/dims.hpp"
#include "assay/algo/peaks.hpp"
#include "assay/algo/roofline_plot.hpp"
#include "assay/plot.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "bounds.hpp"
#include "words.hpp"

namespace assay::bound {
namespace {

constexpr std::size_t kMaxReports = 12;
constexpr double kNs = 1e9;

void add_points(const StudyView& view, const RunBounds& run, std::vector<roofline::RooflinePoint>& out) {
  const FactTable& facts = *view.study().facts;
  const auto bandwidth = view.value(run.report, "ncu.roof_bytes_per_s");
  view.each_fact(static_cast<Row>(run.report), "ncu.flops", [&](std::size_t fact) {
    const std::string_view dims = facts.dims[fact];
    const double flops = facts.value[fact];
    const auto bytes = view.value(run.report, "ncu.dram_bytes", dims);
    const auto time = view.value(run.report, "ncu.duration_ns", dims);
    const auto share = view.value(run.report, "ncu.roof_ratio", dims);
    if (!bytes || !time || flops <= 0 || *bytes <= 0 || *time <= 0) return;
    // The minimum time is the longer of the two; memory bounds if it is memory's.
    const bool by_memory = share && bandwidth && kNs * *bytes / *bandwidth >= 0.999 * *share * *time;
    out.push_back({std::string(view.path(run.report)), dim_value(dims, "kernel").value_or(""), "",
                   !share      ? "roof not known"
                   : by_memory ? "memory"
                               : "compute",
                   flops / *bytes, kNs * flops / *time, *time,
                   share.value_or(std::numeric_limits<double>::quiet_NaN())});
  });
}

/// One point per kernel with measured FLOPs, DRAM bytes and duration; empty without any.
std::optional<Plot> kernel_roofline(const StudyView& view, const std::vector<RunBounds>& runs) {
  using roofline::Rate;
  const std::size_t shown = std::min(runs.size(), kMaxReports);
  std::vector<roofline::RooflinePoint> points;
  std::vector<roofline::RoofLine> roofs;
  std::vector<std::int64_t> evidence;
  for (std::size_t r = 0; r < shown; ++r) {
    const std::size_t report = runs[r].report;
    add_points(view, runs[r], points);
    evidence.insert(evidence.end(), runs[r].evidence.begin(), runs[r].evidence.end());
    const auto bandwidth = view.value(report, "ncu.roof_bytes_per_s");
    for (const std::string_view type : {roofline::rate_name(Rate::kFp16), roofline::rate_name(Rate::kFp32)}) {
      const auto peak = view.value(report, "ncu.roof_flops_per_s", "type=" + std::string(type));
      if (bandwidth && peak) roofs.push_back({std::string(view.path(report)), std::string(type), *peak, *bandwidth});
    }
  }
  std::optional<Plot> plot = roofline::roofline_plot("kernel", points, roofs);
  if (!plot) return plot;
  plot->id = "kernel_roofline";
  plot->title = "Roofline of kernels by their counters";
  plot->caption =
      "One point per kernel, as Nsight Compute counted it: FLOPs over DRAM bytes, and FLOPs over the duration; its "
      "area is the duration of a launch. The upper line is the dense peak of fp16 and bf16 at the clock at which it "
      "was counted, the lower one that of fp32 without matrix units, and what rises to them is the bandwidth of DRAM. "
      "A point far below both lines waits. Kernels that compute nothing are not drawn.";
  if (shown < runs.size()) plot->caption += " The first " + counted_of(shown, runs.size(), "profile") + ", by path.";
  plot->evidence = std::move(evidence);
  return plot;
}

}  // namespace

class KernelBound {
 public:
  static constexpr std::string_view kSummary =
      "What bounds each kernel and class (compute, memory, latency) by counters of Nsight Compute, weighted by GPU "
      "time.";
  static constexpr ColumnId kNeeds[] = {col::profiled, col::counters};
  static constexpr ColumnId kWants[] = {col::kernels, col::kernel_name, col::kernel_profiled};
  static constexpr OptionSpec kOptions[] = {
      {"rules", OptionType::kTextList, "",
       "Rules 'class: word | word & !word', the first that holds gives a kernel's class."},
      {"rules_version", OptionType::kText, "", "Version of the rules, shown with the results."},
      {"own_rules", OptionType::kTextList, "", "Rules of your own, tried before 'rules'."},
      {"tensor_core_rules", OptionType::kTextList, "",
       "Rules whose classes are 'yes' and 'no': whether a kernel uses tensor cores, a column of the table."},
      option::number(
          "threshold", "0.6",
          "Share of the peak below which neither compute nor memory bounds; 0.6 is latency_bound_threshold of Nsight "
          "Compute's own rule SOLBottleneck.")
          .within(0, 1),
      {"device", OptionType::kText, "",
       "Device whose data sheet gives what the counters do not say ('NVIDIA GeForce RTX 4090', whose matrix rates are "
       "half of its architecture's)."},
      option::integer("top", "20", "Kernels with most time that get facts of their own.").within(0, 1000),
  };
  static constexpr MetricSpec kProduces[] = {
      {"kernel.bound_time_ratio", "ratio", Polarity::kNeutral,
       "Share of the kernels' time by what bounds them; dims: bound=compute|memory|latency|unknown (unknown: no "
       "counters).",
       "share of kernel time by what bounds it"},
      {"kernel_class.bound_time_ratio", "ratio", Polarity::kNeutral,
       "Share of the time of a class of kernels by what bounds them; dims: class, bound.",
       "share of a class's time by what bounds it"},
      {"kernel.profiled_time_ratio", "ratio", Polarity::kHigherIsBetter,
       "Share of the kernels' GPU time of the window in kernels that Nsight Compute measured too.",
       "share of kernel time with counters"},
      {"ncu.profiled_count", "1", Polarity::kNeutral, "Launches that Nsight Compute measured.",
       "launches measured by Nsight Compute"},
      {"ncu.sm_throughput_ratio", "ratio", Polarity::kNeutral,
       "Throughput of the SMs over its peak, mean weighted by time; of all measured kernels, or dims: class or kernel.",
       "compute throughput over its peak"},
      {"ncu.memory_throughput_ratio", "ratio", Polarity::kNeutral,
       "Throughput of the memory system over its peak, mean weighted by time; dims as of ncu.sm_throughput_ratio.",
       "memory throughput over its peak"},
      {"ncu.dram_throughput_ratio", "ratio", Polarity::kNeutral,
       "Throughput of DRAM over its peak (achieved bytes/s against those possible), mean weighted by time; dims as of "
       "ncu.sm_throughput_ratio.",
       "DRAM throughput over its peak"},
      {"ncu.occupancy_ratio", "ratio", Polarity::kNeutral,
       "Achieved occupancy, mean weighted by time; dims as of ncu.sm_throughput_ratio.",
       "achieved occupancy by counters"},
      {"ncu.warp_execution_ratio", "ratio", Polarity::kHigherIsBetter,
       "Warp execution efficiency: active threads of an executed instruction over the 32 of a warp, mean weighted by "
       "time; dims as of ncu.sm_throughput_ratio.",
       "warp execution efficiency"},
      {"ncu.sectors_per_request", "1", Polarity::kLowerIsBetter,
       "Coalescing: sectors of 32 bytes that a warp's request to global memory touches, mean weighted by time; 4 where "
       "neighbouring threads access neighbouring values of 4 bytes, 32 where each thread has a sector of its own; "
       "dims: operation=load|store, with class or kernel as of ncu.sm_throughput_ratio.",
       "sectors per request to global memory"},
      {"ncu.dram_bytes_per_s", "bytes/s", Polarity::kNeutral,
       "Bytes/s that DRAM achieved, mean weighted by time; where the rate was not measured, bytes read and written "
       "over the duration; dims as of ncu.sm_throughput_ratio.",
       "DRAM bandwidth achieved"},
      {"ncu.dram_peak_bytes_per_s", "bytes/s", Polarity::kNeutral,
       "Peak that the achieved bytes/s are a share of, as far as both were measured; dims as of "
       "ncu.sm_throughput_ratio.",
       "peak of DRAM bandwidth"},
      {"ncu.flops", "1", Polarity::kNeutral,
       "FLOPs of a launch as counted, matrix units and ordinary cores together, mean over its launches; dims: kernel.",
       "FLOPs of a launch by counters"},
      {"ncu.dram_bytes", "bytes", Polarity::kNeutral,
       "Bytes that a launch read from DRAM and wrote to it, mean over its launches; dims: kernel.",
       "DRAM bytes of a launch by counters"},
      {"ncu.l2_bytes", "bytes", Polarity::kNeutral,
       "Bytes of the sectors that a launch looked up in the L2, mean over its launches; dims: kernel.",
       "L2 bytes of a launch by counters"},
      {"ncu.roof_ratio", "ratio", Polarity::kHigherIsBetter,
       "Least time by counted FLOPs over the dense peaks and counted DRAM bytes over the bandwidth (the longer one), "
       "over the measured duration; of all launches of which it is known, or dims: kernel.",
       "share of the roof by counters"},
      {"ncu.roof_flops_per_s", "FLOP/s", Polarity::kNeutral,
       "Dense peak of the device at the clock at which the launches were counted; dims: type.",
       "dense peak at the counted clock"},
      {"ncu.roof_bytes_per_s", "bytes/s", Polarity::kNeutral, "Bandwidth of DRAM by the counters of the device.",
       "bandwidth of DRAM by counters"},
      {"ncu.duration_ns", "ns", Polarity::kLowerIsBetter,
       "Mean duration of a launch under Nsight Compute, over its launches of any shape; dims: kernel.",
       "duration of a launch under Nsight Compute"},
  };
  static constexpr AttributeSpec kAttributes[] = {
      {"kernel_bound.rules", "Version of the rules that gave the classes of the profiled kernels."},
      {"kernel_bound.roof", "Where the multiprocessors, clock and bandwidth of the roofs come from."},
  };
  static constexpr Str kConsumes[] = {"kernel.bound_time_ratio",
                                      "kernel_class.bound_time_ratio",
                                      "kernel.profiled_time_ratio",
                                      "ncu.profiled_count",
                                      "ncu.flops",
                                      "ncu.dram_bytes",
                                      "ncu.duration_ns",
                                      "ncu.roof_ratio",
                                      "ncu.roof_flops_per_s",
                                      "ncu.roof_bytes_per_s"};

  explicit KernelBound(const Options& options)
      : rules_(kernel_rules_of(options)),
        tensor_cores_(options.texts("tensor_core_rules")),
        rules_version_(options.text("rules_version")),
        threshold_(options.number("threshold")),
        device_(options.text("device")),
        top_(static_cast<std::size_t>(options.integer("top"))) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const Bounds bounds = measure_bounds(report, rules_, tensor_cores_, threshold_, device_);
    if (!rules_version_.empty()) sink.attribute("kernel_bound.rules", rules_version_);
    sink.fact("ncu.profiled_count", static_cast<double>(bounds.profiled));
    emit_missing(bounds, sink);
    sink.table(kernel_table(bounds));
    if (bounds.all.total() <= 0) {
      return sink.skip("kernel.bound_time_ratio, kernel_class.bound_time_ratio",
                       bounds.joined ? "no kernel ran in the window"
                                     : "no duration was measured (gpu__time_duration.sum), so kernels have no weight");
    }
    emit_shares(bounds, sink);
    emit_speeds(bounds, sink);
    emit_roofs(bounds, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<RunBounds> runs = runs_of(view);
    if (runs.empty()) return sink.skip(kNone, "no profile has counters of Nsight Compute");
    for (const Finding& finding : findings(view, runs, threshold_)) sink.finding(finding);
    if (const auto plot = kernel_roofline(view, runs)) sink.plot(*plot);
    sink.table(class_table(view, runs));
  }

 private:
  static void emit_missing(const Bounds& bounds, ReportSink& sink) {
    if (bounds.unmatched > 0) {
      sink.emit_issue("profiled_elsewhere", Severity::kInfo, bounds.unmatched,
                      "Launches measured by Nsight Compute that match no kernel of the window do not count: " +
                          std::to_string(bounds.unmatched) + ".");
    }
    if (bounds.untimed > 0) {
      sink.emit_issue("untimed_counters", Severity::kWarning, bounds.untimed,
                      "Launches with counters but without a duration (gpu__time_duration.sum) do not count: " +
                          std::to_string(bounds.untimed) + ".");
    }
  }

  static void emit_shares(const Bounds& bounds, ReportSink& sink) {
    for (std::size_t b = 0; b < kBounds; ++b) {
      const auto bound = static_cast<Bound>(b);
      sink.fact("kernel.bound_time_ratio", bounds.all.share(bound), {{"bound", bound_name(bound)}});
      for (const auto& [name, times] : bounds.classes) {
        if (times.total() <= 0) continue;
        sink.fact("kernel_class.bound_time_ratio", times.share(bound), {{"bound", bound_name(bound)}, {"class", name}});
      }
    }
    if (!bounds.joined) return sink.skip("kernel.profiled_time_ratio", "the counters belong to no profile of a run");
    sink.fact("kernel.profiled_time_ratio", 1 - bounds.without_counters / bounds.all.total());
  }

  void emit_speeds(const Bounds& bounds, ReportSink& sink) const {
    WeightedSpeed all;
    std::map<std::string, WeightedSpeed> classes, kernels;
    std::map<std::string, LaunchSums> launches;
    LaunchSums every;
    for (const BoundRow& row : bounds.rows) {
      all.add(row);
      classes[row.kernel_class].add(row);
      every.add_roof(row);
      if (!kernels.contains(row.kernel) && kernels.size() >= top_) continue;
      kernels[row.kernel].add(row);
      launches[row.kernel].add(row);
    }
    emit_speed(all, {}, sink);
    for (const auto& [name, speed] : classes) emit_speed(speed, {{"class", name}}, sink);
    for (const auto& [name, speed] : kernels) emit_speed(speed, {{"kernel", name}}, sink);
    if (const auto share = every.roof_share()) sink.fact("ncu.roof_ratio", *share);
    for (const auto& [name, sums] : launches) {
      const Dims dims{{"kernel", name}};
      const std::pair<const char*, std::optional<double>> facts[] = {{"ncu.duration_ns", sums.duration.mean()},
                                                                     {"ncu.flops", sums.flops.mean()},
                                                                     {"ncu.dram_bytes", sums.dram_bytes.mean()},
                                                                     {"ncu.l2_bytes", sums.l2_bytes.mean()},
                                                                     {"ncu.roof_ratio", sums.roof_share()}};
      for (const auto& [metric, value] : facts)
        if (value) sink.fact(metric, *value, dims);
    }
  }

  static void emit_roofs(const Bounds& bounds, ReportSink& sink) {
    using roofline::Rate;
    for (std::size_t r = 0; r < roofline::kRates; ++r) {
      const double peak = bounds.peaks.flops_per_s[r];
      if (peak > 0) sink.fact("ncu.roof_flops_per_s", peak, {{"type", roofline::rate_name(static_cast<Rate>(r))}});
    }
    if (bounds.peaks.bytes_per_s > 0) sink.fact("ncu.roof_bytes_per_s", bounds.peaks.bytes_per_s);
    sink.attribute("kernel_bound.roof", bounds.peaks.sources);
  }

  static void emit_speed(const WeightedSpeed& speed, const std::vector<Dim>& dims, ReportSink& sink) {
    for (std::size_t m = 0; m < std::size(kSpeedMeans); ++m) {
      const auto mean = speed.mean(m);
      if (!mean) continue;
      std::vector<Dim> all = dims;
      if (!kSpeedMeans[m].operation.empty()) all.emplace_back("operation", kSpeedMeans[m].operation);
      sink.fact(kSpeedMeans[m].metric, *mean, all);
    }
  }

  NameRules rules_, tensor_cores_;
  std::string rules_version_;
  double threshold_;
  std::string device_;
  std::size_t top_;
};

ASSAY_PLUGIN("kernel_bound", "1.0.0", KernelBound);

}  // namespace assay::bound
