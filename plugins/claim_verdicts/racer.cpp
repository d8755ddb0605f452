#include "racer.hpp"

#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace assay::claims {
namespace {

/// Clocks that a state which lasts over blocks may change.
constexpr std::array<std::string_view, 2> kClocks = {"clock.sm_mhz", "clock.memory_mhz"};

}  // namespace

bool follows_clocks(std::string_view metric, std::string_view unit) {
  const bool is_time = unit == "ns" || unit == "us" || unit == "ms" || unit == "s";
  return (is_time || unit.ends_with("/s")) && !metric.ends_with(".plain");
}

Racer racer_of(const StudyView& view, const RunSide& side, double direction, bool with_clocks) {
  struct Block {
    std::vector<double> values;
    std::array<std::vector<double>, kClocks.size()> clocks;
  };
  const auto label = view.label("block");
  std::map<double, Block> blocks;
  for (const RunValue& run : side) {
    const auto row = label ? view.label_value(run.report, *label) : std::nullopt;
    if (!row) continue;
    Block& block = blocks[view.study().label_values->order[*row]];
    block.values.push_back(direction * std::log(run.value));
    RunReports parts;  // of a run of several windows each was sampled
    for (const std::size_t fact : run.facts)
      parts.push_back(static_cast<std::size_t>(view.study().facts->report[fact]));
    for (std::size_t c = 0; c < kClocks.size() && with_clocks; ++c) {
      const auto mhz = value_of(view, parts, kClocks[c]);
      with_clocks = mhz && *mhz > 0;
      if (with_clocks) block.clocks[c].push_back(std::log(*mhz));
    }
  }
  Racer racer;
  if (with_clocks) racer.clocks.resize(kClocks.size());
  for (const auto& [number, block] : blocks) {
    racer.block.push_back(number);
    racer.value.push_back(mean(block.values));
    for (std::size_t c = 0; c < racer.clocks.size(); ++c) racer.clocks[c].push_back(mean(block.clocks[c]));
  }
  return racer;
}

}  // namespace assay::claims
