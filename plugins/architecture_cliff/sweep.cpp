#include "sweep.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/algo/cells.hpp"
#include "assay/algo/contrast.hpp"
#include "assay/words.hpp"

namespace assay::cliff {
namespace {

struct Run {
  Observation observation;
  double axis = 0;
  std::string axis_text;
  std::vector<double> block;
};

Sweep assemble(std::vector<std::pair<std::string, std::string>> labels, std::vector<Run> runs) {
  Sweep sweep;
  sweep.labels = std::move(labels);
  std::map<double, std::string> levels;
  std::set<std::vector<double>> blocks;
  for (const Run& run : runs) {
    levels.emplace(run.axis, run.axis_text);
    blocks.insert(run.block);
  }
  for (const auto& [order, text] : levels) sweep.levels.push_back(text);
  sweep.blocks = blocks.size();
  for (Run& run : runs) {
    run.observation.level = static_cast<std::size_t>(std::distance(levels.begin(), levels.find(run.axis)));
    run.observation.block = static_cast<std::size_t>(std::distance(blocks.begin(), blocks.find(run.block)));
    sweep.runs.push_back(run.observation);
  }
  std::sort(sweep.runs.begin(), sweep.runs.end(), [](const Observation& a, const Observation& b) {
    return std::pair(a.level, a.report) < std::pair(b.level, b.report);
  });
  return sweep;
}

}  // namespace

std::pair<double, double> Sweep::range(std::size_t level) const {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Observation& run : runs) {
    if (run.level != level) continue;
    low = std::min(low, run.value);
    high = std::max(high, run.value);
  }
  return {low, high};
}

std::vector<Sweep> sweeps(const StudyView& view, std::string_view metric, std::string_view axis,
                          std::span<const std::string> strata, std::span<const std::string> block,
                          std::vector<UnmatchedReport>& left_out) {
  const std::string axis_name[] = {std::string(axis)};
  std::vector<std::string> varies(block.begin(), block.end());
  varies.emplace_back(axis);
  Cells cells = cells_of(view, {}, strata, varies);
  left_out = std::move(cells.left_out);
  std::vector<Sweep> out;
  for (Cell& cell : cells.cells) {
    const Lengths lengths = lengths_of(view, {}, cell.runs, metric, {});
    for (const std::size_t r : cell.runs) {
      if (!lengths.comparable()) left_out.push_back({r, std::string(metric) + " is not compared: " + lengths.refused});
      if (!view.fact(static_cast<Row>(r), metric)) left_out.push_back({r, "has no " + std::string(metric)});
    }
    if (!lengths.comparable()) continue;
    std::vector<Run> runs;
    for (const RunValue& run : side_of(view, cell.runs, metric, {}, lengths)) {
      const auto level = named_key(view, run.report, axis_name), in_block = named_key(view, run.report, block);
      runs.push_back({{run.report, static_cast<std::int64_t>(run.facts.front()), 0, 0, run.value},
                      level->order[0],
                      level->labels[0].second,
                      in_block->order});
    }
    if (runs.empty()) continue;
    out.push_back(assemble(std::move(cell.labels), std::move(runs)));
    out.back().apart = std::move(cell.apart);
  }
  return out;
}

std::string labels_beyond(const std::vector<Sweep>& sweeps, const std::vector<std::string>& strata) {
  std::set<std::string> names;
  for (const Sweep& sweep : sweeps) {
    for (const auto& [name, value] : sweep.labels) {
      if (std::find(strata.begin(), strata.end(), name) == strata.end()) names.insert(name);
    }
  }
  return listed({names.begin(), names.end()});
}

}  // namespace assay::cliff
