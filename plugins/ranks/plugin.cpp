// What a distributed run waits for, and which rank causes it: matches the collectives of all ranks of a job.
#include <set>

#include "algo/missing_ranks.hpp"
#include "assay/algo/cells.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "emit.hpp"
#include "expert_words.hpp"
#include "metrics.hpp"
#include "words.hpp"

namespace assay::ranks {

class Ranks {
 public:
  static constexpr std::string_view kSummary = "Shows which ranks of a distributed run wait for which, and why.";
  static constexpr ColumnId kNeeds[] = {col::kernels, col::collectives};
  static constexpr ColumnId kWants[] = {col::graphs, col::copies, col::sets,       col::calls,   col::ranges,
                                        col::spans,  col::steps,  col::properties, col::declared};
  static constexpr OptionSpec kOptions[] = {
      option::number("least_excess", "0.01",
                     "A straggler takes at least this share longer than the mean of the other ranks in the same step "
                     "(own time, without waiting).")
          .within(0, 1e6),
      option::number("false_names", "0.01", "Maximum probability of naming a rank in a job whose ranks are all equal.")
          .within(1e-9, 0.5),
      {"reference", OptionType::kConditionList, "",
       "Runs on fewer ranks, by their labels (\"variant=single\"), that scaling is measured against; empty: none."},
      {"batch", OptionType::kText, "",
       "Label of the samples that a rank takes in a step, for scaling; empty: all ranks and the reference take equally "
       "many."},
      {"matches", OptionType::kBool, "false",
       "Also give tables of the ranks' clocks and of every collective on every rank, for `assay timeline`."},
      option::number("link_bytes_per_s", "0",
                     "Nominal bus bandwidth of the link between the ranks, drawn as a line; 0: unknown, the highest "
                     "measured one is drawn.")
          .within(0, 1e15),
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kRankAttributes;
  static constexpr Str kConsumes[] = {"?step.period_ns", "?compute.busy_ns", "?comm.exposed_ns"};

  explicit Ranks(const Options& options)
      : rule_{options.number("least_excess"), options.number("false_names")},
        reference_(conditions_of(options.conditions("reference"))),
        batch_(options.text("batch")),
        with_matches_(options.boolean("matches")),
        link_(options.number("link_bytes_per_s")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    constexpr double kMaxOpaque = 0.5;
    if (const double opaque = opaque_share(report); opaque > kMaxOpaque) {
      return sink.skip("rank.*", percent(opaque, 0) +
                                     " of the device time is in CUDA graphs whose kernels were not traced, collectives "
                                     "among them; record with --cuda-graph-trace=node, which adds about 2 us a kernel");
    }
    const DeviceWork work(report);
    std::vector<DeviceStep> steps = device_steps(report, work);
    std::erase_if(steps, [](const DeviceStep& s) { return !s.worked; });
    if (steps.empty())
      return report.collectives->rows == 0
                 ? sink.skip("rank.*", "no kernel communicates", SkipCause::kNoIterations)
                 : sink.skip("rank.*", "no range is a step: name those that are in [iterations]");
    emit_rank(report, work, steps, sink);
  }

  void gather(const Job& job, JobSink& sink) const {
    constexpr std::string_view kAll = "rank.*, straggler.*";
    const JobRows rows = read_job(job);
    sink.fact(kNone, "job.rank_count", static_cast<double>(rows.ranks.size()));
    if (const std::string refusal = not_one_job(rows); !refusal.empty()) {
      sink.issue(kNone, "not_one_job", Severity::kError, 0, refusal);
      return sink.skip(kNone, kAll, refusal);
    }
    emit_missing(rows, sink);
    if (rows.ranks.size() < 2)
      return sink.skip(kNone, kAll,
                       "only one rank of the job has a profile: how long it waits, and for whom, needs the others");
    const Matches matches = match(rows);
    emit_unmatched(matches, sink);
    sink.fact(kNone, "collective.matched_count", static_cast<double>(matches.all.size()));
    sink.fact(kNone, "collective.unmatched_count", static_cast<double>(matches.unmatched));
    if (matches.steps.size() < 2) return sink.skip(kNone, kAll, "the ranks have no two steps in common");
    if (matches.all.empty()) {
      emit_period(rows, matches, sink);
      return sink.skip(kNone, kAll, "no collective of the ranks could be matched");
    }
    emit_job(rows, matches, rule_, with_matches_, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<JobRun> jobs = jobs_of(view);
    if (jobs.empty())
      return sink.skip(kNone, "no profile is a rank of a job with several ranks, so there is no waiting to analyze");
    if (!reference_.empty()) scale(view, jobs, sink);
    for (const Finding& finding : findings(view, jobs)) sink.finding(finding);
    for (const Finding& finding : expert_findings(view, jobs)) sink.finding(finding);
    sink.table(job_table(view, jobs));
    sink.table(expert_job_table(view, jobs));
    sink.table(expert_table(view, jobs));
    sink.table(layer_table(view, jobs));
    for (const Plot& plot : {lanes_plot(view, jobs), waits_plot(view, jobs), bandwidth_plot(view, jobs, link_)}) {
      if (!plot.evidence.empty()) sink.plot(plot);
    }
  }

 private:
  /// Why the reports cannot be ranks of one job; empty if they can.
  static std::string not_one_job(const JobRows& rows) {
    std::set<std::int64_t> seen;
    for (const RankRows& rank : rows.ranks) {
      if (!seen.insert(rank.number).second)
        return "rank " + std::to_string(rank.number) + " has two profiles; remove one of them";
      if (rows.world > 0 && rank.number >= rows.world)
        return filled("rank {} is not a rank of a job of {} ranks",
                      {std::to_string(rank.number), std::to_string(rows.world)});
      const RankRows& first = rows.ranks.front();
      if (!rank.master.empty() && !first.master.empty() && rank.master != first.master)
        return filled("ranks {} and {} used different master addresses, so they belong to different jobs",
                      {std::to_string(first.number), std::to_string(rank.number)});
    }
    return {};
  }

  static void emit_missing(const JobRows& rows, JobSink& sink) {
    const auto world = static_cast<std::size_t>(rows.world);
    if (rows.world <= 0 || rows.ranks.size() >= world) return;
    sink.issue(kNone, "missing_ranks", Severity::kWarning, static_cast<std::int64_t>(world - rows.ranks.size()),
               filled("{} of the job have profiles ({}); waiting and times without waiting are bounds.",
                      {counted_of(rows.ranks.size(), world, "rank"), missing_ranks_text(rows.numbers(), world)}));
  }

  static void emit_unmatched(const Matches& matches, JobSink& sink) {
    for (const std::string& refused : matches.refused)
      sink.issue(kNone, "unlike_collectives", Severity::kError, 0, refused);
    if (!matches.dropped_steps.empty()) {
      sink.issue(kNone, "steps_not_in_common", Severity::kInfo, static_cast<std::int64_t>(matches.dropped_steps.size()),
                 filled("Not all ranks have step {}{}; only the common steps are compared.",
                        {std::to_string(matches.dropped_steps.front()),
                         matches.dropped_steps.size() > 1 ? " and others" : ""}));
    }
  }

  [[nodiscard]] std::optional<double> batch_of(const StudyView& view, std::size_t report) const {
    if (batch_.empty()) return 1;
    const auto label = view.label(batch_);
    const auto at = label ? view.label_value(report, *label) : std::nullopt;
    return at ? std::optional(view.study().label_values->order[*at]) : std::nullopt;
  }

  void scale(const StudyView& view, const std::vector<JobRun>& jobs, StudySink& sink) const {
    const auto is_export = [&](std::size_t report) { return view.path(report).ends_with(".sqlite"); };
    for (const JobRun& job : jobs) {
      const auto row = static_cast<Row>(job.first);
      const auto period = view.value(row, "job.step_period_ns");
      if (!period || meets(view, job.first, reference_)) continue;
      std::optional<double> reference, reference_batch;
      for (const std::size_t r : view.participants()) {
        if (reference || !meets(view, r, reference_) || is_export(r) != is_export(job.first)) continue;
        reference = view.value(static_cast<Row>(r), "job.step_period_ns");
        if (!reference) reference = view.value(static_cast<Row>(r), "step.period_ns");
        reference_batch = batch_of(view, r);
      }
      if (!reference) {
        sink.skip(row, "no run is the reference on fewer ranks");
        continue;
      }
      sink.report_fact(row, "scaling.time_ratio", *reference / *period);
      double batch = 0;
      bool known = reference_batch && *reference_batch > 0;
      for (const std::size_t r : job.reports) {
        const auto own = batch_of(view, r);
        known = known && own;
        batch += own.value_or(0);
      }
      if (!known) {
        sink.skip(row, "the label '" + batch_ + "' is not known for all ranks, so no efficiency is given");
        continue;
      }
      const double share = batch / static_cast<double>(job.reports.size()) / *reference_batch;
      sink.report_fact(row, "scaling.efficiency_ratio", share * *reference / *period);
    }
  }

  NamingRule rule_;
  std::vector<LabelCondition> reference_;
  std::string batch_;
  bool with_matches_;
  double link_;  ///< bytes/s; 0: unknown
};

ASSAY_PLUGIN("ranks", "1.0.0", Ranks);

}  // namespace assay::ranks
