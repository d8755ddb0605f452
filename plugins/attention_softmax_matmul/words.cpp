#include "words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "assay/algo/stats.hpp"
#include "assay/detail/report_labels.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::attention {
namespace {

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}
std::string times(double value) { return fixed(value, value < 10 ? 2 : 1); }
std::string milliseconds(double ns) { return fixed(ns / 1e6, ns < 1e7 ? 3 : 1) + " ms"; }
std::string whole(double value) { return fixed(value, 0); }

std::string dims_of(std::string_view part) { return "part=" + std::string(part); }

/// The numbers of operations, or why they are unknown.
std::string operations_text(const RunAttention& run) {
  const KnownShape& known = run.shape;
  if (!known.shape.known()) {
    return "The shape is unknown (" + known.missing +
           " missing), so operations cannot be counted: give batch, heads, tokens and head_dim as labels or options.";
  }
  const Shape& s = known.shape;
  const double both = flops(s, kScores) + flops(s, kValues);
  std::string text = filled(
      "With batch {}, {} heads, {} tokens, {} dimensions per head ({}) one call needs {} operations for each product "
      "and {} for softmax: {} to 1 for both products.",
      {std::to_string(s.batch), std::to_string(s.heads), std::to_string(s.tokens), std::to_string(s.head_dim),
       known.origin, whole(flops(s, kScores)), whole(flops(s, kSoftmax)), fixed(both / flops(s, kSoftmax), 1)});
  const auto scores = flops_per_s(run, kScores), softmax = flops_per_s(run, kSoftmax),
             values = flops_per_s(run, kValues);
  if (!scores || !softmax || !values) return text;
  text += filled(" Achieved: scores {}, values {}, softmax {} TFLOP/s.",
                 {times(*scores / 1e12), times(*values / 1e12), fixed(*softmax / 1e12, 3)});
  const double slower = std::min(*scores, *values) / *softmax;
  if (slower <= 1) return text;
  text += filled(
      " Softmax performs its operations at 1/{} of the rate of the slower product: it is bound by memory or launches, "
      "not by arithmetic{}",
      {fixed(slower, 1), run.parts[kSoftmax].bound_facts.empty() ? "; a trace has no counters that would show which."
                                                                 : "; counters of Nsight Compute show which."});
  return text;
}

/// Interval of a median from order statistics (sign test) with coverage of at least `level`; NaN for too few samples.
Bounds median_interval(std::vector<double> samples, double level) {
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  double tail = 0, term = std::pow(0.5, static_cast<double>(n));  // P(this many or fewer below), for one end
  std::size_t cut = 0;                                            // samples excluded at each end
  for (; 2 * cut < n && 2 * (tail + term) <= 1 - level; ++cut) {
    tail += term;
    term *= static_cast<double>(n - cut) / static_cast<double>(cut + 1);
  }
  if (cut == 0) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  return {samples[cut - 1], samples[n - cut]};
}

Effect ratio_effect(const RunAttention& run) {
  Effect effect;
  effect.kind = EffectKind::kLevel;
  effect.metric = "attention.time_ratio_softmax_to_matmul";
  effect.value = *run.ratio;
  effect.n = 1;
  const Bounds bounds = median_interval(run.ratios, effect.level);
  effect.lo = bounds.lo;
  effect.hi = bounds.hi;
  effect.method = run.ratios.empty() ? "level of one run, without an interval"
                                     : "median of the iterations of one run, interval by their order";
  return effect;
}

Finding separated(const StudyView& view, const RunAttention& run) {
  const auto& parts = run.parts;
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.labels = labels_of(view, run.report);
  // The name of a single report adds no information.
  finding.title =
      (view.study().reports->rows == 1 ? "Softmax takes " : report_name(view, run.report) + ": softmax takes ") +
      times(*run.ratio) + " times the GPU time of both products";
  if (run.shape.shape.known()) {
    const Shape& s = run.shape.shape;
    finding.title +=
        " with 1/" + fixed((flops(s, kScores) + flops(s, kValues)) / flops(s, kSoftmax), 1) + " of their operations";
  }
  finding.text = filled(
      "GPU time: scores {}, softmax {}, values {}; host time of the ranges: {}, {}, {}{}: the host runs ahead or "
      "waits, so host time is not GPU time. ",
      {milliseconds(parts[kScores].gpu), milliseconds(parts[kSoftmax].gpu), milliseconds(parts[kValues].gpu),
       milliseconds(parts[kScores].host), milliseconds(parts[kSoftmax].host), milliseconds(parts[kValues].host),
       run.host_ratio ? " (ratio " + times(*run.host_ratio) + ")" : ""});
  if (run.ratio_to_products) {
    const double products = parts[kScores].products + parts[kValues].products;
    finding.text += filled(
        "Product kernels alone take {} of their ranges, the rest scales, masks and copies; softmax takes {} times as "
        "long as they do. ",
        {milliseconds(products), times(*run.ratio_to_products)});
  }
  finding.text += operations_text(run);
  finding.effect = ratio_effect(run);
  for (const RunAttention::PartFacts& part : parts) {
    if (part.evidence) finding.evidence.push_back(*part.evidence);
  }
  return finding;
}

Finding fused(const StudyView& view, const RunAttention& run) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.labels = labels_of(view, run.report);
  finding.title = report_name(view, run.report) + ": attention is fused, its parts cannot be separated";
  finding.text = filled(
      "{} launches of fused kernels (the first: {}) take {} and compute scores, softmax and values in one, so softmax "
      "and products have no times of their own.",
      {whole(run.fused_count), std::string(run.fused), milliseconds(run.fused_time)});
  return finding;
}

/// What bounds softmax and the products, if the run has counters of Nsight Compute.
std::optional<Finding> bounds(const StudyView& view, const RunAttention& run) {
  Finding finding;
  finding.role = FindingRole::kEvidence;
  finding.labels = labels_of(view, run.report);
  std::string parts;
  for (std::size_t i = 0; i < kSeparateParts; ++i) {
    const RunAttention::PartFacts& part = run.parts[i];
    if (part.bound_facts.empty()) continue;
    parts += filled("{}{} by {}", {parts.empty() ? "" : "; ", std::string(kPartNames[i]), part.bounds.text()});
    finding.evidence.insert(finding.evidence.end(), part.bound_facts.begin(), part.bound_facts.end());
  }
  if (parts.empty() || run.parts[kSoftmax].bound_facts.empty()) return std::nullopt;
  finding.title = report_name(view, run.report) + ": softmax is bound by " + run.parts[kSoftmax].bounds.text();
  finding.text =
      "By counters of Nsight Compute, weighted by the GPU time of the kernels, the parts are bound: " + parts +
      ". Kernels that Nsight Compute did not measure are unknown.";
  return finding;
}

/// A note if the trace's batched products contradict the shape.
std::optional<Finding> doubt(const StudyView& view, const RunAttention& run) {
  const Shape& s = run.shape.shape;
  if (!run.batched_products || !s.known() || static_cast<double>(s.batch * s.heads) == *run.batched_products)
    return std::nullopt;
  Finding finding;
  finding.role = FindingRole::kNote;
  finding.labels = labels_of(view, run.report);
  finding.title = report_name(view, run.report) + ": the shape does not fit the trace";
  finding.text = filled(
      "Batch times heads is {} by the shape ({}), but the product kernels are batched {}-fold: operations and FLOP/s "
      "may be wrong by the ratio of the two.",
      {std::to_string(s.batch * s.heads), run.shape.origin, whole(*run.batched_products)});
  return finding;
}

}  // namespace

std::optional<double> flops_per_s(const RunAttention& run, Part part) {
  const RunAttention::PartFacts& p = run.parts[part];
  if (!run.shape.shape.known() || p.gpu <= 0) return std::nullopt;
  return flops(run.shape.shape, part) * p.ranges / (p.gpu / 1e9);
}

std::vector<RunAttention> runs_of(const StudyView& view, const Shape& declared) {
  std::vector<RunAttention> runs;
  for (const std::size_t report : view.participants()) {
    const auto row = static_cast<Row>(report);
    RunAttention run;
    run.report = report;
    bool any = false;
    for (std::size_t part = 0; part < kPartNames.size(); ++part) {
      const std::string dims = dims_of(kPartNames[part]);
      const auto fact = view.fact(row, "attention.time_ns", dims);
      if (!fact) continue;
      any = true;
      RunAttention::PartFacts& p = run.parts[part];
      p.gpu = view.study().facts->value[*fact];
      p.evidence = static_cast<std::int64_t>(*fact);
      p.host = view.value(row, "attention.host_time_ns", dims).value_or(0);
      p.ranges = view.value(row, "attention.range_count", dims).value_or(0);
      p.products = view.value(row, "attention.product_time_ns", dims).value_or(0);
      for (std::size_t b = 0; b < kBounds; ++b) {
        const auto bound = static_cast<Bound>(b);
        const auto share =
            view.fact(row, "attention.bound_time_ratio", filled("bound={};{}", {std::string(bound_name(bound)), dims}));
        if (!share) continue;
        p.bounds.add(bound, view.study().facts->value[*share]);
        p.bound_facts.push_back(static_cast<std::int64_t>(*share));
      }
    }
    run.fused = view.attribute(report, "attention.fused_kernel").value_or(std::string_view());
    if (!any && run.fused.empty()) continue;
    run.fused_time = view.value(row, "attention.time_ns", "part=fused").value_or(0);
    run.fused_count = view.value(row, "attention.kernel_count", "part=fused").value_or(0);
    if (const auto fact = view.fact(row, "attention.time_ratio_softmax_to_matmul")) {
      run.ratio = view.study().facts->value[*fact];
      run.ratios.assign(view.samples(*fact).begin(), view.samples(*fact).end());
    }
    run.ratio_to_products = view.value(row, "attention.time_ratio_softmax_to_products");
    run.host_ratio = view.value(row, "attention.host_time_ratio_softmax_to_matmul");
    run.batched_products = view.value(row, "attention.batched_products");
    run.shape = complete(declared, view, report, run.batched_products);
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<Finding> findings(const StudyView& view, const std::vector<RunAttention>& runs) {
  std::vector<Finding> out;
  for (const RunAttention& run : runs) {
    if (run.separated()) out.push_back(separated(view, run));
    if (!run.fused.empty()) out.push_back(fused(view, run));
    if (auto evidence = bounds(view, run)) out.push_back(std::move(*evidence));
    if (auto note = doubt(view, run)) out.push_back(std::move(*note));
  }
  return out;
}

Table part_table(const StudyView& view, const std::vector<RunAttention>& runs) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  TableRows<std::string, std::string, std::int64_t, double, double, double, double, double> rows;
  for (const RunAttention& run : runs) {
    for (std::size_t i = 0; i < kPartNames.size(); ++i) {
      const RunAttention::PartFacts& part = run.parts[i];
      if (!part.evidence) continue;
      rows.add(view.path(run.report), kPartNames[i], static_cast<std::int64_t>(part.ranges), part.gpu, part.host,
               i == kSoftmax || i == kWhole ? nan : part.products,
               run.shape.shape.known() ? flops(run.shape.shape, static_cast<Part>(i)) : nan,
               flops_per_s(run, static_cast<Part>(i)).value_or(nan));
    }
  }
  return rows.table("parts", "Attention by part: GPU time and host time",
                    {{"report"},
                     {"part"},
                     {"ranges", "1"},
                     {"GPU time", "ns"},
                     {"host time", "ns"},
                     {"product kernels", "ns"},
                     {"operations per call", "1"},
                     {"operations per second", "1/s"}});
}

}  // namespace assay::attention
