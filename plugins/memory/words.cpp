#include "words.hpp"

#include <algorithm>

#include "assay/algo/dims.hpp"
#include "assay/quantity.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::memory {
namespace {

std::string value_of(const StudyView& view, std::size_t fact, const char* key) {
  return dim_value(view.study().facts->dims[fact].view(), key).value_or("");
}

}  // namespace

std::vector<Run> runs_of(const StudyView& view) {
  std::vector<Run> runs;
  for (const std::size_t report : view.participants()) {
    const auto row = static_cast<Row>(report);
    const auto peak = view.fact(row, "memory.peak_bytes");
    if (!peak) continue;
    Run run{report, view.study().facts->value[*peak], static_cast<std::int64_t>(*peak), {}};
    view.each_fact(row, "memory.class_bytes", [&](std::size_t fact) { run.classes.push_back(fact); });
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<Finding> findings(const StudyView& view, const std::vector<Run>& runs) {
  constexpr std::size_t kMax = 8;
  const auto answer = [&](const Run& run) {
    return std::string(view.attribute(run.report, "memory.answer").value_or(""));
  };
  Finding first;
  first.role = FindingRole::kAnswer;
  for (const Run& run : runs) first.evidence.push_back(run.peak_fact);
  if (runs.size() == 1) {
    first.title = answer(runs.front());
    first.text = "Blocks are counted as torch.cuda.memory_stats counts them.";
    return {first};
  }
  const auto [least, most] = std::ranges::minmax_element(runs, {}, &Run::peak);
  first.title =
      "Memory of " + counted(runs.size(), "profile") + " peaks at " + quantity_range(least->peak, most->peak, "bytes");
  first.text = "The most is in " + std::string(view.path(most->report)) + ".";
  std::vector<Finding> all{first};
  for (std::size_t r = 0; r < std::min(runs.size(), kMax); ++r) {
    Finding one;
    one.title = std::string(view.path(runs[r].report));
    one.text = answer(runs[r]) + ".";
    one.evidence = {runs[r].peak_fact};
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<Finding> unknown_peaks(const StudyView& view, bool are_answers) {
  std::vector<Finding> all;
  for (const std::size_t report : view.participants()) {
    const auto answer = view.attribute(report, "memory.answer");
    if (!answer || view.fact(static_cast<Row>(report), "memory.peak_bytes")) continue;
    Finding finding;
    finding.role = are_answers ? FindingRole::kAnswer : FindingRole::kNote;
    finding.title = std::string(*answer);
    finding.text = std::string(view.path(report)) + " was read as far as it can be; its problems say the rest.";
    all.push_back(std::move(finding));
  }
  return all;
}

Plot live_plot(const StudyView& view, const Run& run, bool named) {
  const double length = view.value(static_cast<Row>(run.report), "memory.history_ns").value_or(0);
  TableRows<double, double, std::string> rows;
  std::vector<double> all;
  const auto add = [&](const std::string& name, const auto& samples) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      rows.add((static_cast<double>(i) + 0.5) * length / static_cast<double>(samples.size()), samples[i], name);
    }
  };
  for (const std::size_t fact : run.classes) {
    const auto samples = view.samples(fact);
    add(value_of(view, fact, "class"), samples);
    all.resize(std::max(all.size(), samples.size()), 0);
    for (std::size_t i = 0; i < samples.size(); ++i) all[i] += samples[i];
  }
  add("all", all);
  Plot plot;
  plot.id = named ? "live_bytes_" + std::to_string(run.report) : "live_bytes";
  plot.title = "Allocated memory by class" + (named ? ", " + std::string(view.path(run.report)) : std::string());
  plot.caption =
      "What was allocated over the history; of each part of it the instant at which most was. The classes add up to "
      "all that was allocated; the line is the peak.";
  plot.x = {"time", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.y = {"allocated", PlotScale::kLinear, PlotOrder::kGiven, kAxisZero};
  plot.series_title = "class";
  Table table = rows.table("live", plot.title, {{"time", "ns"}, {"bytes", "bytes"}, {"class"}});
  plot.layers.push_back({PlotMark::kStep, std::move(table), {"time", "bytes", {}, {}, "class", {}}});
  plot.references.push_back({run.peak, run.peak, "peak", true});
  plot.evidence.push_back(run.peak_fact);
  return plot;
}

}  // namespace assay::memory
