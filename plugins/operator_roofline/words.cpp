#include "words.hpp"

#include <algorithm>

#include "assay/algo/dims.hpp"
#include "assay/words.hpp"

namespace assay::roofline {
namespace {

std::string file_stem(std::string_view path) {
  path.remove_prefix(std::min(path.size(), path.rfind('/') + 1));
  return std::string(path.substr(0, path.find('.')));
}

/// "1 matrix product", "48 matrix products", or "matrix product" if the number is unknown; kinds without a plural are
/// "... calls".
std::string counted_kind(std::optional<double> number, const std::string& kind) {
  if (!number) return kind;
  const double count = *number;
  const bool plural = kind.ends_with("product") || kind.ends_with("convolution") || kind.ends_with("norm") ||
                      kind.ends_with("kernel") || kind.ends_with("reduction");
  if (plural) return counted(static_cast<std::size_t>(count), kind);
  return counted(static_cast<std::size_t>(count), (kind == "copy" ? "copy" : kind) + " call");
}

struct Kind {
  std::string name;
  double time = 0;
  std::optional<double> count, roof;
};

/// The kind with the most time; empty if no operator has a model.
std::optional<Kind> largest_kind(const StudyView& view, std::size_t report) {
  std::optional<Kind> best;
  view.each_fact(report, "operator_kind.time_ns", [&](std::size_t fact) {
    const double time = view.study().facts->value[fact];
    if (best && time <= best->time) return;
    const std::string_view dims = view.study().facts->dims[fact];
    best = Kind{dim_value(dims, "kind").value_or(""), time, view.value(report, "operator_kind.count", dims),
                view.value(report, "operator_kind.roof_ratio", dims)};
  });
  return best;
}

const Point* largest_gain(const RunRoofline& run) {
  const auto at =
      std::ranges::max_element(run.points, [](const Point& a, const Point& b) { return a.above < b.above; });
  return at == run.points.end() || at->above <= 0.0 ? nullptr : &*at;
}

std::string name_of(const Point& point) {
  return point.shapes.empty() ? point.name : filled("{} ({})", {point.name, point.shapes});
}

constexpr std::string_view kFp8Peak = "dense fp8 peak";

/// `fp8`: over the peak of fp8 where the device has one, so that all runs of a question have one denominator.
std::optional<double> mfu_of(const StudyView& view, std::size_t report, bool fp8) {
  const auto mfu = view.value(report, "step.mfu_ratio");
  const auto own = view.value(report, "peak.flops_per_s", "type=fp16"),
             of = view.value(report, "peak.flops_per_s", "type=fp8");
  const bool other = fp8 && own && of && !view.attribute(report, "step.mfu_peak").value_or("").starts_with(kFp8Peak);
  return mfu && other ? std::optional(*mfu * *own / *of) : mfu;
}

}  // namespace

std::vector<RunRoofline> runs_of(const StudyView& view) {
  std::vector<RunRoofline> runs;
  for (const std::size_t report : view.participants()) {
    RunRoofline run;
    run.report = report;
    view.each_fact(report, "operator.time_ns", [&](std::size_t fact) {
      run.evidence.push_back(static_cast<std::int64_t>(fact));
      const std::string_view dims = view.study().facts->dims[fact];
      const auto name = dim_value(dims, "operator");
      if (!name) return;
      const auto of = [&](std::string_view metric) { return view.value(report, metric, dims); };
      const auto count = of("operator.count");
      if (!count) return;  // both are emitted together
      run.points.push_back({*name, dim_value(dims, "shapes").value_or(""), view.study().facts->value[fact], *count,
                            of("operator.flops"), of("operator.least_bytes"), of("operator.roof_ratio"),
                            of("operator.above_roof_ns")});
    });
    if (!run.evidence.empty()) runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<Finding> findings(const StudyView& view, const std::vector<RunRoofline>& runs) {
  std::vector<Finding> out;
  const auto peak_of = [&](const RunRoofline& run) { return view.attribute(run.report, "step.mfu_peak").value_or(""); };
  const bool fp8 =
      std::ranges::any_of(runs, [&](const RunRoofline& run) { return peak_of(run).starts_with(kFp8Peak); });
  for (const RunRoofline& run : runs) {
    const auto time = view.value(run.report, "operator.time_ns");
    const auto missing = view.value(run.report, "operator.unmodelled_time_ratio");
    const auto mfu = mfu_of(view, run.report, fp8);
    const auto kind = largest_kind(view, run.report);
    if (!time || *time <= 0) continue;
    Finding finding;
    finding.role = FindingRole::kAnswer;
    finding.evidence = run.evidence;
    finding.title = file_stem(view.path(run.report)) + ": ";
    if (!kind) {
      finding.title += "no operator has a model";
      finding.text =
          "No operator that launched kernels has both a formula and recorded shapes (in PyTorch record_shapes=True).";
      out.push_back(std::move(finding));
      continue;
    }
    finding.title +=
        percent(kind->time / *time, 0) + " of the operators' GPU time is " + counted_kind(kind->count, kind->name);
    if (kind->roof) finding.title += " at " + percent(*kind->roof, 0) + " of their roof";
    constexpr double kWorthSaying = 0.01;  // share of the operators' time without a model, which may compute too
    if (mfu) finding.title += (!missing || *missing >= kWorthSaying ? ", MFU at least " : ", MFU ") + percent(*mfu);
    if (const Point* gain = largest_gain(run)) {
      finding.text = filled("The largest gain is {}: {} above its roof of {}. ",
                            {name_of(*gain), time_text(*gain->above), time_text(gain->time - *gain->above)});
    }
    if (missing && *missing > 0) finding.text += percent(*missing) + " of the operators' GPU time has no model. ";
    const auto sources = view.attribute(run.report, "peak.sources");
    if (sources && kind->roof) finding.text += "The roof: " + std::string(*sources) + ". ";
    if (mfu)
      finding.text += filled("MFU is of the {}. ", {fp8 && view.value(run.report, "peak.flops_per_s", "type=fp8")
                                                        ? "dense fp8 peak, as one of these profiles computes in fp8"
                                                        : std::string(peak_of(run))});
    finding.text +=
        "A roof is the longer of FLOPs over the dense peak and least bytes over the bandwidth of memory; the time "
        "above it is an upper bound on the gain that no kernel fully reaches.";
    out.push_back(std::move(finding));
  }
  return out;
}

Table gain_table(const StudyView& view, const std::vector<RunRoofline>& runs, std::size_t top) {
  struct Gain {
    std::string_view report;
    const Point* point;
  };
  std::vector<Gain> gains;
  for (const RunRoofline& run : runs) {
    for (const Point& point : run.points)
      if (point.above > 0.0) gains.push_back({view.path(run.report), &point});
  }
  std::ranges::stable_sort(gains, [](const Gain& a, const Gain& b) { return a.point->above > b.point->above; });
  if (gains.size() > top) gains.resize(top);
  Table table("gains", "What could be gained at most");
  table.column("report", "", gains, [](const Gain& g) { return std::string(g.report); })
      .column("operator", "", gains, [](const Gain& g) { return g.point->name; })
      .column("shapes", "", gains, [](const Gain& g) { return g.point->shapes; })
      .column("calls", "1", gains, [](const Gain& g) { return g.point->count; })
      .column("time", "ns", gains, [](const Gain& g) { return g.point->time; })
      .column("above roof", "ns", gains, [](const Gain& g) { return *g.point->above; })
      .column("roof", "ratio", gains, [](const Gain& g) { return g.point->roof; });
  return table;
}

}  // namespace assay::roofline
