// Why fewer tokens may not save time: profiles with and without the reduction, joined with throughput sweeps.
#include <optional>

#include "analysis.hpp"
#include "assay/algo/matching.hpp"
#include "assay/algo/speed_of_light.hpp"
#include "assay/output.hpp"
#include "assay/plot.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "forwards.hpp"
#include "metrics.hpp"
#include "pairs.hpp"
#include "words.hpp"

namespace assay::tokens {
namespace {

/// For the kernels missing in the base: by class, the time over all reduced runs by bound.
std::map<std::string, BoundTimes> added_times(const StudyView& view, const Pair& pair,
                                              std::vector<std::int64_t>& evidence) {
  std::map<std::string, BoundTimes> out;
  const FactTable& facts = *view.study().facts;
  for (const std::size_t report : pair.treated.reports) {
    view.each_fact(static_cast<Row>(report), "token.bound_time_ns", [&](std::size_t fact) {
      const std::string_view dims = facts.dims[fact];
      const std::pair key(dim_value(dims, "class").value_or(""), dim_value(dims, "kernel").value_or(""));
      if (key.second == kRest || pair.base.by_name.contains(key)) return;
      out[key.first].add(bound_named(dim_value(dims, "bound").value_or("")), facts.value[fact]);
      evidence.push_back(static_cast<std::int64_t>(fact));
    });
  }
  return out;
}

/// Evidence for one pair; empty if none of its reduced runs has counters, or nothing is added.
std::optional<Finding> bounds_of_added(const StudyView& view, const Pair& pair, const Design& design) {
  if (pair.base.by_name.empty()) return std::nullopt;
  Finding finding;
  const std::map<std::string, BoundTimes> added = added_times(view, pair, finding.evidence);
  BoundTimes all;
  for (const auto& [kernel_class, times] : added) all += times;
  if (all.total() <= 0) return std::nullopt;
  finding.role = FindingRole::kEvidence;
  finding.labels = pair.labels;
  if (!pair.batch_text.empty()) finding.labels.emplace_back(design.batch_label, pair.batch_text);
  finding.title = "The added kernels are bound by " + all.text();
  finding.text = "Counters of Nsight Compute, weighted by the GPU time of the kernels that only the reduced run has (" +
                 time_text(all.total() / static_cast<double>(pair.treated.reports.size())) + " per forward). ";
  for (const auto& [kernel_class, times] : added)
    finding.text += filled("Class {}: {}. ", {kernel_class, times.text()});
  finding.text +=
      "Kernels bound by latency are too small to fill the device: fuse them or use a larger batch. Kernels bound by "
      "memory should move fewer bytes.";
  return finding;
}

/// Speed-up along the batch with intervals, one line per set of labels; empty if no cell was measured on both sides.
std::optional<Plot> speedup_plot(const Analysis& analysis) {
  struct TableRow {
    const CellResult* cell;
    const std::string* images;
    std::optional<std::pair<double, double>> interval;
  };
  std::vector<LabelTexts> labels;
  for (const CellResult& result : analysis.cells) labels.push_back(result.cell.labels);
  const std::vector<std::string> names = telling_names(labels, "all");
  std::vector<TableRow> rows;
  for (std::size_t c = 0; c < analysis.cells.size(); ++c) {
    const CellResult& result = analysis.cells[c];
    if (result.combined && result.cell.batch > 0)
      rows.push_back({&result, &names[c], result.combined->interval(analysis.level)});
  }
  if (rows.empty()) return std::nullopt;
  Plot plot;
  plot.id = "crossover";
  plot.title = "Speed-up by batch: where the reduction begins to win";
  plot.caption = "Throughput with the reduction over that without, with " + percent(analysis.level, 0) +
                 " intervals where measurements were repeated. Above the dashed line the reduction wins; a line that "
                 "crosses it has its crossover between those two batches.";
  plot.x = {"batch (images)", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.y = {"speed-up", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.series_title = "images";
  Table table("speedups", plot.title);
  table.column("images", "", rows, [](const TableRow& at) { return *at.images; })
      .column("batch", "", rows, [](const TableRow& at) { return at.cell->cell.batch; })
      .column("speed-up", "ratio", rows, [](const TableRow& at) { return at.cell->combined->value; })
      .column("low", "ratio", rows,
              [](const TableRow& at) { return at.interval ? std::optional(at.interval->first) : std::nullopt; })
      .column("high", "ratio", rows,
              [](const TableRow& at) { return at.interval ? std::optional(at.interval->second) : std::nullopt; })
      .column("n", "measurements", rows, [](const TableRow& at) { return at.cell->combined->measurements; });
  plot.references.push_back({1, 1, "no difference", true});
  plot.layers.push_back({PlotMark::kLine, table, {"batch", "speed-up", {}, {}, "images", {}}});
  plot.layers.push_back({PlotMark::kPoint, std::move(table), {"batch", "speed-up", "low", "high", "images", {}}});
  return plot;
}

}  // namespace

class TokenReductionOverhead {
 public:
  static constexpr std::string_view kSummary =
      "Costs and gains of token reduction: launches, added kernels, causes with remedies, speed-up by batch and the "
      "crossover of a sweep.";
  static constexpr ColumnId kNeeds[] = {col::kernels, col::kernel_name};
  static constexpr ColumnId kWants[] = {col::kernel_short_name, col::calls,   col::iterations, col::copies,
                                        col::copy_bytes,        col::sets,    col::set_bytes,  col::kernel_profiled,
                                        col::profiled,          col::counters};
  static constexpr OptionSpec kOptions[] = {
      {"label", OptionType::kLabel, "reduction", "Label under test; everything else is held fixed."},
      {"base", OptionType::kText, "baseline", "Its value without the reduction, in the sweep's model column too."},
      {"treated", OptionType::kText, "with_tr", "Its value with the reduction, in the sweep's model column too."},
      {"batch", OptionType::kLabel, "batch", "Label that holds the batch size."},
      {"rules", OptionType::kTextList, "",
       "Rules 'class: word | word & !word', the first that holds gives a kernel's class."},
      {"rules_version", OptionType::kText, "", "Version of the rules, shown with the results."},
      {"own_rules", OptionType::kTextList, "", "Rules of your own, tried before 'rules'."},
      {"memory_classes", OptionType::kTextList, "copy",
       "Classes of kernels that only move memory: 'memory' in the facts. All others are 'other'."},
      option::integer("kernels", "200", "Kernel names kept per profile; the rest is summed by class.")
          .within(1, 100000),
      {"sheet", OptionType::kText, "sweep", "Id of the [[sheet]] with the sweep."},
      option::number(
          "tolerance", "0.02",
          "Throughput times latency may differ from the stated batch by this share; beyond it a row is mislabelled.")
          .within(0, 1),
      option::number(
          "launch_bound", "0.5",
          "Cause 'more launches': share of the reduced run's kernels that waited for the host, from which it holds.")
          .within(0, 1),
      option::number("low_utilization", "0.5",
                     "Cause 'low utilization': GPU busy time over period of the reduced run, up to which it holds.")
          .within(0, 1),
      option::number("dynamic_share", "0.1",
                     "Cause 'dynamic operations': their added time over GPU busy time, from which it holds.")
          .within(0, 1),
      option::number("memory_share", "0.1",
                     "Cause 'memory': time of memory work over GPU busy time, from which it holds.")
          .within(0, 1),
      {"dynamic_remedy", OptionType::kText, "reduce tokens less often, in fewer layers",
       "Remedy named when 'dynamic operations' is confirmed."},
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {"iteration.kernel_count", "iteration.gpu_busy_ns", "iteration.period_ns",
                                      "launch.bound_ratio",     "graph.opaque_ratio",    "fingerprint",
                                      "token.kernel_time_ns",   "token.kernel_count",    "token.memory_time_ns",
                                      "token.memory_bytes",     "token.bound_time_ns"};

  explicit TokenReductionOverhead(const Options& options)
      : classes_{kernel_rules_of(options, {"memory_classes"}), {"sort", "indexing"}, options.strings("memory_classes")},
        rules_version_(options.text("rules_version")),
        kernels_(static_cast<std::size_t>(options.integer("kernels"))),
        design_{std::string(options.label("label")),  std::string(options.text("base")),
                std::string(options.text("treated")), std::string(options.label("batch")),
                std::string(options.text("sheet")),   options.number("tolerance")},
        criteria_{.launch_bound = options.number("launch_bound"),
                  .low_utilization = options.number("low_utilization"),
                  .dynamic_share = options.number("dynamic_share"),
                  .memory_share = options.number("memory_share"),
                  .dynamic_remedy = std::string(options.text("dynamic_remedy"))} {}

  void analyze(const Report& report, ReportSink& sink) const {
    const Forwards forwards = measure_forwards(report, classes_);
    if (forwards.count == 0) {
      return sink.skip("token.*", "no iteration lies inside the window, so there are no values per forward");
    }
    if (!rules_version_.empty()) sink.attribute("token.rules", rules_version_);
    const auto per_forward = [&](std::int64_t sum) {
      return static_cast<double>(sum) / static_cast<double>(forwards.count);
    };
    for (const NamedKernels& k : bounded(forwards.kernels, kernels_)) {
      const Dims dims = {{"class", k.kernel_class}, {"kernel", k.name}};
      sink.fact("token.kernel_time_ns", per_forward(k.time), dims);
      sink.fact("token.kernel_count", per_forward(k.count), dims);
      emit_bounds(k, static_cast<double>(forwards.count), sink);
    }
    const auto emit_memory = [&](const std::optional<MemoryWork>& work, std::string_view kind) {
      if (!work) return sink.skip("token.memory_time_ns", "no " + std::string(kind) + " was captured");
      sink.fact("token.memory_time_ns", per_forward(work->time), {{"kind", kind}});
      work->bytes ? sink.fact("token.memory_bytes", per_forward(*work->bytes), {{"kind", kind}})
                  : sink.skip("token.memory_bytes", "not every " + std::string(kind) + " has a size");
    };
    emit_memory(forwards.copies, "copy");
    emit_memory(forwards.sets, "set");
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const Analysis analysis = analyse(view, design_, criteria_);
    emit_sweeps(analysis, sink);
    emit_cells(analysis, sink);
    for (const PairResult& result : analysis.pairs) emit_pair(result, sink);
    for (const std::string& text : analysis.read.left_out) sink.skip(kNone, text);
    for (const UnmatchedReport& u : analysis.unmatched) sink.skip(static_cast<Row>(u.report), u.reason);
    const std::string method = interval_method(analysis.spread);
    const std::vector<Finding> found = findings(analysis, design_, method);
    if (found.empty()) {
      return sink.skip(
          kNone, filled("there is no sheet '{}' and no pair of profiles with {}={} and {}, so nothing can be compared",
                        {design_.sheet, design_.label, design_.base, design_.treated}));
    }
    for (const Finding& finding : found) sink.finding(finding);
    if (const auto plot = speedup_plot(analysis)) sink.plot(*plot);
    for (const PairResult& result : analysis.pairs) {
      if (const auto finding = bounds_of_added(view, result.pair, design_)) sink.finding(*finding);
    }
    sink.table(speedup_table(analysis));
    sink.table(cause_table(analysis));
    sink.table(added_table(analysis));
  }

 private:
  static void emit_bounds(const NamedKernels& kernels, double forwards, ReportSink& sink) {
    for (std::size_t b = 0; b < kBounds; ++b) {
      const auto bound = static_cast<Bound>(b);
      const double time = kernels.bounds.of(bound);
      const Dims dims = {{"class", kernels.kernel_class}, {"kernel", kernels.name}, {"bound", bound_name(bound)}};
      if (time > 0) sink.fact("token.bound_time_ns", time / forwards, dims);
    }
  }

  /// Dims of a cell, which refer to the arguments.
  [[nodiscard]] std::vector<Dim> dims_of(const LabelTexts& labels, std::string_view batch) const {
    std::vector<Dim> dims = assay::dims_of(labels);
    if (!batch.empty()) dims.emplace_back(design_.batch_label, batch);
    return dims;
  }

  void emit_sweeps(const Analysis& analysis, StudySink& sink) const {
    for (const auto& [path, rows] : analysis.read.mislabelled) {
      sink.fact("token.mislabelled_rows", static_cast<double>(rows), {{"sheet", path}});
    }
    for (const SweepResult& result : analysis.sweeps) {
      const std::vector<Dim> dims = dims_of(result.sweep.labels, {});
      if (result.flop_reduction) {
        sink.fact("token.flop_reduction", *result.flop_reduction, dims);
      } else {
        sink.skip(kNone, "token.flop_reduction: " + result.no_flop_reduction);
      }
      const std::vector<LevelSpeedup>& levels = result.crossing.levels;
      for (const LevelSpeedup& level : levels) {
        sink.fact("token.speedup", level.speedup, dims_of(result.sweep.labels, level.text));
      }
      const Crossover& crossover = result.crossing.crossover;
      if (crossover.last_loss) sink.fact("token.crossover_last_loss", levels[*crossover.last_loss].batch, dims);
      if (crossover.first_win) sink.fact("token.crossover_first_win", levels[*crossover.first_win].batch, dims);
    }
  }

  void emit_cells(const Analysis& analysis, StudySink& sink) const {
    for (const auto& [cell, combined] : analysis.cells) {
      if (!combined) continue;
      const std::vector<Dim> dims = dims_of(cell.labels, cell.text);
      sink.fact("token.combined_speedup", combined->value, dims);
      if (!analysis.spread.known()) continue;
      sink.fact("token.combined_speedup_sd_log", combined->sd_log, dims);
      sink.fact("token.combined_speedup_df", combined->degrees, dims);
    }
    if (!analysis.spread.known()) return;
    sink.fact("token.rate_sd_log", analysis.spread.sd());
    sink.fact("token.rate_df", analysis.spread.degrees);
  }

  void emit_pair(const PairResult& result, StudySink& sink) const {
    const Pair& pair = result.pair;
    const std::vector<Dim> dims = dims_of(pair.labels, pair.batch_text);
    const auto with = [&](std::string_view key, std::string_view value) {
      std::vector<Dim> more = dims;
      more.emplace_back(key, value);
      return more;
    };
    if (const auto speedup = pair.speedup()) sink.fact("token.profile_speedup", *speedup, dims);
    if (!pair.opaque && pair.base.kernels && pair.treated.kernels)
      sink.fact("token.launch_delta", *pair.treated.kernels - *pair.base.kernels, dims);
    for (const auto& [kernel_class, added] : pair.added) {
      sink.fact("token.added_kernel_time_ns", added.time, with("class", kernel_class));
      sink.fact("token.added_kernel_count", added.count, with("class", kernel_class));
    }
    for (const Cause& cause : result.causes) {
      if (cause.status == Status::kNotTestable) continue;
      sink.fact("token.cause", cause.status == Status::kConfirmed ? 1 : 0, with("cause", cause.id));
    }
  }

  TokenClasses classes_;
  std::string rules_version_;
  std::size_t kernels_;
  Design design_;
  Criteria criteria_;
};

ASSAY_PLUGIN("token_reduction_overhead", "1.0.0", TokenReductionOverhead);

}  // namespace assay::tokens
