#include "difference/cells.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "load/report_names.hpp"
#include "propose/names.hpp"

namespace assay {
namespace {
using difference::RunMeasure;
using difference::Side;

std::string stem_of_run(const RunMeasure& run) {
  const std::filesystem::path place(run.place);
  return (place.parent_path() / stem_of(place.filename().native())).generic_string();
}

/// Labels of each stem that identify configurations.
std::map<std::string, std::string> cells_of(const std::set<std::string>& stems) {
  const std::vector<std::string> all(stems.begin(), stems.end());
  const init::NameRules rules = init::rules_of(all);
  std::map<std::string, std::string> cells;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string& cell = cells[all[i]];
    for (const init::NameLabel& label : rules.labels) {
      if (label.descriptive || label.rank) continue;
      const auto value = rules.of_stem[i].find(label.name);
      const std::string& text = value == rules.of_stem[i].end() ? label.otherwise : value->second;
      if (!text.empty()) cell += (cell.empty() ? "" : ", ") + label.name + "=" + text;
    }
    if (rules.labels.empty()) cell = all[i];
  }
  return cells;
}

}  // namespace

PairedSides pair_sides(std::vector<Side> sides) {
  std::set<std::string> stems;
  bool recorded = false, several = true;
  for (const Side& side : sides) {
    several = several && side.runs.size() > 1;
    for (const RunMeasure& run : side.runs)
      stems.insert(stem_of_run(run)), recorded = recorded || !run.recording.empty();
  }
  PairedSides out;
  const std::map<std::string, std::string> cells = cells_of(stems);
  std::map<std::string, std::size_t> sides_with;
  for (const Side& side : sides) {
    std::set<std::string> own;
    for (const RunMeasure& run : side.runs) own.insert(cells.at(stem_of_run(run)));
    for (const std::string& cell : own) ++sides_with[cell];
  }
  std::vector<std::string> shared;
  for (const auto& [cell, count] : sides_with) {
    if (count == sides.size()) shared.push_back(cell);
  }
  if (recorded || !several || shared.size() < 2) {
    for (Side& side : sides) out.cells.emplace_back().push_back({"", std::move(side)});
    return out;
  }
  for (Side& side : sides) {
    std::vector<SideCell>& own = out.cells.emplace_back();
    for (const std::string& cell : shared) {
      own.push_back({cell, {}});
      own.back().side.name = side.name, own.back().side.left_out = side.left_out;
    }
    for (RunMeasure& run : side.runs) {
      const auto at = std::ranges::find(own, cells.at(stem_of_run(run)), &SideCell::labels);
      if (at == own.end())
        out.unpaired.push_back(side.name + "/" + run.place);
      else
        at->side.runs.push_back(std::move(run));
    }
    for (SideCell& cell : own) difference::join_items(cell.side);
  }
  return out;
}

}  // namespace assay
