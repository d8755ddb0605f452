#include "words.hpp"

#include <algorithm>

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
    run.window = value("step.window_ns"), run.busy = value("comm.busy_ns");
    run.exposed = value("comm.exposed_ns"), run.overlap = value("comm.overlap_ratio");
    run.same_stream = value("comm.same_stream_ratio");
    if (run.window > 0) runs.push_back(std::move(run));
  }
  return runs;
}

/// Share of the communication that has to run on compute streams before it is said that it cannot overlap.
constexpr double kMostly = 0.5;

}  // namespace

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
    exposed.push_back(100 * r.exposed / r.window), overlap.push_back(100 * r.overlap);
    if (r.exposed / r.window > most->exposed / most->window) most = &r;
    if (r.same_stream > kMostly) serial.emplace_back(view.path(r.report));
    f.evidence.insert(f.evidence.end(), r.facts.begin(), r.facts.end());
  }
  const auto [least, greatest] = std::minmax_element(exposed.begin(), exposed.end());
  const auto [low, high] = std::minmax_element(overlap.begin(), overlap.end());
  f.title = "Exposed communication takes " + low_to_high(*least, *greatest, 1) + " % of a step on the device; " +
            low_to_high(*low, *high, 0) + " % of communication is hidden behind compute";
  f.text = "Most communication is exposed in " + std::string(view.path(most->report)) + ": " +
           time_text(most->exposed) + " of " + time_text(most->window) + " a step, communicating for " +
           time_text(most->busy) +
           ". This includes waiting for other ranks, which the profile of one rank cannot separate; the analyzer ranks "
           "does, from all ranks of a job.";
  std::vector<Finding> out = {std::move(f)};
  if (serial.empty()) return out;
  Finding stream;
  stream.title = "In " + counted_of(serial.size(), runs.size(), "profile") +
                 " communication runs on the stream of compute, where the two cannot overlap";
  stream.text = "So it is in " + serial.front() +
                (serial.size() > 1 ? " and " + counted(serial.size() - 1, "other") : std::string()) +
                ". A stream of its own, or reducing gradients during the backward pass, would let it overlap.";
  out.push_back(std::move(stream));
  return out;
}

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

Plot parts_plot(const StudyView& view, const std::vector<std::size_t>& reports) {
  constexpr std::size_t kMostBars = 64;
  // In the order of the colours: what is exposed is red, what is hidden is green.
  constexpr std::pair<std::string_view, std::string_view> kParts[] = {{"compute.only_ns", "compute"},
                                                                      {"comm.exposed_ns", "exposed communication"},
                                                                      {"comm.overlap_ns", "hidden communication"},
                                                                      {"copy.only_ns", "copies"},
                                                                      {"comm.idle_ns", "idle"}};
  std::vector<std::string> paths, parts;
  std::vector<double> shares;
  Plot plot;
  const std::size_t drawn = std::min(reports.size(), kMostBars);
  for (std::size_t i = 0; i < drawn; ++i) {
    const auto row = static_cast<Row>(reports[i]);
    const double window = view.value(row, "step.window_ns").value_or(0);
    for (const auto& [metric, part] : kParts) {
      const auto fact = view.fact(row, metric);
      if (!fact || window <= 0) continue;
      paths.emplace_back(view.path(reports[i])), parts.emplace_back(part);
      shares.push_back(view.study().facts->value[*fact] / window);
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
  Table table("parts", plot.title);
  table.add("report", "", std::move(paths));
  table.add("part", "", std::move(parts));
  table.add("share", "ratio", std::move(shares));
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "report", {}, {}, "part", {}}});
  return plot;
}

}  // namespace assay::communication
