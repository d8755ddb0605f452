#include "runs.hpp"

#include <type_traits>

#include "assay/detail/run_order.hpp"
#include "assay/words.hpp"

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

SideRun run_of(const StudyView& view, const step_items::JobRun& from, std::int32_t place) {
  const std::size_t report = from.report;
  const auto rows = [&](std::string_view id) { return view.rows(report, step_items::kAnalyzer, id); };
  SideRun run;
  run.report = report;
  run.place = place;
  run.name = view.path(report);
  if (from.ranks > 1) run.name += " (slowest of " + std::to_string(from.ranks) + " ranks)";
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

}  // namespace

SidePairs pairs_of(const StudyView& view, const std::vector<LabelPair>& sides) {
  const std::vector<std::int32_t> order = recording_order(view);
  SidePairs out;
  const auto side_of = [&](const std::string& name, const Runs& reports) {
    Side side;
    side.name = name;
    for (const step_items::JobRun& run : step_items::runs_of(view, reports))
      side.runs.push_back(run_of(view, run, order[run.report]));
    side.runs.empty() ? out.empty.push_back(name) : join_items(side);
    return side;
  };
  const PairMatching matching = match_pairs(view, sides);
  for (const UnmatchedReport& unmatched : matching.unmatched) out.unpaired.emplace_back(view.path(unmatched.report));
  for (std::size_t p = 0; p < sides.size(); ++p) {
    for (const Stratum& stratum : matching.strata[p]) {
      Side before = side_of(sides[p].base, stratum.base), after = side_of(sides[p].treated, stratum.treated);
      if (before.runs.empty() || after.runs.empty()) continue;
      const std::string cell = labels_text(stratum.labels);
      out.pairs.push_back(
          {sides[p].treated + (cell.empty() ? "" : ", " + cell), cell, std::move(before), std::move(after)});
    }
  }
  return out;
}

}  // namespace assay::difference
