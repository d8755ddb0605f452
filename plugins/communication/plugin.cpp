// What communication between devices costs one rank: hidden, exposed, on which stream, and what it costs compute.
#include <set>

#include "assay/detail/step_names.hpp"
#include "assay/sdk.hpp"
#include "metrics.hpp"
#include "slowdown.hpp"
#include "words.hpp"

namespace assay::communication {

class Communication {
 public:
  static constexpr std::string_view kSummary = "Shows what communication between devices costs in a step of one rank.";
  static constexpr ColumnId kNeeds[] = {col::kernels, col::collectives};
  static constexpr ColumnId kWants[] = {col::kernel_name, col::kernel_grid, col::graphs, col::copies,    col::sets,
                                        col::calls,       col::ranges,      col::spans,  col::iterations};
  static constexpr OptionSpec kOptions[] = {
      {"steps", OptionType::kTextList, step::kPlainNames,
       "Names of the ranges that are steps; if there are none, those of [iterations]; else the whole capture is one "
       "step."},
      {"reference", OptionType::kConditionList, "",
       "Runs without communication, by their labels (\"variant=single\"), that compute is compared with; empty: none."},
      option::number("least_matched", "0.9", "Share of compute time that must be found in the reference.").within(0, 1),
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;

  explicit Communication(const Options& options)
      : steps_(options.strings("steps")),
        reference_(options.strings("reference")),
        least_matched_(options.number("least_matched")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    if (const double opaque = opaque_share(report); opaque > kMostOpaque) {
      return sink.skip("comm.*, compute.*", percent(opaque, 0) +
                                                " of the device time is in CUDA graphs whose kernels were not traced; "
                                                "record with --cuda-graph-trace=node");
    }
    const DeviceWork work(report);
    const Interval extent = work.extent();
    if (extent.end <= extent.start) return sink.skip("comm.*, compute.*", "the device did nothing");
    emit_capture(work.parts(extent), sink);
    sink.fact("comm.kernel_count", static_cast<double>(report.collectives->rows));
    if (const std::string streams = streams_text(report); !streams.empty()) sink.attribute("comm.streams", streams);
    if (const auto same = same_stream_ratio(report, work)) sink.fact("comm.same_stream_ratio", *same);
    std::vector<DeviceStep> steps = device_steps(report, work, steps_);
    std::erase_if(steps, [](const DeviceStep& s) { return !s.worked; });
    if (steps.empty()) return sink.skip("step.*", "no range is a step, so there are no values per step");
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
  static constexpr double kMostOpaque = 0.5;

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

  /// Whether a report has all labels that the option names ("a=x|y").
  [[nodiscard]] bool is_reference(const StudyView& view, std::size_t report) const {
    return std::all_of(reference_.begin(), reference_.end(), [&](const std::string& condition) {
      const std::size_t equal = condition.find('=');
      const std::string_view value = view.label_text(report, condition.substr(0, equal));
      std::string_view allowed = std::string_view(condition).substr(equal + 1);
      while (!allowed.empty()) {
        const std::string_view one = allowed.substr(0, allowed.find('|'));
        if (one == value) return true;
        allowed.remove_prefix(std::min(allowed.size(), one.size() + 1));
      }
      return false;
    });
  }

  void compare_with_reference(const StudyView& view, const std::vector<std::size_t>& reports, StudySink& sink) const {
    for (const std::size_t r : reports) {
      if (is_reference(view, r)) continue;
      const Places own = read_places(view, r);
      const auto reference = std::find_if(reports.begin(), reports.end(), [&](std::size_t other) {
        return is_reference(view, other) && same_kind(view.path(r), view.path(other));
      });
      if (own.empty() || reference == reports.end()) {
        sink.skip(static_cast<Row>(r), "no run is the reference without communication");
        continue;
      }
      give(r, compare(own, read_places(view, *reference)), view, sink);
    }
  }

  /// Profilers slow kernels differently: an export of one is not compared with a trace of another.
  static bool same_kind(std::string_view a, std::string_view b) {
    const auto is_export = [](std::string_view path) { return path.ends_with(".sqlite"); };
    return is_export(a) == is_export(b);
  }

  void give(std::size_t report, const Slowdown& s, const StudyView& view, StudySink& sink) const {
    const auto row = static_cast<Row>(report);
    sink.report_fact(row, "compute.matched_ratio", s.matched);
    if (s.matched < least_matched_ || s.reference <= 0) {
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

  std::vector<std::string> steps_, reference_;
  double least_matched_;
};

ASSAY_PLUGIN("communication", "1.0.0", Communication);

}  // namespace assay::communication
