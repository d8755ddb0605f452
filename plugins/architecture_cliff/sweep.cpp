#include "sweep.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "assay/algo/participation.hpp"

namespace assay::cliff {
namespace {

struct Key {
  std::vector<double> order;
  std::vector<std::pair<std::string, std::string>> labels;
};

/// Values of the named labels of a report, or nothing when one is missing.
std::optional<Key> key_of(const StudyView& view, std::size_t report, std::span<const std::string> names) {
  Key key;
  for (const std::string& name : names) {
    const auto label = view.label(name);
    const auto row = label ? view.label_value(report, *label) : std::nullopt;
    if (!row) return std::nullopt;
    key.order.push_back(view.study().label_values->order[*row]);
    key.labels.emplace_back(name, view.study().label_values->text[*row].view());
  }
  return key;
}

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
                          std::vector<std::pair<std::size_t, std::string>>& left_out) {
  struct Group {
    std::vector<std::pair<std::string, std::string>> labels;
    std::vector<Run> runs;
  };
  std::map<std::vector<double>, Group> groups;
  const std::string axis_name[] = {std::string(axis)};
  for (const std::size_t r : view.disbelieved()) left_out.emplace_back(r, view.doubt(r));
  for (const RunReports& reports : as_runs(view, view.participants())) {
    const std::size_t r = reports.front();
    const auto fact = view.fact(static_cast<Row>(r), metric);
    const auto stratum = key_of(view, r, strata);
    const auto level = key_of(view, r, axis_name);
    const auto in_block = key_of(view, r, block);
    if (!fact) {
      left_out.emplace_back(r, "has no " + std::string(metric));
      continue;
    }
    if (!stratum || !level || !in_block) {
      left_out.emplace_back(r, "its name lacks a label that the sweep needs");
      continue;
    }
    Run run;
    run.observation = {r, static_cast<std::int64_t>(*fact), 0, 0, *value_of(view, reports, metric)};
    run.axis = level->order[0];
    run.axis_text = level->labels[0].second;
    run.block = in_block->order;
    Group& group = groups[stratum->order];
    group.labels = stratum->labels;
    group.runs.push_back(std::move(run));
  }
  std::sort(left_out.begin(), left_out.end());
  std::vector<Sweep> out;
  for (auto& [key, group] : groups) out.push_back(assemble(std::move(group.labels), std::move(group.runs)));
  return out;
}

}  // namespace assay::cliff
