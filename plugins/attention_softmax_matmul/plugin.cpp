// Compares softmax with the matrix products of attention: device and host time, operations, operations per second.
#include <algorithm>

#include "assay/abi.hpp"
#include "assay/plot.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "parts.hpp"
#include "shape.hpp"
#include "words.hpp"

namespace assay::attention {
namespace {

inline constexpr MetricSpec kMetrics[] = {
    {"attention.time_ns", "ns", Polarity::kLowerIsBetter,
     "GPU time: union of the kernels launched inside the ranges of a part; dims: part=scores|softmax|values|whole, or "
     "fused for kernels that do all of it.",
     "GPU time of a part of attention", kExtensive},
    {"attention.host_time_ns", "ns", Polarity::kLowerIsBetter,
     "Summed length of the ranges (or operators) of a part on the host; dims: part.",
     "host time of a part of attention", kExtensive},
    {"attention.product_time_ns", "ns", Polarity::kLowerIsBetter,
     "Of attention.time_ns, the union of the kernels that are matrix products by their names; dims: "
     "part=scores|values.",
     "GPU time of the matrix products of attention", kExtensive},
    {"attention.range_count", "1", Polarity::kNeutral, "Ranges of a part that were measured; dims: part.",
     "measured ranges of a part of attention", kExtensive},
    {"attention.kernel_count", "1", Polarity::kNeutral, "Kernels launched inside the ranges of a part; dims: part.",
     "kernels of a part of attention", kExtensive},
    {"attention.batched_products", "1", Polarity::kNeutral,
     "Products that one batched kernel computes (its grid z, where all of them share it): batch times heads.",
     "products that one batched kernel computes"},
    {"attention.time_ratio_softmax_to_matmul", "ratio", Polarity::kNeutral,
     "GPU time of softmax over that of scores and values together: median over the iterations, without any over all "
     "ranges.",
     "GPU time of softmax over matrix products"},
    {"attention.time_ratio_softmax_to_products", "ratio", Polarity::kNeutral,
     "GPU time of softmax over that of the product kernels alone, without scaling and masking in their ranges.",
     "GPU time of softmax over product kernels alone"},
    {"attention.host_time_ratio_softmax_to_matmul", "ratio", Polarity::kNeutral,
     "Host time of softmax over that of scores and values together.", "host time of softmax over matrix products"},
    {"attention.bound_time_ratio", "ratio", Polarity::kNeutral,
     "Share of the kernels' durations in a part by what bounds them (Nsight Compute); absent without counters; dims: "
     "part, bound=compute|memory|latency|unknown.",
     "what bounds the kernels of a part of attention"},
    {"attention.flops", "1", Polarity::kNeutral,
     "Floating-point operations of a part of one attention call, from its shape: 2*B*H*N*N*D a product, 5*B*H*N*N "
     "softmax; dims: part.",
     "operations of a part of one attention call"},
    {"attention.flop_ratio_matmul_to_softmax", "ratio", Polarity::kNeutral,
     "Operations of both products over those of softmax.", "operations of the products over those of softmax"},
    {"attention.flops_per_s", "1/s", Polarity::kHigherIsBetter,
     "Operations of a part times its ranges over its GPU time; dims: part.",
     "operations per second of a part of attention"},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"attention.rules", "Version of the rules that classify kernels as products or fused attention."},
    {"attention.fused_kernel",
     "Base name of the first kernel that computes all of attention, if its parts cannot be separated."},
};

/// Shares of the parts in GPU time next to their shares in operations, for each report; empty if no report has both.
std::optional<Plot> share_plot(const StudyView& view, const std::vector<RunAttention>& runs) {
  Plot plot;
  std::vector<std::string> reports, measures, parts;
  std::vector<double> shares;
  for (const RunAttention& run : runs) {
    if (!run.separated() || !run.shape.shape.known()) continue;
    double time = 0, operations = 0;
    for (std::size_t p = 0; p < kSeparateParts; ++p) {
      time += run.parts[p].gpu;
      operations += flops(run.shape.shape, static_cast<Part>(p));
      if (run.parts[p].evidence) plot.evidence.push_back(*run.parts[p].evidence);
    }
    for (std::size_t p = 0; p < kSeparateParts && time > 0; ++p) {
      for (const bool of_time : {true, false}) {
        reports.emplace_back(view.path(run.report));
        measures.emplace_back(of_time ? "GPU time" : "operations");
        parts.emplace_back(kPartNames[p]);
        shares.push_back(of_time ? run.parts[p].gpu / time : flops(run.shape.shape, static_cast<Part>(p)) / operations);
      }
    }
  }
  if (shares.empty()) return std::nullopt;
  plot.id = "shares";
  plot.title = "Parts of attention: GPU time against operations";
  plot.caption =
      "A part whose share of the time is larger than its share of the operations is not limited by arithmetic: it "
      "waits for memory or for launches. Operations are computed from the shape of the layer.";
  plot.x = {"share of the three parts", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"share of", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "part";
  Table table("shares", plot.title);
  table.add("report", "", std::move(reports));
  table.add("of", "", std::move(measures));
  table.add("part", "", std::move(parts));
  table.add("share", "ratio", std::move(shares));
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "of", {}, {}, "part", "report"}});
  return plot;
}

}  // namespace

class AttentionSoftmaxMatmul {
 public:
  static constexpr std::string_view kSummary =
      "GPU and host time of scores, softmax and values of attention, against the operations that each needs.";
  static constexpr ColumnId kNeeds[] = {col::kernels, col::kernel_name, col::calls};
  static constexpr ColumnId kWants[] = {col::kernel_grid,     col::graphs,   col::ranges,   col::spans, col::iterations,
                                        col::kernel_profiled, col::profiled, col::counters, col::ops};
  static constexpr OptionSpec kOptions[] = {
      {"scores", OptionType::kTextList, "computing_attention_scores, computing attention scores",
       "Names of the range around the product of queries and keys, any of them."},
      {"softmax", OptionType::kTextList, "computing_softmax, computing softmax", "Names of the range around softmax."},
      {"values", OptionType::kTextList, "final_matmul, final matmul, computing_final_matmul, computing final matmul",
       "Names of the range around the product with the values."},
      {"whole", OptionType::kTextList, "scaled_dot_product_attention, scaled dot product attention",
       "Names of the range around one attention call."},
      {"rules", OptionType::kTextList, "",
       "Rules 'class: word | word & !word', the first that holds gives a kernel's class."},
      {"rules_version", OptionType::kText, "", "Version of the rules, shown with the results."},
      {"own_rules", OptionType::kTextList, "", "Rules of your own, tried before 'rules'."},
      {"measure", OptionType::kText, "window",
       "Which ranges count: all of the window, or those inside iterations (warm-up left out).", "window|iterations"},
      option::integer("batch", "0", "Batch size; 0: the label 'batch', else from the trace's batched products.")
          .within(0, 1e9),
      option::integer("heads", "0", "Heads; 0: the label 'heads'.").within(0, 1e9),
      option::integer("tokens", "0",
                      "Tokens; 0: the label 'tokens' or 'ctx', else from labels 'px' and 'patch' as (px/patch)^2 + 1.")
          .within(0, 1e9),
      option::integer("head_dim", "0", "Dimension of a head; 0: the label 'head_dim', else label 'dim' / heads.")
          .within(0, 1e9),
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {"attention.time_ns",
                                      "attention.host_time_ns",
                                      "attention.product_time_ns",
                                      "attention.range_count",
                                      "attention.kernel_count",
                                      "attention.batched_products",
                                      "attention.time_ratio_softmax_to_matmul",
                                      "attention.time_ratio_softmax_to_products",
                                      "attention.host_time_ratio_softmax_to_matmul",
                                      "attention.bound_time_ratio",
                                      "attention.fused_kernel"};

  explicit AttentionSoftmaxMatmul(const Options& options)
      : names_{{}, {}, kernel_rules_of(options, {})},
        rules_version_(options.text("rules_version")),
        shape_{options.integer("batch"), options.integer("heads"), options.integer("tokens"),
               options.integer("head_dim")} {
    for (std::size_t part = 0; part < kPartNames.size(); ++part)
      names_.ranges[part] = options.strings(kPartNames[part]);
    names_.operators = {{"aten::bmm", "aten::baddbmm"},
                        {"aten::_softmax", "aten::softmax", "aten::_safe_softmax"},
                        {"aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention",
                         "aten::_scaled_dot_product_efficient_attention", "aten::_scaled_dot_product_cudnn_attention"}};
    names_.iterations_only = options.text("measure") == "iterations";
  }

  void analyze(const Report& report, ReportSink& sink) const {
    const AttentionTime time = measure(report, names_);
    if (!rules_version_.empty()) sink.attribute("attention.rules", rules_version_);
    for (std::size_t i = 0; i < kPartNames.size(); ++i) emit_part(time, static_cast<Part>(i), sink);
    if (time.batched_products) sink.fact("attention.batched_products", static_cast<double>(*time.batched_products));
    if (const auto reason = why_not_separated(report, time)) {
      sink.skip("attention.time_ratio_softmax_to_matmul", *reason);
      emit_fused(time, sink);
      return;
    }
    emit_ratios(time, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<RunAttention> runs = runs_of(view, shape_);
    if (runs.empty())
      return sink.skip(kNone, "no profile has attention: neither ranges of the given names nor fused kernels");
    for (const RunAttention& run : runs) emit_operations(run, sink);
    for (const Finding& finding : findings(view, runs)) sink.finding(finding);
    if (const auto plot = share_plot(view, runs)) sink.plot(*plot);
    sink.table(part_table(view, runs));
  }

 private:
  static void emit_part(const AttentionTime& time, Part part, ReportSink& sink) {
    const PartTime& t = time.parts[part];
    if (t.kernels == 0) return;
    const Dim dim{"part", kPartNames[part]};
    sink.fact("attention.time_ns", static_cast<double>(t.gpu), {dim});
    sink.fact("attention.host_time_ns", static_cast<double>(t.host), {dim});
    sink.fact("attention.range_count", static_cast<double>(t.ranges), {dim});
    sink.fact("attention.kernel_count", static_cast<double>(t.kernels), {dim});
    for (std::size_t b = 0; t.bounds.total() > 0 && b < kBounds; ++b) {
      const auto bound = static_cast<Bound>(b);
      sink.fact("attention.bound_time_ratio", t.bounds.share(bound), {dim, {"bound", bound_name(bound)}});
    }
    if (part == kScores || part == kValues)
      sink.fact("attention.product_time_ns", static_cast<double>(t.products), {dim});
    if (t.other_thread > 0) {
      sink.emit_issue(
          "attributed_by_time", Severity::kInfo, t.other_thread,
          filled(
              "{} kernels counted in the attention part '{}' were launched by another thread while its range was open.",
              {std::to_string(t.other_thread), std::string(kPartNames[part])}));
    }
  }

  /// Why the ratio of the parts is unknown; empty if it is known.
  std::optional<std::string> why_not_separated(const Report& report, const AttentionTime& time) const {
    std::int64_t fused = 0;
    std::string without;
    for (std::size_t i = 0; i < kSeparateParts; ++i) {
      fused += time.parts[i].fused;
      if (time.parts[i].kernels == 0) without += (without.empty() ? "" : ", ") + std::string(kPartNames[i]);
    }
    if (fused > 0 || (!without.empty() && time.fused.kernels > 0)) {
      return "attention runs as fused kernels (" + time.fused.name + "), so its parts cannot be separated";
    }
    if (without.empty()) return std::nullopt;
    const bool graphs = report.graphs != nullptr && report.graphs->rows > 0;
    return "no kernels were launched in measured ranges of: " + without +
           (graphs ? "; CUDA graphs, traced as a whole, hide theirs"
                   : "; name the ranges or operators in the options, unless the profile has none");
  }

  static void emit_fused(const AttentionTime& time, ReportSink& sink) {
    if (time.fused.kernels == 0) return;
    sink.attribute("attention.fused_kernel", time.fused.name);
    sink.fact("attention.time_ns", static_cast<double>(time.fused.gpu), {{"part", "fused"}});
    sink.fact("attention.kernel_count", static_cast<double>(time.fused.kernels), {{"part", "fused"}});
  }

  static void emit_ratios(const AttentionTime& time, ReportSink& sink) {
    const PartTime& scores = time.parts[kScores];
    const PartTime& softmax = time.parts[kSoftmax];
    const PartTime& values = time.parts[kValues];
    std::vector<double> ratios;
    for (std::size_t i = 0; i < time.iterations; ++i) {
      const double products = scores.gpu_per_iteration[i] + values.gpu_per_iteration[i];
      if (products > 0) ratios.push_back(softmax.gpu_per_iteration[i] / products);
    }
    const auto ns = [](std::int64_t part) { return static_cast<double>(part); };
    const double gpu = ns(scores.gpu + values.gpu), products = ns(scores.products + values.products);
    if (gpu == 0) return sink.skip("attention.time_ratio_softmax_to_matmul", "the GPU time of scores and values is 0");
    sink.fact("attention.time_ratio_softmax_to_matmul", ratios.empty() ? ns(softmax.gpu) / gpu : median(ratios),
              ratios);
    sink.ratio("attention.time_ratio_softmax_to_products", ns(softmax.gpu), products, "time of product kernels");
    sink.ratio("attention.host_time_ratio_softmax_to_matmul", ns(softmax.host), ns(scores.host + values.host),
               "host time of scores and values");
  }

  static void emit_operations(const RunAttention& run, StudySink& sink) {
    const auto row = static_cast<Row>(run.report);
    const Shape& shape = run.shape.shape;
    if (!shape.known()) {
      return sink.skip(row, "attention.flops: the shape is unknown (" + run.shape.missing + " missing)");
    }
    for (std::size_t i = 0; i < kSeparateParts; ++i) {
      const auto part = static_cast<Part>(i);
      sink.report_fact(row, "attention.flops", flops(shape, part), {{"part", kPartNames[i]}});
      const auto rate = flops_per_s(run, part);
      if (rate) sink.report_fact(row, "attention.flops_per_s", *rate, {{"part", kPartNames[i]}});
    }
    sink.report_fact(row, "attention.flop_ratio_matmul_to_softmax",
                     (flops(shape, kScores) + flops(shape, kValues)) / flops(shape, kSoftmax));
  }

  Names names_;
  std::string rules_version_;
  Shape shape_;
};

ASSAY_PLUGIN("attention_softmax_matmul", "1.0.0", AttentionSoftmaxMatmul);

}  // namespace assay::attention
