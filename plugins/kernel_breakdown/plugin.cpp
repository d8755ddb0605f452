// Distribution of kernel time: by kernel, by class, by NVTX range, and by use of tensor cores.
#include <algorithm>
#include <map>

#include "algo/nearest.hpp"
#include "assay/abi.hpp"
#include "assay/plot.hpp"
#include "assay/sdk.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"
#include "by_range.hpp"
#include "emit.hpp"
#include "words.hpp"

namespace assay::breakdown {
namespace {

constexpr std::size_t kMaxBars = 60;
constexpr std::size_t kMaxClasses = 7;
constexpr std::string_view kRest = "other classes";

/// The classes besides matrix products, largest on average first; those beyond kMaxClasses are drawn together.
std::vector<std::string> drawn_classes(const std::vector<RunKernels>& runs) {
  std::map<std::string, double> sums;
  for (const RunKernels& run : runs) {
    for (const auto& [name, share] : run.others) sums[name] += share;
  }
  std::vector<std::string> names;
  for (const auto& [name, sum] : sums) names.push_back(name);
  std::ranges::stable_sort(names, [&](const std::string& a, const std::string& b) { return sums[a] > sums[b]; });
  if (names.size() > kMaxClasses - 1) names.resize(kMaxClasses - 2);
  return names;
}

/// Shares of kernel time by class, one stacked bar per report. `runs` must not be empty.
Plot class_plot(const StudyView& view, const std::vector<RunKernels>& runs, const std::string& matmul) {
  const std::vector<std::string> classes = drawn_classes(runs);
  TableRows<std::string, std::string, double> rows;
  Plot plot;
  const auto add = [&](const RunKernels& run, std::string name, double share) {
    rows.add(view.path(run.report), std::move(name), share);
  };
  const std::size_t drawn = std::min(runs.size(), kMaxBars);
  for (std::size_t r = 0; r < drawn; ++r) {
    const RunKernels& run = runs[r];
    add(run, matmul, run.product_share);
    if (run.product_fact != kNone) plot.evidence.push_back(run.product_fact);
    double rest = 0;
    for (const std::string& name : classes) {
      const auto at = std::ranges::find_if(run.others, [&](const auto& o) { return o.first == name; });
      add(run, name, at == run.others.end() ? 0 : at->second);
    }
    for (const auto& [name, share] : run.others) {
      if (std::ranges::find(classes, name) == classes.end()) rest += share;
    }
    if (rest > 0) add(run, std::string(kRest), rest);
  }
  plot.id = "classes";
  plot.title = "Kernel time by class";
  plot.caption = "Each bar is the summed kernel time of one profile, split by what the kernels do.";
  if (drawn < runs.size()) plot.caption += " The first " + counted_of(drawn, runs.size(), "profile") + ", by path.";
  plot.x = {"share of kernel time", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"report", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "class";
  Table table = rows.table("shares", plot.title, {{"report"}, {"class"}, {"share", "ratio"}});
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "report", {}, {}, "class", {}}});
  return plot;
}

inline constexpr MetricSpec kMetrics[] = {
    {"kernel_class.time_sum_ns", "ns", Polarity::kNeutral,
     "Sum of the durations of the measured kernels of a class; dims: class, and range where one is asked for.",
     "total kernel time of a class", kExtensive},
    {"kernel_class.time_ratio", "ratio", Polarity::kNeutral,
     "Share of a class in the summed durations of all measured kernels (of the range, where one is asked for).",
     "share of a class in kernel time"},
    {"kernel_class.count", "1", Polarity::kNeutral, "Measured kernels of a class; dims: class, range.",
     "number of kernels of a class", kExtensive},
    {"kernel_class.time_per_iteration_ns", "ns", Polarity::kLowerIsBetter,
     "Median over the iterations of the summed kernel durations of a class; dims: class.",
     "kernel time of a class per iteration"},
    {"kernel_class.count_per_iteration", "1", Polarity::kNeutral,
     "Median over the iterations of the launches of a class; dims: class.", "kernels of a class per iteration"},
    {"kernel_class.hidden_ratio", "ratio", Polarity::kLowerIsBetter,
     "Share of CUDA graph launches that were traced as a whole in their time and that of the measured kernels "
     "together: time that cannot be classified.",
     "share of GPU time that cannot be classified"},
    {"tensor_core.time_ratio", "ratio", Polarity::kNeutral,
     "Share in the summed durations of the measured kernels; dims: uses=yes|no|unknown as the names tell, and range.",
     "share of kernel time that uses tensor cores"},
    {"top_kernel.time_ratio", "ratio", Polarity::kNeutral,
     "Share of the kernel with the most summed time in that of all measured kernels; dims: range where one is asked "
     "for.",
     "share of the largest kernel in kernel time"},
    {"top_kernel.count", "1", Polarity::kNeutral, "Launches of that kernel that were measured; dims: range.",
     "launches of the largest kernel", kExtensive},
    {"top_kernel.count_per_iteration", "1", Polarity::kNeutral,
     "Median over the iterations of the launches of that kernel.", "launches of the largest kernel per iteration"},
    {"top_kernel.same", "1", Polarity::kNeutral,
     "1: the kernel with the most summed time has the same name in all runs of a pair that differ in the label "
     "compared, 0: it has not; dims: the label's value and the labels held fixed.",
     "same largest kernel on both sides"},
    {"range.kernel_count", "1", Polarity::kNeutral,
     "Measured kernels launched inside a named range by any thread of its process; dims: range.",
     "kernels launched in a named range", kExtensive},
    {"range.kernel_time_sum_ns", "ns", Polarity::kNeutral, "Sum of the durations of those kernels; dims: range.",
     "total kernel time of a named range", kExtensive},
    {"range.other_thread_kernel_count", "1", Polarity::kNeutral,
     "Those of them that another thread than the range's launched, attributed by time; dims: range.",
     "kernels of a named range from other threads", kExtensive},
    {"range.other_thread_kernel_time_ns", "ns", Polarity::kNeutral, "Sum of the durations of the latter; dims: range.",
     "kernel time of a named range from other threads", kExtensive},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"kernel.top_name", "Demangled name of the kernel with the most summed time among those measured."},
    {"kernel_class.rules", "Version of the rules that gave the classes."},
};

}  // namespace

class KernelBreakdown {
 public:
  static constexpr std::string_view kSummary =
      "Kernel time by kernel, class, NVTX range and use of tensor cores; the top kernel and the share of matrix "
      "products.";
  static constexpr ColumnId kNeeds[] = {col::kernels, col::kernel_name};
  static constexpr ColumnId kWants[] = {col::graphs, col::calls,      col::ranges,
                                        col::spans,  col::iterations, col::devices};
  static constexpr OptionSpec kOptions[] = {
      {"rules", OptionType::kTextList, "",
       "Rules 'class: word | word & !word', the first that holds gives a kernel's class."},
      {"own_rules", OptionType::kTextList, "", "Rules of your own, tried before 'rules'."},
      {"tensor_core_rules", OptionType::kTextList, "",
       "Rules whose classes are 'yes' and 'no': whether a kernel uses tensor cores; the rest is 'unknown'."},
      {"rules_version", OptionType::kText, "", "Version of the rules, shown with the results."},
      {"ranges", OptionType::kTextList, "",
       "NVTX ranges whose kernels are broken down apart; {i} in a name stands for a number."},
      {"measure", OptionType::kText, "window",
       "Which kernels count: all of the window, or those launched inside iterations (warm-up left out).",
       "window|iterations"},
      {"matmul", OptionType::kText, "matmul", "Class of the matrix products."},
      option::integer("top", "10", "Rows of the tables of top kernels.").within(1, 1000),
      {"compare", OptionType::kLabel, "",
       "Label across whose values the share of matrix products is compared (forward against training); empty: none."},
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {"kernel.top_name",
                                      "kernel_class.time_ratio",
                                      "kernel_class.hidden_ratio",
                                      "kernel_class.count",
                                      "top_kernel.count",
                                      "top_kernel.count_per_iteration",
                                      "top_kernel.time_ratio",
                                      "tensor_core.time_ratio",
                                      "range.kernel_count",
                                      "range.kernel_time_sum_ns",
                                      "range.other_thread_kernel_count",
                                      "range.other_thread_kernel_time_ns"};

  explicit KernelBreakdown(const Options& options)
      : classes_(kernel_rules_of(options, {"matmul"})),
        tensor_cores_(options.texts("tensor_core_rules")),
        rules_version_(options.text("rules_version")),
        measure_(options.text("measure") == "iterations" ? Measure::kIterations : Measure::kWindow),
        matmul_(options.text("matmul")),
        top_(static_cast<std::size_t>(options.integer("top"))),
        compare_(options.label("compare")) {
    for (const Str& range : options.texts("ranges")) ranges_.emplace_back(range.view());
    check_tensor_core_rules(tensor_cores_);
  }

  void analyze(const Report& report, ReportSink& sink) const {
    const KernelMeasurement measured = measure_kernels(report, measure_);
    Classifier classes(report, classes_, tensor_cores_);
    emit_missing(measured, sink);
    if (measured.kernels.empty()) return;
    if (!rules_version_.empty()) sink.attribute("kernel_class.rules", rules_version_);

    const bool iterations = measured.iterations > 0;
    const std::vector<KernelRow> rows = kernel_table(report, measured, classes);
    emit_breakdown(break_down(measured.kernels, measured.iterations, classes), classes, {}, sink);
    emit_top(measured, rows, {}, sink);
    sink.table(summary_table("kernel_summary", "Kernels by name (as cuda_gpu_kern_sum)", rows, iterations));
    sink.table(summary_table("top_kernels", "Top kernels", first_rows(rows, top_), iterations));
    sink.table(summary_table("top_other_kernels", "Top kernels that are not matrix products",
                             first_rows(rows, top_, matmul_), iterations));
    analyze_ranges(report, measured, classes, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<RunKernels> runs = runs_of(view, matmul_);
    std::erase_if(runs, [&](const RunKernels& run) { return leave_out(run, sink); });
    if (runs.empty()) return sink.skip(kNone, "no profile has measured kernels, so their time cannot be broken down");
    for (const Finding& finding : findings(view, runs)) sink.finding(finding);
    sink.plot(class_plot(view, runs, matmul_));
    sink.table(share_table(view, runs));
    if (compare_.empty()) return;
    const Comparison comparison = compare_products(view, runs, compare_, matmul_);
    for (const Finding& finding : comparison.findings) sink.finding(finding);
    for (const Comparison::TopKernel& top : comparison.tops) {
      sink.fact("top_kernel.same", top.same ? 1 : 0, dims_of(top.labels));
    }
    for (const UnmatchedReport& u : comparison.unmatched) sink.skip(static_cast<Row>(u.report), u.reason);
  }

 private:
  /// Share of graph launches traced as a whole above which the classes of the other kernels are not compared.
  static constexpr double kMaxHidden = 0.5;

  /// Whether most of a report's GPU time is outside of all classes; if so, a skip states that.
  bool leave_out(const RunKernels& run, StudySink& sink) const {
    if (run.hidden_share <= kMaxHidden) return false;
    sink.skip(static_cast<Row>(run.report),
              "its GPU time is mostly in CUDA graph launches traced as a whole (kernel_class.hidden_ratio above "
              "0.5), so the classes of its other kernels are not compared");
    return true;
  }

  void emit_missing(const KernelMeasurement& measured, ReportSink& sink) const {
    constexpr std::string_view all = "kernel_class.*, tensor_core.time_ratio, top_kernel.*, range.*";
    if (measured.left_out > 0) {
      sink.emit_issue("outside_iterations", Severity::kInfo, measured.left_out,
                      std::to_string(measured.left_out) +
                          " kernels were launched outside the iterations (warm-up, or between "
                          "them) and are not part of the kernel breakdown.");
    }
    const auto hidden = static_cast<double>(measured.hidden_time);
    sink.ratio("kernel_class.hidden_ratio", hidden, hidden + static_cast<double>(measured.time),
               "time of the measured kernels and graph launches");
    if (measured.hidden > 0) {
      sink.emit_issue("kernels_in_graphs", Severity::kWarning, measured.hidden,
                      "CUDA graph launches were traced as a whole, so their kernels are in no kernel table or class.");
    }
    if (!measured.kernels.empty()) return;
    const bool no_iterations = measure_ == Measure::kIterations && measured.iterations == 0;
    sink.skip(all,
              no_iterations ? "there are no iterations in the window, and only their kernels are to be measured"
                            : "no kernel was launched in what is measured",
              no_iterations ? SkipCause::kNoIterations : SkipCause::kOther);
  }

  void analyze_ranges(const Report& report, const KernelMeasurement& measured, Classifier& classes,
                      ReportSink& sink) const {
    if (ranges_.empty()) return;
    if (report.calls == nullptr) return sink.skip("range.*", "no API calls were recorded, so no kernel has a range");
    std::vector<RangeKernels> found;
    for (const std::string& name : ranges_) {
      found.push_back(kernels_of_range(report, measured, name));
      if (found.back().instances == 0) {
        sink.skip("range.*", filled("no NVTX range is named '{}'{}", {name, nearest_text(name, range_names(report))}));
        found.pop_back();
      }
    }
    std::vector<RangeRow> table;
    for (const RangeKernels& range : found) {
      emit_range(range, sink);
      const Breakdown breakdown = break_down(range.kernels, 0, classes);
      emit_breakdown(breakdown, classes, range.name, sink);
      KernelMeasurement part;
      part.kernels = range.kernels;
      part.time = breakdown.time;
      part.iterations = measured.iterations;
      RangeRow row{&range, 0, 0, kernel_table(report, part, classes)};
      for (const KernelRow& k : row.rows) {
        if (k.kind == matmul_) row.product_share += k.share;
        if (k.kind == kUnknownClass) row.unknown_share += k.share;
      }
      if (!row.rows.empty()) emit_top(part, row.rows, range.name, sink);
      table.push_back(std::move(row));
    }
    if (!table.empty()) sink.table(range_table(table));
  }

  NameRules classes_, tensor_cores_;
  std::string rules_version_;
  Measure measure_;
  std::string matmul_;
  std::size_t top_;
  std::string compare_;
  std::vector<std::string> ranges_;
};

ASSAY_PLUGIN("kernel_breakdown", "1.0.0", KernelBreakdown);

}  // namespace assay::breakdown
