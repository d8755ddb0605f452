#include "phases.hpp"

#include <algorithm>
#include <map>

#include "algo/paths/path_times.hpp"
#include "launch_place.hpp"

namespace assay::step_items {
namespace {

/// Whether each node is itself a step.
std::vector<bool> step_nodes(const Report& report, const ranges::PathTree& tree) {
  const std::vector<std::uint8_t> is_step = step_ranges(report);
  std::vector<bool> steps(tree.nodes().size(), false);
  tree.each([&](const ranges::Occurrence& range) {
    const auto node = static_cast<std::size_t>(range.node);
    if (!range.overlaps && !steps[node]) steps[node] = is_step[range.number] != 0;
  });
  return steps;
}

/// "decode_{i}/sample" below the innermost enclosing step; empty: it is a step, or outside of steps if there are any.
std::string path_below(const ranges::PathTree& tree, Row node, const std::vector<bool>& steps, bool any_step) {
  std::vector<std::string_view> parts;
  Row at = node;
  for (; at != kNone && !steps[static_cast<std::size_t>(at)]; at = tree.nodes()[static_cast<std::size_t>(at)].parent)
    parts.push_back(tree.name(at));
  if (at == kNone && any_step) return {};
  std::string text;
  for (std::size_t p = parts.size(); p-- > 0;) (text += parts[p]) += p > 0 ? "/" : "";
  return text;
}

}  // namespace

std::vector<Phase> phases_of(const Report& report, const step::Steps& steps) {
  std::vector<Phase> phases;
  if (report.ranges == nullptr) return phases;
  const ranges::PathTree tree(report);
  const ranges::LaunchPaths launches(report, tree);
  const std::vector<bool> is_step = step_nodes(report, tree);
  const bool any_step = std::ranges::find(is_step, true) != is_step.end();
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> of_node(tree.nodes().size(), 0);  // + 1; 0: none
  for (const ranges::PathTimes& row : ranges::path_times(report, tree, launches, false)) {
    if (phases.size() == kMaxPhases) break;
    std::string path = path_below(tree, row.node, is_step, any_step);
    if (path.empty()) continue;
    const auto [at, fresh] = known.try_emplace(path, phases.size());
    of_node[static_cast<std::size_t>(row.node)] = at->second + 1;
    if (!fresh) continue;
    phases.push_back({std::move(path), {}, row.each(row.gpu), row.each(row.launches)});
  }
  tree.each([&](const ranges::Occurrence& range) {
    const std::size_t phase = of_node[static_cast<std::size_t>(range.node)];
    if (phase > 0 && step_at(steps.kept, range.time.start) >= 0)
      phases[phase - 1].times.push_back(range.time.end - range.time.start);
  });
  return phases;
}

}  // namespace assay::step_items
