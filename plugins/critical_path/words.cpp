#include "words.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/algo/dims.hpp"
#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::critical {

Table path_table(const PathMeasurement& measured, std::size_t rows) {
  struct Line {
    std::string by, name;
    double typical, low, high, share;
    std::optional<double> slack;
  };
  std::vector<Line> lines;
  double all = 0;
  for (const double length : measured.lengths) all += length;
  for (std::size_t by = 0; by < measured.split.size(); ++by) {
    std::size_t shown = 0;
    for (const replay::PathEntry& entry : measured.split[by]) {
      if (shown++ == rows) break;
      std::vector<double> times(entry.time.begin(), entry.time.end());
      std::sort(times.begin(), times.end());
      lines.push_back(
          {std::string(replay::kByNames[by]), entry.name, quantile_sorted(times, 0.5), quantile_sorted(times, 0.25),
           quantile_sorted(times, 0.75), all > 0 ? static_cast<double>(entry.total) / all : 0,
           entry.slack == replay::kNoSlack ? std::nullopt : std::optional(static_cast<double>(entry.slack))});
    }
  }
  Table table("critical_path", "What the critical path of an iteration goes through");
  table.column("by", "", lines, &Line::by)
      .column("name", "", lines, &Line::name)
      .column("median", "ns", lines, &Line::typical)
      .column("lower quartile", "ns", lines, &Line::low)
      .column("upper quartile", "ns", lines, &Line::high)
      .column("share", "ratio", lines, &Line::share)
      .column("least slack", "ns", lines, &Line::slack);
  return table;
}

std::vector<replay::PathPartEntry> largest_names(const std::vector<replay::PathPartEntry>& parts, std::size_t names) {
  std::map<std::string, std::int64_t> totals;
  for (const replay::PathPartEntry& entry : parts) totals[entry.name] += entry.total;
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [name, total] : totals) order.emplace_back(-total, name);
  std::sort(order.begin(), order.end());
  if (order.size() > names) order.resize(names);
  std::set<std::string> kept;
  for (auto& [total, name] : order) kept.insert(std::move(name));
  std::vector<replay::PathPartEntry> out;
  std::map<std::pair<replay::Part, std::string>, std::size_t> known;
  for (const replay::PathPartEntry& entry : parts) {
    const bool keep = kept.contains(entry.name);
    const std::string name(!keep ? kOtherNames : entry.name.empty() ? std::string_view("(no name)") : entry.name);
    const auto [at, added] = known.try_emplace({entry.part, name}, out.size());
    if (added) {
      out.push_back(entry);
      out.back().name = name;
      continue;
    }
    replay::PathPartEntry& sum = out[at->second];
    sum.total += entry.total;
    for (std::size_t i = 0; i < sum.time.size(); ++i) sum.time[i] += entry.time[i];
  }
  return out;
}

namespace {

std::vector<Run::NameShares> names_of(const StudyView& view, Row row, std::vector<std::int64_t>& facts) {
  std::map<std::string, Run::NameShares> names;
  view.each_fact(row, kNameRatio, [&](std::size_t fact) {
    const std::string_view dims = view.study().facts->dims[fact].view();
    const std::string part = dim_value(dims, "part").value_or("");
    Run::NameShares& named = names[dim_value(dims, "name").value_or("")];
    named.shares.resize(replay::kParts, 0);
    for (std::size_t p = 0; p < replay::kParts; ++p) {
      if (part == replay::part_name(static_cast<replay::Part>(p))) named.shares[p] += view.study().facts->value[fact];
    }
    named.sum += view.study().facts->value[fact];
    facts.push_back(static_cast<std::int64_t>(fact));
  });
  std::vector<Run::NameShares> out;
  for (auto& [name, named] : names) {
    named.name = name;
    out.push_back(std::move(named));
  }
  std::stable_sort(out.begin(), out.end(), [](const Run::NameShares& a, const Run::NameShares& b) {
    if ((a.name == kOtherNames) != (b.name == kOtherNames)) return b.name == kOtherNames;
    return a.sum > b.sum;
  });
  return out;
}

}  // namespace

std::vector<Run> runs_of(const StudyView& view) {
  std::vector<Run> runs;
  const Study& study = view.study();
  for (const std::size_t report : view.participants()) {
    Run run;
    run.report = report;
    const auto row = static_cast<Row>(report);
    for (std::size_t p = 0; p < replay::kParts; ++p) {
      const auto fact = view.fact(row, "critical_path.time_ratio",
                                  "part=" + std::string(replay::part_name(static_cast<replay::Part>(p))));
      run.shares.push_back(fact ? study.facts->value[*fact] : 0);
      if (fact) run.facts.push_back(static_cast<std::int64_t>(*fact));
    }
    const std::optional<double> length = view.value(row, "critical_path.iteration_ns");
    if (run.facts.empty() || !length) continue;
    run.names = names_of(view, row, run.name_facts);
    run.iteration_ns = *length;
    view.each_fact(row, "replay.gain_ratio", [&](std::size_t fact) {
      const std::string_view dims = study.facts->dims[fact].view();
      const double gain = study.facts->value[fact];
      if (gain <= run.gain) return;
      run.gain = gain;
      run.best = dims.substr(dims.find('=') + 1);
    });
    runs.push_back(std::move(run));
  }
  return runs;
}

namespace {

std::string lever_text(const std::string& text) {
  const auto lever = lever::lever_of(text);
  return lever ? lever::name_of(*lever) : text;
}

std::string parts_text(const std::vector<double>& shares) {
  constexpr double kWorthSaying = 0.05;
  std::vector<std::size_t> order(shares.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  std::vector<std::string> parts;
  for (const std::size_t p : order) {
    if (!parts.empty() && shares[p] < kWorthSaying) break;
    parts.push_back(std::string(replay::part_name(static_cast<replay::Part>(p))) + " " + percent(shares[p], 0));
  }
  return listed(parts);
}

}  // namespace

std::vector<Finding> findings(const StudyView& view, const std::vector<Run>& runs) {
  constexpr std::size_t kSpelledOut = 8;
  std::vector<Finding> out;
  for (std::size_t r = 0; r < std::min(runs.size(), kSpelledOut); ++r) {
    const Run& run = runs[r];
    Finding finding;
    finding.role = FindingRole::kAnswer;
    finding.title = std::string(view.path(run.report)) + ": the critical path goes through " + parts_text(run.shares);
    finding.text = filled("An iteration takes {}. {}",
                          {quantity(run.iteration_ns, "ns"),
                           run.best.empty() ? "No single change gains more than the replay is off by without one."
                                            : "The largest single gain, " + percent(run.gain, 0) +
                                                  ", would come without " + lever_text(run.best) + "."});
    finding.evidence = run.facts;
    out.push_back(std::move(finding));
  }
  return out;
}

Plot path_plot(const StudyView& view, const std::vector<Run>& runs) {
  constexpr std::size_t kMaxBars = 60;
  const std::size_t drawn = std::min(runs.size(), kMaxBars);
  TableRows<std::string, std::string, double, double> rows;
  Plot plot;
  for (std::size_t r = 0; r < drawn; ++r) {
    for (std::size_t p = 0; p < runs[r].shares.size(); ++p) {
      rows.add(view.path(runs[r].report), replay::part_name(static_cast<replay::Part>(p)), runs[r].shares[p],
               runs[r].shares[p] * runs[r].iteration_ns);
    }
    plot.evidence.insert(plot.evidence.end(), runs[r].facts.begin(), runs[r].facts.end());
  }
  plot.id = "critical_path";
  plot.title = "What the critical path goes through";
  plot.caption =
      "Each bar is the critical path of the iterations of one report: the chain of work and waits that decides when an "
      "iteration ends. Every instant of an iteration is in one part. What is not on the path can take longer, and get "
      "faster, without a change of the iteration.";
  if (drawn < runs.size()) plot.caption += " The first " + counted_of(drawn, runs.size(), "report") + ", by path.";
  plot.x = {"share of an iteration", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"report", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "part";
  Table table = rows.table("critical_path", plot.title, {{"report"}, {"part"}, {"share", "ratio"}, {"time", "ns"}});
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "report", {}, {}, "part", {}}});
  return plot;
}

Plot names_plot(const StudyView& view, const std::vector<Run>& runs) {
  constexpr std::size_t kMaxReports = 4;
  const std::size_t drawn = std::min(runs.size(), kMaxReports);
  TableRows<std::string, std::string, std::string, double, double> rows;
  Plot plot;
  for (std::size_t r = 0; r < drawn; ++r) {
    for (const Run::NameShares& named : runs[r].names) {
      for (std::size_t p = 0; p < replay::kParts; ++p) {
        rows.add(view.path(runs[r].report), named.name, replay::part_name(static_cast<replay::Part>(p)),
                 named.shares[p], named.shares[p] * runs[r].iteration_ns);
      }
    }
    plot.evidence.insert(plot.evidence.end(), runs[r].name_facts.begin(), runs[r].name_facts.end());
  }
  plot.id = "critical_path_names";
  plot.title = "Names on the critical path";
  plot.caption =
      "The same paths by operator; in profiles without operators kernels by name, and the rest by the innermost NVTX "
      "range that is open. The bars of a profile sum to its iteration. An operator whose bar is mostly host code or "
      "launch latency gains nothing from faster kernels.";
  if (drawn < runs.size()) plot.caption += " The first " + counted_of(drawn, runs.size(), "profile") + ", by path.";
  plot.x = {"share of an iteration", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"name", PlotScale::kLinear, PlotOrder::kGiven, kAxisFree};
  plot.series_title = "part";
  Table table = rows.table("critical_path_names", plot.title,
                           {{"report"}, {"name"}, {"part"}, {"share", "ratio"}, {"time", "ns"}});
  PlotEncoding encoding{"share", "name", {}, {}, "part", {}};
  if (drawn > 1) encoding.facet = "report";
  plot.layers.push_back({PlotMark::kBar, std::move(table), std::move(encoding)});
  return plot;
}

}  // namespace assay::critical
