// Distribution of time over the program's own ranges, folded into a tree of paths.
#include "algo/median_bounds.hpp"
#include "algo/plain_times.hpp"
#include "assay/algo/summary.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "emit.hpp"
#include "metrics.hpp"
#include "replays.hpp"
#include "words.hpp"

namespace assay::ranges {

class Ranges {
 public:
  static constexpr std::string_view kSummary =
      "Ranges as a tree of folded paths: how often, how long, and what the GPU does for each.";
  static constexpr ColumnId kWants[] = {col::ranges, col::spans, col::calls, col::kernels,  col::graphs,
                                        col::copies, col::sets,  col::steps, col::declared, col::kernel_graph_node};
  static constexpr OptionSpec kOptions[] = {
      option::integer("rows", "50", "Paths that are reported: those with the largest shares of the capture.")
          .within(1, 10000),
      {"plain", OptionType::kText, "plain",
       "Id of the [[sheet]] with times of the program without a profiler: a column 'decode_ms' is of the range "
       "'decode'."},
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr Str kConsumes[] = {"range.host_ns", "range.capture_ratio", "range.busy_ratio", "range.count"};

  explicit Ranges(const Options& options)
      : rows_(static_cast<std::size_t>(options.integer("rows"))), plain_(options.text("plain")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    constexpr std::string_view kAll = "range.host_ns, range.gpu_ns, range.count";
    const PathTree tree(report);
    const LaunchPaths launches(report, tree);
    const std::vector<PathTimes> all = path_times(report, tree, launches);
    emit_left_out(tree, all, sink);
    if (all.empty()) return sink.skip(kAll, "the program marks no ranges", SkipCause::kNoFramework);
    const auto window = static_cast<double>(report.window->end - report.window->start);
    const std::vector<PathTimes> rows = largest_rows(all, rows_, window);
    emit_facts(tree, rows, sink);
    sink.table(path_table(tree, rows));
    emit_replays(tree, measure_replays(report, tree, launches), sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<ReportPaths> reports = paths_of(view);
    if (reports.empty()) return sink.skip(kNone, "no profile has ranges");
    for (const Finding& finding : findings(view, reports)) sink.finding(finding);
    emit_plain(view, reports, sink);
  }

 private:
  void emit_left_out(const PathTree& tree, const std::vector<PathTimes>& all, ReportSink& sink) const {
    if (tree.open() > 0)
      sink.issue("open_ranges", Severity::kInfo, tree.open(),
                 counted(static_cast<std::size_t>(tree.open()), "range") +
                     " did not end in the capture and count nowhere: how long they take is not known.");
    if (tree.too_deep() > 0)
      sink.issue("deep_ranges", Severity::kInfo, tree.too_deep(),
                 filled("{} nested {} deep or more, or of more than {} paths, count as part of the range around them.",
                        {counted(static_cast<std::size_t>(tree.too_deep()), "range"), std::to_string(kMaxDepth),
                         std::to_string(kMaxPaths)}));
    if (all.size() > rows_)
      sink.issue("smaller_ranges", Severity::kInfo, static_cast<std::int64_t>(all.size() - rows_),
                 counted(all.size() - rows_, "path") + " of ranges with smaller shares of the capture are left out.");
  }

  void emit_plain(const StudyView& view, const std::vector<ReportPaths>& reports, StudySink& sink) const {
    struct PlainRow {
      std::string report;
      double traced;
      PlainTimes times;
    };
    std::vector<PlainRow> rows;
    for (const ReportPaths& report : reports) {
      std::vector<std::string> paths;
      for (const PathFacts& path : report.paths) paths.push_back(path.path);
      for (PlainTimes& times : plain_times(view, report.report, paths, plain_)) {
        sink.report_fact(static_cast<Row>(report.report), "range.host_ns.plain", median(times.ns), times.ns,
                         {{"path", times.path}});
        const double traced = std::ranges::find(report.paths, times.path, &PathFacts::path)->median;
        rows.push_back({std::string(view.path(report.report)), traced, std::move(times)});
      }
    }
    if (rows.empty()) return;
    const auto plain = [](const PlainRow& row) { return median(row.times.ns); };
    Table table("plain_times", "Times of ranges without a profiler beside the traced ones");
    table.column("report", "", rows, &PlainRow::report)
        .column("Range", "", rows, [](const PlainRow& row) { return row.times.path; })
        .column("Traced", "ns", rows, &PlainRow::traced)
        .column("Plain", "ns", rows, plain)
        .column("Plain low", "ns", rows, [](const PlainRow& row) { return median_bounds(row.times.ns).low; })
        .column("Plain high", "ns", rows, [](const PlainRow& row) { return median_bounds(row.times.ns).high; })
        .column("Count", "1", rows, [](const PlainRow& row) { return row.times.ns.size(); })
        .column("Ratio", "1", rows, [&](const PlainRow& row) { return row.traced / plain(row); })
        .column("Source", "", rows, [](const PlainRow& row) { return row.times.source; });
    sink.table(table);
  }

  std::size_t rows_;
  std::string plain_;
};

ASSAY_PLUGIN("ranges", "1.0.0", Ranges);

}  // namespace assay::ranges
