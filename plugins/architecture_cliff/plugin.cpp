// Finds the value of an ordered label at which a metric jumps, and tests whether the label or the launch-bound state
// explains it.
#include "assay/sdk.hpp"
#include "plots.hpp"
#include "rival.hpp"
#include "shape.hpp"
#include "sweep.hpp"
#include "words.hpp"

namespace assay::cliff {

class ArchitectureCliff {
 public:
  static constexpr std::string_view kSummary = "Finds the label value at which a metric jumps, stratum by stratum.";
  static constexpr OptionSpec kOptions[] = {
      {"metric", OptionType::kMetric, "gpu.kernel_busy_ratio",
       "Metric that is swept; a ratio inside 0..1 or positive."},
      {"axis", OptionType::kLabel, "dim", "Ordered label that is swept."},
      {"strata", OptionType::kLabelList, "patch", "Labels whose values are judged apart."},
      {"block", OptionType::kLabelList, "depth", "Labels that shift the metric and are fitted as blocks."},
      option::number("min_share", "0.8", "Share of the rise that one step must carry to be a cliff.").within(0, 1),
      option::number("max_share", "1.2",
                     "Share of the rise that it may carry; beyond it the metric falls again after the step.")
          .within(1, 10),
      option::number("k", "3", "Times the residual spread that a step or rise must exceed.").within(0, 1000),
      {"flat",
       OptionType::kNumber,
       "0.1",
       "Runs after a cliff form a plateau if the metric differs by less than this.",
       {},
       0},
      {"rival_numerator", OptionType::kMetric, "kernel.time_mean_ns",
       "Rival explanation: device time of one kernel ..."},
      {"rival_denominator", OptionType::kMetric, "launch.interval_median_ns",
       "... over the time in which the host launches one."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"cliff.found", "1", Polarity::kNeutral, "1 if the stratum has a cliff, else 0; dims: the stratum's labels.",
       "whether there is a cliff"},
      {"cliff.step_share", "ratio", Polarity::kNeutral, "Share of the fitted rise that the largest step carries.",
       "share of the rise in the largest step"},
      {"cliff.rise", "1", Polarity::kNeutral,
       "Fitted rise from the lowest to the highest level, on the logit (or log) scale.",
       "rise from the lowest to the highest level"},
      {"cliff.residual_sd", "1", Polarity::kNeutral, "Spread of the runs around the fit, on the same scale.",
       "spread of the runs around the fit"},
      {"cliff.split_errors", "1", Polarity::kLowerIsBetter,
       "Misclassified runs when one threshold predicts which runs are above the metric's widest gap; dims: by=axis and "
       "by=score, at the threshold with the fewest errors, or by=launch_bound, at the score 1.",
       "misclassified runs"},
  };

  explicit ArchitectureCliff(const Options& o)
      : names_{std::string(o.metric("metric")),
               std::string(o.label("axis")),
               std::string(o.metric("rival_numerator")),
               std::string(o.metric("rival_denominator")),
               {o.number("min_share"), o.number("max_share"), o.number("k"), o.number("flat")}},
        strata_(o.strings("strata")),
        block_(o.strings("block")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<Unmatched> left_out;
    const std::vector<Sweep> all = sweeps(view, names_.metric, names_.axis, strata_, block_, left_out);
    for (const Unmatched& u : left_out) sink.skip(static_cast<Row>(u.report), u.reason);
    if (all.empty()) return sink.skip(kNone, "no run has " + names_.metric + " and the labels of the sweep");

    Names names = names_;
    names.level = view.level();
    const std::vector<Shape> shapes = shapes_of(all, names.thresholds, names.level);
    for (std::size_t s = 0; s < all.size(); ++s) emit(all[s], shapes[s], sink);
    const std::string apart = labels_beyond(all, strata_);
    if (!apart.empty())
      sink.skip(kNone, "the launch-bound state is not compared with " + names.axis + ": runs that differ in " + apart +
                           " are never compared");
    const auto rival =
        apart.empty() ? rival_of(view, all, names.axis, names.numerator, names.denominator) : std::nullopt;
    sink.finding(answer(names, all, shapes, rival));
    for (std::size_t s = 0; s < all.size(); ++s) sink.finding(stratum_finding(names, all[s], shapes[s]));
    if (rival) {
      sink.fact("cliff.split_errors", static_cast<double>(rival->by_axis.errors), {{"by", "axis"}});
      sink.fact("cliff.split_errors", static_cast<double>(rival->by_score.errors), {{"by", "score"}});
      sink.fact("cliff.split_errors", static_cast<double>(rival->by_launch_bound.errors), {{"by", "launch_bound"}});
      sink.finding(rival_finding(names, all, shapes, *rival));
    }
    sink.plot(sweep_plot(view, names, block_, all, shapes, rival));
    sink.table(level_table(view, names, all));
  }

 private:
  static void emit(const Sweep& sweep, const Shape& shape, StudySink& sink) {
    if (shape.kind == Kind::kUnfit) return;
    const std::vector<Dim> dims = dims_of(sweep.labels);
    sink.fact("cliff.found", shape.kind == Kind::kCliff ? 1 : 0, dims);
    sink.fact("cliff.step_share", shape.share, dims);
    sink.fact("cliff.rise", shape.fit.rise(), dims);
    sink.fact("cliff.residual_sd", shape.fit.residual_sd, dims);
  }

  Names names_;
  std::vector<std::string> strata_, block_;
};

ASSAY_PLUGIN("architecture_cliff", "1.0.0", ArchitectureCliff);

}  // namespace assay::cliff
