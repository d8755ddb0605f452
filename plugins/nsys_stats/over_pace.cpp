// The time at which each report reached a kernel or range, occurrence by occurrence.
#include <algorithm>

#include "assay/algo/dims.hpp"
#include "distribution.hpp"
#include "over_study.hpp"

namespace assay::nsys {
namespace {

/// The k-th occurrence in one report.
struct Step {
  std::size_t report = 0;  ///< place in Ranks::all
  std::int64_t iteration = 0, start = 0, end = 0;
  std::int64_t duration_sum = 0;      ///< up to and including this
  std::int64_t delta = kNoInteger;    ///< from the end of the previous one; none for the first
  std::int64_t delta_sum = 0;         ///< up to and including this
  std::optional<double> from_median;  ///< of the delta, from the median over the reports that have reached it
  [[nodiscard]] std::int64_t duration() const { return end - start; }
};

std::vector<Step> steps_of(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < ranks.all.size(); ++i) {
    const auto report = static_cast<Row>(ranks.all[i].report);
    const std::string dims = std::string(rows::kRecipe) + "=" + std::string(recipe.text);
    const auto starts = study.fact(report, rows::kStart, dims), ends = study.fact(report, rows::kEnd, dims);
    if (!starts || !ends) continue;
    Step last;
    for (std::size_t k = 0; k < study.samples(*starts).size(); ++k) {
      Step step;
      step.report = i;
      step.iteration = static_cast<std::int64_t>(k);
      step.start = static_cast<std::int64_t>(study.samples(*starts)[k]);
      step.end = static_cast<std::int64_t>(study.samples(*ends)[k]);
      step.duration_sum = (k == 0 ? 0 : last.duration_sum) + step.duration();
      if (k > 0) {
        step.delta = step.start - last.end;
        step.delta_sum = last.delta_sum + step.delta;
      }
      steps.push_back(step);
      last = step;
    }
  }
  return steps;
}

std::vector<Extent> extents_of(const std::vector<Step>& steps) {
  std::vector<Extent> extents;
  for (const Step& step : steps) {
    if (extents.empty() || extents.back().report != step.report) extents.push_back({step.report, step.start, step.end});
    extents.back().end = std::max(extents.back().end, step.end);
  }
  return extents;
}

/// The occurrences with one number, over the reports.
struct Iteration {
  std::int64_t number = 0, reports = 0;
  std::int64_t first = 0, last = 0;  ///< starts
  std::int64_t slowest = 0;          ///< rank with the largest delta
  std::int64_t most = kNoInteger;    ///< that delta
  Distribution deltas;
};

std::vector<Iteration> iterations_of(const std::vector<Step>& steps, const Ranks& ranks) {
  std::vector<Iteration> iterations;
  for (const Step& step : steps) {
    const auto number = static_cast<std::size_t>(step.iteration);
    if (number >= iterations.size()) iterations.resize(number + 1);
    Iteration& iteration = iterations[number];
    iteration.first = iteration.reports == 0 ? step.start : std::min(iteration.first, step.start);
    iteration.last = iteration.reports == 0 ? step.start : std::max(iteration.last, step.start);
    iteration.number = step.iteration;
    ++iteration.reports;
    if (step.delta == kNoInteger) continue;
    iteration.deltas.add(step.delta);
    if (step.delta <= iteration.most) continue;
    iteration.most = step.delta;
    iteration.slowest = ranks.all[step.report].rank;
  }
  return iterations;
}

Table table_of(const AskedNsysRecipe& recipe, const char* id, const char* title) {
  const char* const what = recipe.recipe->name.starts_with("nvtx") ? "NVTX GPU Projection" : "CUDA GPU Kernel";
  return {std::string(recipe.text) + id, std::string(what) + " Pacing" + title};
}

Table by_iteration(const AskedNsysRecipe& recipe, std::vector<Iteration>& iterations, bool aligned) {
  Table table = table_of(recipe, "_by_iteration", " by iteration");
  table.column("Iteration", "", iterations, &Iteration::number);
  table.column("Reports", "", iterations, &Iteration::reports);
  if (aligned) table.column("Start Spread", "ns", iterations, [](const Iteration& i) { return i.last - i.first; });
  const auto quartile = [&](const char* name, std::int64_t quarters) {
    std::vector<double> cells;
    for (Iteration& i : iterations)
      cells.push_back(tenths_of(i.deltas.empty() ? std::nullopt : std::optional(i.deltas.quartile(quarters))));
    table.add(name, "ns", std::move(cells));
  };
  const auto extreme = [&](const char* name, std::int64_t Summary::* member) {
    std::vector<std::int64_t> cells;
    for (Iteration& i : iterations) cells.push_back(i.deltas.empty() ? kNoInteger : i.deltas.summary().*member);
    table.add(name, "ns", std::move(cells));
  };
  extreme("Delta Min", &Summary::min);
  quartile("Delta Q1", 1);
  quartile("Delta Med", 2);
  quartile("Delta Q3", 3);
  extreme("Delta Max", &Summary::max);
  table.column("Rank of Max", "", iterations,
               [](const Iteration& i) { return i.most == kNoInteger ? kNoInteger : i.slowest; });
  return table;
}

Table each_step(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe,
                const std::vector<Step>& steps) {
  Table table = table_of(recipe, "_trace", "");
  add_reports(table, study, ranks, steps, [](const Step& step) { return step.report; });
  table.column("Iteration", "", steps, &Step::iteration);
  table.column("Start", "ns", steps, &Step::start);
  table.column("End", "ns", steps, &Step::end);
  table.column("Duration", "ns", steps, &Step::duration);
  table.column("Duration Accum", "ns", steps, &Step::duration_sum);
  table.column("Delta", "ns", steps, &Step::delta);
  table.column("Delta Accum", "ns", steps, &Step::delta_sum);
  table.column("Delta - Med", "ns", steps, [](const Step& step) { return tenths_of(step.from_median); });
  return table;
}

/// Durations and deltas of each report.
struct Lane {
  std::size_t report = 0;
  Distribution durations, deltas;
  Summary duration = {}, delta = {};
};

void add_spread_of(Table& table, const char* what, const std::vector<Lane>& lanes, Summary Lane::* member) {
  const std::string name(what);
  const auto number = [&](const char* column, double Summary::* of) {
    table.column(name + column, "ns", lanes, [&](const Lane& lane) {
      return tenths_of((lane.*member).count == 0 ? std::nullopt : std::optional((lane.*member).*of));
    });
  };
  const auto whole = [&](const char* column, std::int64_t Summary::* of) {
    table.column(name + column, "ns", lanes,
                 [&](const Lane& lane) { return (lane.*member).count == 0 ? kNoInteger : (lane.*member).*of; });
  };
  whole(" Total", &Summary::total);
  number(" Avg", &Summary::mean);
  number(" Med", &Summary::median);
  whole(" Min", &Summary::min);
  whole(" Max", &Summary::max);
  number(" StdDev", &Summary::deviation);
}

std::vector<Lane> lanes_of(const std::vector<Step>& steps) {
  std::vector<Lane> lanes;
  for (const Step& step : steps) {
    if (lanes.empty() || lanes.back().report != step.report) lanes.push_back({step.report, {}, {}});
    lanes.back().durations.add(step.duration());
    if (step.delta != kNoInteger) lanes.back().deltas.add(step.delta);
  }
  for (Lane& lane : lanes) {
    lane.duration = lane.durations.summary();
    if (!lane.deltas.empty()) lane.delta = lane.deltas.summary();
  }
  return lanes;
}

}  // namespace

void conclude_pace(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe, StudySink& sink) {
  std::vector<Step> steps = steps_of(study, ranks, recipe);
  if (steps.empty()) return sink.skip(kNone, std::string(recipe.text) + ": no profile has what --name gives");
  const auto shift = shifts(ranks, extents_of(steps), recipe.text, "the beginning of its own capture", sink);
  for (Step& step : steps) {
    step.start += shift ? (*shift)[step.report] : 0;
    step.end += shift ? (*shift)[step.report] : 0;
  }
  std::vector<Iteration> iterations = iterations_of(steps, ranks);
  for (Step& step : steps) {
    Distribution& deltas = iterations[static_cast<std::size_t>(step.iteration)].deltas;
    if (step.delta != kNoInteger) step.from_median = static_cast<double>(step.delta) - deltas.quartile(2);
  }
  const std::vector<Lane> lanes = lanes_of(steps);
  Table each = table_of(recipe, "_by_report", " by profile");
  add_reports(each, study, ranks, lanes, [](const Lane& lane) { return lane.report; });
  each.column("Instances", "", lanes, [](const Lane& lane) { return lane.duration.count; });
  add_spread_of(each, "Duration", lanes, &Lane::duration);
  add_spread_of(each, "Delta", lanes, &Lane::delta);
  sink.table(each);
  sink.table(by_iteration(recipe, iterations, shift.has_value()));
  sink.table(each_step(study, ranks, recipe, steps));
}

}  // namespace assay::nsys
