// What determines the duration of an iteration? The run is replayed with and without single changes.
#include <algorithm>
#include <stdexcept>

#include "assay/algo/summary.hpp"
#include "assay/sdk.hpp"
#include "measure.hpp"
#include "words.hpp"

namespace assay::critical {

class CriticalPath {
 public:
  static constexpr std::string_view kSummary =
      "Replays a run: what the critical path of an iteration goes through, and what single changes would gain.";
  static constexpr ColumnId kNeeds[] = {col::kernels, col::calls};
  static constexpr ColumnId kWants[] = {col::kernel_name,     col::kernel_short_name,
                                        col::kernel_op,       col::graphs,
                                        col::copies,          col::copy_direction,
                                        col::copy_bytes,      col::sets,
                                        col::syncs,           col::copy_memory_kinds,
                                        col::set_memory_kind, col::call_name,
                                        col::call_op,         col::sync_record,
                                        col::ranges,          col::spans,
                                        col::steps,           col::ops,
                                        col::op_sequence,     col::collectives,
                                        col::devices};
  static constexpr OptionSpec kOptions[] = {
      {"rules", OptionType::kTextList, "", "Rules 'class: word | word & !word' for the class of a kernel."},
      {"own_rules", OptionType::kTextList, "", "Rules of your own, tried before 'rules'."},
      {"rules_version", OptionType::kText, "", "Version of the rules, shown with the results."},
      option::integer("rows", "20", "Names in the table of each report, of each kind.").within(1, 10000),
      option::integer("names", "10",
                      "Names on the path with facts of their own, those with the most time; the others are '(other)'.")
          .within(1, 1000),
      option::integer("most_calls", "400000",
                      "API calls that are replayed: of longer captures whole iterations from the first on.")
          .within(1000, 2000000000),
  };
  static constexpr MetricSpec kProduces[] = {
      {"critical_path.time_ratio", "ratio", Polarity::kNeutral,
       "Share of the iterations that their critical paths spend on a part; dims: part. Over the parts it is 1.",
       "share of the critical path"},
      {kNameRatio, "ratio", Polarity::kNeutral,
       "Share of the iterations that their critical paths spend on a part under a name: that of the operator; in "
       "profiles without operators that of the kernel, of all else that of the NVTX range; dims: part, name. Over all "
       "it is 1.",
       "share of the critical path under a name"},
      {"critical_path.iteration_ns", "ns", Polarity::kLowerIsBetter,
       "Length of an iteration in the replay, from its start to that of the next; median.",
       "length of an iteration in the replay"},
      {"replay.drift_ratio", "ratio", Polarity::kLowerIsBetter,
       "How far the lengths of iterations are off in a replay without a change, with lags as seen and at the run's "
       "median, the larger; median over iterations.",
       "error of the replay without a change"},
      {"replay.worst_drift_ratio", "ratio", Polarity::kLowerIsBetter, "The same, of the worst iteration.",
       "largest error of the replay without a change"},
      {"replay.gain_ratio", "ratio", Polarity::kNeutral,
       "Share of the mean step that would be saved without a cost, as the replay predicts it; no step is shorter than "
       "its device work. Dims: change, as 'assay whatif --remove' takes it. Only where it is more than the drift, and "
       "where steps of the replay without a change take as long as recorded, by 3 %.",
       "predicted gain"},
      {"replay.gain_at_least", "1", Polarity::kNeutral,
       "1 for a gain after which a step ends on the host, which a profiler slows: without it more is gained; dims: "
       "change.",
       "predicted gain that is a lower bound"},
      {"replay.gain_none", "1", Polarity::kNeutral,
       "1 for a change that gains no more than the replay is off by without one; dims: change.",
       "change without a predicted gain"},
  };
  static constexpr AttributeSpec kAttributes[] = {
      {"critical_path.rules", "Version of the rules that gave the classes of the kernels."},
  };
  static constexpr Str kConsumes[] = {"critical_path.time_ratio", kNameRatio, "critical_path.iteration_ns",
                                      "replay.gain_ratio"};

  explicit CriticalPath(const Options& options)
      : classes_(kernel_rules_of(options)),
        settings_{static_cast<std::size_t>(options.integer("most_calls"))},
        rows_(static_cast<std::size_t>(options.integer("rows"))),
        names_(static_cast<std::size_t>(options.integer("names"))),
        rules_version_(options.text("rules_version")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    constexpr std::string_view all = "critical_path.*, replay.*";
    PathMeasurement measured;
    try {
      measured = measure(report, classes_, settings_);
    } catch (const std::invalid_argument& problem) {
      return sink.skip(all, std::string("the run cannot be replayed: ") + problem.what());
    }
    if (!rules_version_.empty()) sink.attribute("critical_path.rules", rules_version_);
    sink.fact("critical_path.iteration_ns", median(measured.lengths), measured.lengths);
    sink.fact("replay.drift_ratio", measured.drift.median);
    sink.fact("replay.worst_drift_ratio", measured.drift.worst);
    double sum = 0;
    for (const double length : measured.lengths) sum += length;
    for (const replay::PathEntry& entry : measured.split.front()) {
      if (sum <= 0 || entry.total == 0) continue;
      const std::string part = entry.name.substr(1, entry.name.size() - 2);
      sink.fact("critical_path.time_ratio", static_cast<double>(entry.total) / sum,
                shares_of(entry.time, measured.lengths), {{"part", part}});
    }
    for (const replay::PathPartEntry& entry : largest_names(measured.parts, names_)) {
      if (sum > 0)
        sink.fact(kNameRatio, static_cast<double>(entry.total) / sum, shares_of(entry.time, measured.lengths),
                  {{"part", replay::part_name(entry.part)}, {"name", entry.name}});
    }
    for (const lever::Gain& gain : measured.gains) {
      const std::string change = lever::text_of(gain.lever);
      sink.fact("replay.gain_ratio", gain.share, gain.shares, {{"change", change}});
      if (gain.at_least) sink.fact("replay.gain_at_least", 1, {{"change", change}});
    }
    for (const std::string& change : measured.lost) sink.fact("replay.gain_none", 1, {{"change", change}});
    sink.table(path_table(measured, rows_));
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<Run> runs = runs_of(view);
    if (runs.empty()) return sink.skip(kNone, "no report could be replayed, so nothing is known of critical paths");
    for (const Finding& finding : findings(view, runs)) sink.finding(finding);
    sink.plot(path_plot(view, runs));
    if (std::ranges::any_of(runs, [](const Run& run) { return !run.names.empty(); })) sink.plot(names_plot(view, runs));
  }

 private:
  /// Of each iteration.
  static std::vector<double> shares_of(const std::vector<std::int64_t>& time, const std::vector<double>& lengths) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < time.size(); ++i)
      shares.push_back(lengths[i] > 0 ? static_cast<double>(time[i]) / lengths[i] : 0);
    return shares;
  }

  NameRules classes_;
  Settings settings_;
  std::size_t rows_, names_;
  std::string rules_version_;
};

ASSAY_PLUGIN("critical_path", "1.0.0", CriticalPath);

}  // namespace assay::critical
