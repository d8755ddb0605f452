// The cost of communication between devices for one rank: hidden, exposed, on which stream, and how much it slows down
// compute.
#include <algorithm>
#include <vector>

#include "assay/algo/cells.hpp"
#include "assay/sdk.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"
#include "metrics.hpp"
#include "slowdown.hpp"

namespace assay::communication {
namespace {

struct Run {
  std::size_t report = 0;
  double window = 0, busy = 0, exposed = 0, overlap = 0, same_stream = 0;
  std::vector<std::int64_t> facts;
};

std::vector<Run> runs_of(const StudyView& view, const std::vector<std::size_t>& reports) {
  std::vector<Run> runs;
  for (const std::size_t r : reports) {
    const auto row = static_cast<Row>(r);
    Run run{r, 0, 0, 0, 0, 0, {}};
    const auto value = [&](std::string_view metric) {
      const auto fact = view.fact(row, metric);
      if (fact) run.facts.push_back(static_cast<std::int64_t>(*fact));
      return fact ? view.study().facts->value[*fact] : 0;
    };
    run.window = value("step.window_ns");
    run.busy = value("comm.busy_ns");
    run.exposed = value("comm.exposed_ns");
    run.overlap = value("comm.overlap_ratio");
    run.same_stream = value("comm.same_stream_ratio");
    if (run.window > 0) runs.push_back(std::move(run));
  }
  return runs;
}

/// If more than this share of the communication runs on compute streams, the answer states that it cannot overlap.
constexpr double kMostly = 0.5;

/// One finding for all runs: what is hidden, what is exposed, what cannot overlap. None without communication.
std::vector<Finding> findings(const StudyView& view, const std::vector<std::size_t>& reports) {
  std::vector<Run> runs = runs_of(view, reports);
  std::erase_if(runs, [](const Run& r) { return r.busy <= 0; });
  if (runs.empty()) return {};
  std::vector<double> exposed, overlap;
  Finding f;
  f.role = FindingRole::kAnswer;
  const Run* most = &runs.front();
  std::vector<std::string> serial;
  for (const Run& r : runs) {
    exposed.push_back(100 * r.exposed / r.window);
    overlap.push_back(100 * r.overlap);
    if (r.exposed / r.window > most->exposed / most->window) most = &r;
    if (r.same_stream > kMostly) serial.emplace_back(view.path(r.report));
    f.evidence.insert(f.evidence.end(), r.facts.begin(), r.facts.end());
  }
  const auto [least, greatest] = std::minmax_element(exposed.begin(), exposed.end());
  const auto [low, high] = std::minmax_element(overlap.begin(), overlap.end());
  f.title =
      filled("Exposed communication takes {} % of a step on the device; {} % of communication is hidden behind compute",
             {low_to_high(*least, *greatest, 1), low_to_high(*low, *high, 0)});
  f.text = filled(
      "Most communication is exposed in {}: {} of {} a step, communicating for {}. This includes waiting for other "
      "ranks, which the profile of one rank cannot separate; the analyzer ranks does, from all ranks of a job.",
      {view.path(most->report), time_text(most->exposed), time_text(most->window), time_text(most->busy)});
  std::vector<Finding> out = {std::move(f)};
  if (serial.empty()) return out;
  Finding stream;
  stream.title = "In " + counted_of(serial.size(), runs.size(), "profile") +
                 " communication runs on the stream of compute, where the two cannot overlap";
  stream.text = filled(
      "So it is in {}{}. A stream of its own, or reducing gradients during the backward pass, would let it overlap.",
      {serial.front(), serial.size() > 1 ? " and " + counted(serial.size() - 1, "other") : std::string()});
  out.push_back(std::move(stream));
  return out;
}

/// One row per profile.
Table report_table(const StudyView& view, const std::vector<std::size_t>& reports) {
  Table table("reports", "Communication by profile, mean step");
  const auto metric = [&](std::string_view id) {
    return [&view, id](std::size_t r) { return view.value(static_cast<Row>(r), id); };
  };
  table.column("report", "", reports, [&](std::size_t r) { return view.path(r); });
  table.column("step", "ns", reports, metric("step.window_ns"));
  table.column("compute alone", "ns", reports, metric("compute.only_ns"));
  table.column("hidden communication", "ns", reports, metric("comm.overlap_ns"));
  table.column("exposed communication", "ns", reports, metric("comm.exposed_ns"));
  table.column("copies alone", "ns", reports, metric("copy.only_ns"));
  table.column("idle", "ns", reports, metric("comm.idle_ns"));
  table.column("hidden share", "ratio", reports, metric("comm.overlap_ratio"));
  table.column("compute slowed", "ratio", reports, metric("compute.slowdown_ratio"));
  return table;
}

/// Shares of the mean step.
Plot parts_plot(const StudyView& view, const std::vector<std::size_t>& reports) {
  constexpr std::size_t kMaxBars = 64;
  // In the order of the colours: exposed is red, hidden is green.
  constexpr std::pair<std::string_view, std::string_view> kParts[] = {{"compute.only_ns", "compute"},
                                                                      {"comm.exposed_ns", "exposed communication"},
                                                                      {"comm.overlap_ns", "hidden communication"},
                                                                      {"copy.only_ns", "copies"},
                                                                      {"comm.idle_ns", "idle"}};
  TableRows<std::string, std::string, double> rows;
  Plot plot;
  const std::size_t drawn = std::min(reports.size(), kMaxBars);
  for (std::size_t i = 0; i < drawn; ++i) {
    const auto row = static_cast<Row>(reports[i]);
    const double window = view.value(row, "step.window_ns").value_or(0);
    for (const auto& [metric, part] : kParts) {
      const auto fact = view.fact(row, metric);
      if (!fact || window <= 0) continue;
      rows.add(view.path(reports[i]), part, view.study().facts->value[*fact] / window);
      plot.evidence.push_back(static_cast<std::int64_t>(*fact));
    }
  }
  plot.id = "parts";
  plot.title = "What the device does in a step";
  plot.caption = "Each bar is the mean step of one profile, from first to last device work; the parts add up to it.";
  if (drawn < reports.size())
    plot.caption += " The first " + counted_of(drawn, reports.size(), "profile") + ", by path.";
  plot.x = {"share of a step", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"report", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "part of the step";
  Table table = rows.table("parts", plot.title, {{"report"}, {"part"}, {"share", "ratio"}});
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "report", {}, {}, "part", {}}});
  return plot;
}

}  // namespace

class Communication {
 public:
  static constexpr std::string_view kSummary = "Shows what communication between devices costs in a step of one rank.";
  static constexpr ColumnId kNeeds[] = {col::kernels, col::collectives};
  static constexpr ColumnId kWants[] = {col::kernel_name, col::kernel_grid, col::graphs, col::copies, col::sets,
                                        col::calls,       col::ranges,      col::spans,  col::steps};
  static constexpr OptionSpec kOptions[] = {
      {"reference", OptionType::kConditionList, "",
       "Runs without communication, by their labels (\"variant=single\"), that compute is compared with; empty: none."},
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;

  explicit Communication(const Options& options) : reference_(conditions_of(options.conditions("reference"))) {}

  void analyze(const Report& report, ReportSink& sink) const {
    if (const double opaque = opaque_share(report); opaque > kMaxOpaque) {
      return sink.skip("comm.*, compute.*", percent(opaque, 0) +
                                                " of the device time is in CUDA graphs whose kernels were not traced; "
                                                "record with --cuda-graph-trace=node, which adds about 2 us a kernel");
    }
    const DeviceWork work(report);
    const Interval extent = work.extent();
    if (extent.end <= extent.start) return sink.skip("comm.*, compute.*", "the device did nothing");
    emit_capture(work.parts(extent), sink);
    sink.fact("comm.kernel_count", static_cast<double>(report.collectives->rows));
    if (const std::string streams = streams_text(report); !streams.empty()) sink.attribute("comm.streams", streams);
    if (const auto same = same_stream_ratio(report, work)) sink.fact("comm.same_stream_ratio", *same);
    std::vector<DeviceStep> steps = device_steps(report, work);
    std::erase_if(steps, [](const DeviceStep& s) { return !s.worked; });
    if (steps.empty())
      return report.collectives->rows == 0
                 ? sink.skip("step.*", "no kernel communicates", SkipCause::kNoIterations)
                 : sink.skip("step.*", "no range is a step: name those that are in [iterations]");
    std::vector<MeasuredStep> measured;
    for (const DeviceStep& step : steps) measured.push_back({&step, work.parts(step.window)});
    emit_steps(measured, sink);
    if (report.collectives->rows > 0) emit_collectives(collectives_of(report, steps), steps.size() > 1 ? 1 : 0, sink);
    if (!reference_.empty() && report.kernels->name.present() && report.kernels->grid_x.present())
      emit_places(places_of(report, work, averaged(measured)), sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<std::size_t> reports;
    for (const std::size_t r : view.participants()) {
      if (view.fact(static_cast<Row>(r), "step.window_ns")) reports.push_back(r);
    }
    if (reports.empty()) return sink.skip(kNone, "no profile has steps, so communication cannot be analyzed");
    if (!reference_.empty()) compare_with_reference(view, reports, sink);
    for (const Finding& finding : findings(view, reports)) sink.finding(finding);
    sink.table(report_table(view, reports));
    sink.plot(parts_plot(view, reports));
  }

 private:
  static constexpr double kMaxOpaque = 0.5;
  static constexpr double kMinMatched = 0.9;  ///< share of compute time that must be found in the reference

  /// Share of device time in graphs traced as a whole.
  static double opaque_share(const Report& report) {
    if (report.graphs == nullptr || report.graphs->rows == 0) return 0;
    const auto length = [](const auto& table) {
      double sum = 0;
      for (std::size_t r = 0; r < table.rows; ++r) sum += static_cast<double>(table.end[r] - table.start[r]);
      return sum;
    };
    const double graphs = length(*report.graphs), kernels = length(*report.kernels);
    return graphs + kernels > 0 ? graphs / (graphs + kernels) : 0;
  }

  void compare_with_reference(const StudyView& view, const std::vector<std::size_t>& reports, StudySink& sink) const {
    for (const std::size_t r : reports) {
      if (meets(view, r, reference_)) continue;
      const Places own = read_places(view, r);
      const auto reference = std::find_if(reports.begin(), reports.end(), [&](std::size_t other) {
        return meets(view, other, reference_) && same_kind(view.path(r), view.path(other));
      });
      if (own.empty() || reference == reports.end()) {
        sink.skip(static_cast<Row>(r), "no run is the reference without communication");
        continue;
      }
      emit_slowdown(r, compare(own, read_places(view, *reference)), view, sink);
    }
  }

  /// Profilers slow kernels down differently, so an export of one is not compared with a trace of another.
  static bool same_kind(std::string_view a, std::string_view b) {
    const auto is_export = [](std::string_view path) { return path.ends_with(".sqlite"); };
    return is_export(a) == is_export(b);
  }

  void emit_slowdown(std::size_t report, const Slowdown& s, const StudyView& view, StudySink& sink) const {
    const auto row = static_cast<Row>(report);
    sink.report_fact(row, "compute.matched_ratio", s.matched);
    if (s.matched < kMinMatched || s.reference <= 0) {
      return sink.skip(row, "only " + percent(s.matched) +
                                " of its compute time is found in the reference, so no slowdown is given");
    }
    const double steps = view.value(row, "comm.step_count").value_or(1);
    sink.report_fact(row, "compute.slowdown_ratio", s.own / s.reference);
    sink.report_fact(row, "compute.slowdown_ns", (s.own - s.reference) / steps);
    if (s.beside_reference > 0)
      sink.report_fact(row, "compute.slowdown_ratio", s.beside / s.beside_reference, {{"comm", "beside"}});
    if (s.alone_reference > 0)
      sink.report_fact(row, "compute.slowdown_ratio", s.alone / s.alone_reference, {{"comm", "alone"}});
  }

  std::vector<LabelCondition> reference_;
};

ASSAY_PLUGIN("communication", "1.0.0", Communication);

}  // namespace assay::communication
