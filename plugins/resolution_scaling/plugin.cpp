// How cost and efficiency change with the resolution of the input, model by model.
#include "assay/sdk.hpp"
#include "growth.hpp"
#include "parts.hpp"
#include "words.hpp"

namespace assay::scaling {

class ResolutionScaling {
 public:
  static constexpr std::string_view kSummary =
      "Fits how cost grows along a numeric label, tells which part grows, and whether efficiency is kept.";
  static constexpr OptionSpec kOptions[] = {
      {"axis", OptionType::kLabel, "px", "Numeric label that is swept; everything else is held fixed."},
      {"efficiency", OptionType::kMetricList, "gpu.kernel_busy_ratio, gpu.busy_ratio",
       "Metrics that are shown at every level."},
      {"cost", OptionType::kMetricList, "iteration.gpu_busy_ns, iteration.period_ns",
       "Metrics whose power law along the axis is fitted."},
      {"attention", OptionType::kText, "attention", "Class of kernel_breakdown that is attention."},
      {"bent_at",
       OptionType::kNumber,
       "3",
       "A line describes the points while they leave it by less than this many times the spread between equal runs.",
       {},
       0,
       1000},
  };
  static constexpr MetricSpec kProduces[] = {
      {"scaling.exponent", "1", Polarity::kNeutral,
       "Exponent a of metric ~ label^a, least squares on logs; dims: metric and the sweep's labels."},
      {"scaling.local_exponent", "1", Polarity::kNeutral,
       "The exponent between two neighbouring levels; dims: metric, from, to and the sweep's labels."},
      {"scaling.part_ratio", "ratio", Polarity::kNeutral,
       "Share of copies, attention or other kernels in the summed copy and kernel time of an iteration; dims: part, "
       "level and the sweep's labels."},
  };
  static constexpr Str kConsumes[] = {"kernel.time_sum_ns", "copy.time_sum_ns",          "iteration.count",
                                      "fingerprint",        "?kernel_class.time_sum_ns", "?label.verdict"};

  explicit ResolutionScaling(const Options& options)
      : names_{std::string(options.label("axis")), texts(options.metrics("efficiency")),
               texts(options.metrics("cost"))},
        attention_(options.text("attention")),
        bent_at_(options.number("bent_at")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<Unmatched> left_out;
    const std::vector<SweepResult> results = measure(view, left_out);
    for (const Unmatched& u : left_out) sink.skip(static_cast<Row>(u.report), u.reason);
    if (results.empty()) return sink.skip(kNone, "no report has a value of the label " + names_.axis);
    emit_facts(results, sink);
    sink.finding(answer(names_, results));
    for (const Finding& finding : evidence(names_, results, kLevel)) sink.finding(finding);
    sink.table(level_table(view, names_, results));
  }

 private:
  static constexpr double kLevel = 0.95;

  static std::vector<std::string> texts(std::span<const Str> list) {
    std::vector<std::string> out;
    for (const Str& text : list) out.emplace_back(text.view());
    return out;
  }

  std::vector<SweepResult> measure(const StudyView& view, std::vector<Unmatched>& left_out) const {
    std::vector<NoiseFloor> floors;
    for (const std::string& metric : names_.cost) floors.push_back(noise_floor(view, metric, {}, names_.axis));
    std::vector<SweepResult> results;
    for (LabelSweep& sweep : sweeps_along(view, names_.axis, left_out)) {
      SweepResult result;
      for (std::size_t m = 0; m < names_.cost.size(); ++m) {
        result.costs.push_back(growth_of(points_of(view, sweep, names_.cost[m]), floors[m], kLevel, bent_at_));
      }
      for (const std::string& metric : names_.efficiency) result.efficiency.push_back(points_of(view, sweep, metric));
      result.parts = parts_of(view, sweep, attention_);
      result.sweep = std::move(sweep);
      results.push_back(std::move(result));
    }
    return results;
  }

  static std::vector<Dim> dims_of(const LabelSweep& sweep, std::vector<Dim> dims) {
    for (const auto& [name, value] : sweep.labels) dims.push_back({name, value});
    return dims;
  }

  void emit_facts(const std::vector<SweepResult>& results, StudySink& sink) const {
    for (const SweepResult& result : results) {
      const auto text = [&](std::size_t level) -> const std::string& { return result.sweep.levels[level].text; };
      for (std::size_t m = 0; m < names_.cost.size(); ++m) {
        const auto& growth = result.costs[m];
        if (!growth) continue;
        const Dim metric{"metric", names_.cost[m]};
        sink.fact("scaling.exponent", growth->exponent, dims_of(result.sweep, {metric}));
        for (std::size_t i = 0; i < growth->local.size(); ++i) {
          sink.fact(
              "scaling.local_exponent", growth->local[i],
              dims_of(result.sweep,
                      {metric, {"from", text(growth->points[i].level)}, {"to", text(growth->points[i + 1].level)}}));
        }
      }
      for (const LevelParts& at : result.parts.levels) {
        for (const Part part : {kCopies, kAttention, kOtherKernels}) {
          if (part != kCopies && !result.parts.attention_known) continue;
          sink.fact("scaling.part_ratio", at.share(part),
                    dims_of(result.sweep, {{"part", kPartNames[part]}, {"level", text(at.level)}}));
        }
      }
    }
  }

  Names names_;
  std::string attention_;
  double bent_at_;
};

ASSAY_PLUGIN("resolution_scaling", "1.0.0", ResolutionScaling);

}  // namespace assay::scaling
