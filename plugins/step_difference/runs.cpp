#include "runs.hpp"

#include <algorithm>
#include <map>
#include <type_traits>

#include "assay/algo/summary.hpp"
#include "assay/detail/run_order.hpp"
#include "assay/detail/text.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "conditions.hpp"

namespace assay::difference {
namespace {

std::vector<std::string> texts_of(std::span<const Str> cells) { return {cells.begin(), cells.end()}; }

std::vector<Item> items_of(const RowsView& rows) {
  const auto kinds = rows.integers("kind");
  std::vector<Item> items(kinds.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i].key.kind = static_cast<ItemKind>(kinds[i]);
  step_items::each_column([&](const char* name, const char*, const auto& of) {
    const auto texts = rows.texts(name);
    const auto whole = rows.integers(name);
    const auto numbers = rows.numbers(name);
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto& cell = of(items[i]);
      using Cell = std::remove_reference_t<decltype(cell)>;
      if constexpr (std::is_same_v<Cell, std::string>)
        cell = texts[i].view();
      else if constexpr (std::is_integral_v<Cell>)
        cell = static_cast<Cell>(whole[i]);
      else
        cell = numbers[i];
    }
  });
  return items;
}

std::vector<Phase> phases_of(const StudyView& view, std::size_t report) {
  const RowsView rows = view.rows(report, step_items::kAnalyzer, step_items::kPhaseRows);
  const auto paths = rows.texts("path");
  const auto gpu = rows.numbers("gpu"), launches = rows.numbers("launches");
  const auto counts = rows.integers("count");
  const auto times = view.rows(report, step_items::kAnalyzer, step_items::kPhaseTimeRows).integers("time");
  std::vector<Phase> phases;
  std::size_t at = 0;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const auto own = times.subspan(at, static_cast<std::size_t>(counts[p]));
    phases.push_back({std::string(paths[p].view()), {own.begin(), own.end()}, gpu[p], launches[p]});
    at += own.size();
  }
  return phases;
}

void add_surroundings(const StudyView& view, std::size_t report, SideRun& run) {
  run.recording = view.label_text(report, "recording");
  run.block = view.label_text(report, "block");
  const std::string blocks(view.label_text(report, "fixed_blocks"));
  run.fixed_blocks = blocks.empty() ? 0 : std::stoul(blocks);
  if (!run.devices.empty()) run.setup.emplace_back("device", run.devices);
  for (const std::string_view name :
       {std::string_view("clock"), std::string_view("cuda"), std::string_view("driver"), std::string_view("format"),
        std::string_view("profiler"), std::string_view("world_size")}) {
    if (const auto value = view.attribute(report, name)) run.setup.emplace_back(name, *value);
  }
}

SideRun run_of(const StudyView& view, std::size_t report, std::int32_t place) {
  const auto rows = [&](std::string_view id) { return view.rows(report, step_items::kAnalyzer, id); };
  SideRun run;
  run.report = report;
  run.place = place;
  run.name = view.path(report);
  const RowsView about = rows(step_items::kRunRows);
  run.step_source = texts_of(about.texts("source")).at(0);
  run.step_word = texts_of(about.texts("word")).at(0);
  run.step_name = texts_of(about.texts("range")).at(0);
  run.devices = texts_of(about.texts("devices")).at(0);
  run.launch_calls = {about.integers("launch_calls")[0], about.integers("graph_launches")[0]};
  const auto steps = rows(step_items::kStepRows).integers("time");
  run.step_times.assign(steps.begin(), steps.end());
  for (const std::int64_t time : steps) run.time += time;
  run.items = items_of(rows(step_items::kItemRows));
  const RowsView waits = rows(step_items::kWaitRows);
  const auto paths = waits.texts("path"), names = waits.texts("name");
  const auto counts = waits.integers("count"), host = waits.integers("host");
  for (std::size_t w = 0; w < paths.size(); ++w)
    run.waits.push_back({std::string(names[w].view()), std::string(paths[w].view()), counts[w], host[w]});
  run.phases = phases_of(view, report);
  const auto launches = rows(step_items::kLaunchRows).integers("item");
  run.launches.assign(launches.begin(), launches.end());
  add_surroundings(view, report, run);
  return run;
}

using JobRuns = std::vector<step_items::JobRun>;

/// What the ranks of one side do in a mean step.
struct SideRanks {
  struct Rank {
    std::vector<double> own, blocks;  ///< of each run: ns without communication, blocks of kernels
  };
  std::map<std::string, Rank> ranks;
  std::size_t world = 0;  ///< ranks of a job; those that are not there too
  double step = 0;        ///< ns

  SideRanks(const StudyView& view, const JobRuns& runs) {
    std::vector<double> steps;
    for (const step_items::JobRun& run : runs) {
      steps.push_back(view.value(static_cast<Row>(run.report), step_items::kStepTime).value_or(0));
      world = std::max(world, run.ranks.size());
      for (const std::size_t r : run.ranks) {
        const auto rank = job_rank_of(view, r);
        if (!rank) continue;
        ranks[rank->rank].own.push_back(step_items::own_time(view, r));
        ranks[rank->rank].blocks.push_back(blocks_of_step(view, r));
        world = std::max(world, number_in<std::size_t>(rank->world).value_or(0));
      }
    }
    step = mean(steps);
  }

 private:
  static double blocks_of_step(const StudyView& view, std::size_t report) {
    const RowsView items = view.rows(report, step_items::kAnalyzer, step_items::kItemRows);
    const auto kinds = items.integers("kind"), counts = items.integers("count");
    const auto shapes = items.texts("shape");
    double blocks = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (static_cast<ItemKind>(kinds[i]) == ItemKind::kKernel)
        blocks += static_cast<double>(counts[i]) * blocks_of(std::string(shapes[i].view()));
    }
    const RowsView steps = view.rows(report, step_items::kAnalyzer, step_items::kStepRows);
    return blocks / static_cast<double>(steps.integers("time").size());
  }
};

/// Sets the report of each run to that of a rank. False if one of them has no such rank.
bool set_rank(const StudyView& view, const std::string& wanted, JobRuns& runs) {
  return std::ranges::all_of(runs, [&](step_items::JobRun& run) {
    const auto at = std::ranges::find_if(run.ranks, [&](std::size_t r) {
      const auto rank = job_rank_of(view, r);
      return rank && rank->rank == wanted;
    });
    if (at != run.ranks.end()) run.report = *at;
    return at != run.ranks.end();
  });
}

/// Compares jobs on the rank for which the others wait on the slower side: on one that waits every cause is
/// communication, and the kernels of another rank are other kernels in a pipeline.
JobPace choose_rank(const StudyView& view, const Side& base, JobRuns& before, const Side& treated, JobRuns& after) {
  const SideRanks b(view, before), a(view, after);
  const bool later = a.step >= b.step;
  const SideRanks& slower = later ? a : b;
  if (slower.ranks.empty()) return {};
  const auto own = [](const auto& rank) { return mean(rank.second.own); };
  const auto pace = std::ranges::max_element(slower.ranks, {}, own),
             least = std::ranges::min_element(slower.ranks, {}, own);
  JobRuns chosen_before = before, chosen_after = after;
  if (!set_rank(view, pace->first, chosen_before) || !set_rank(view, pace->first, chosen_after)) return {};
  before = std::move(chosen_before);
  after = std::move(chosen_after);
  JobPace out;
  out.rank = pace->first;
  const std::size_t there = slower.ranks.size();
  const std::string of = there == slower.world ? std::to_string(there) + " ranks"
                                               : counted_of(there, slower.world, "rank") + " that have a profile";
  out.reason =
      there == 1
          ? filled("Rank {} is compared, of {}: it may be one that waits for the others", {out.rank, of})
          : filled("Rank {} is compared: of {} it sets the pace in {}, {} a step without communication (rank {}: {})",
                   {out.rank, of, (later ? treated : base).name, quantity(own(*pace), "ns"), least->first,
                    quantity(own(*least), "ns")});
  out.others_alike =
      there > 1 && std::ranges::all_of(b.ranks, [&](const auto& rank) {
        const auto other = a.ranks.find(rank.first);
        return rank.first == out.rank ||
               (other != a.ranks.end() && same_size(mean(rank.second.blocks), mean(other->second.blocks)));
      });
  return out;
}

}  // namespace

SidePairs pairs_of(const StudyView& view, const std::vector<LabelPair>& sides) {
  const std::vector<std::int32_t> order = recording_order(view);
  SidePairs out;
  const auto fill = [&](const JobRuns& runs, Side& side) {
    for (const step_items::JobRun& run : runs) side.runs.push_back(run_of(view, run.report, order[run.report]));
    join_items(side);
  };
  const PairMatching matching = match_pairs(view, sides);
  for (const UnmatchedReport& unmatched : matching.unmatched) out.unpaired.emplace_back(view.path(unmatched.report));
  for (std::size_t p = 0; p < sides.size(); ++p) {
    for (const Stratum& stratum : matching.strata[p]) {
      JobRuns before = step_items::runs_of(view, stratum.base), after = step_items::runs_of(view, stratum.treated);
      if (before.empty()) out.empty.push_back(sides[p].base);
      if (after.empty()) out.empty.push_back(sides[p].treated);
      if (before.empty() || after.empty()) continue;
      SidePair pair;
      pair.cell = labels_text(stratum.labels);
      pair.name = sides[p].treated + (pair.cell.empty() ? "" : ", " + pair.cell);
      pair.before.name = sides[p].base;
      pair.after.name = sides[p].treated;
      pair.pace = choose_rank(view, pair.before, before, pair.after, after);
      fill(before, pair.before);
      fill(after, pair.after);
      out.pairs.push_back(std::move(pair));
    }
  }
  return out;
}

}  // namespace assay::difference
