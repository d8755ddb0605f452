#include "difference/phases.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "algo/paths/path_times.hpp"
#include "assay/algo/stats.hpp"
#include "assay/algo/summary.hpp"
#include "render/format.hpp"

namespace assay::difference {
namespace {

/// Whether each node is itself a step.
std::vector<bool> step_nodes(const Report& report, const ranges::PathTree& tree, step::Names& names) {
  std::vector<bool> steps(tree.nodes().size(), false);
  tree.each([&](const ranges::Occurrence& range) {
    const auto node = static_cast<std::size_t>(range.node);
    if (!range.overlaps && !steps[node]) steps[node] = names.is_step(report.ranges->name[range.number]);
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

double median_of(const Phase& phase) { return median(std::vector<double>(phase.times.begin(), phase.times.end())); }

const Phase* find_phase(const RunMeasure& run, const std::string& path) {
  const auto at = std::ranges::find(run.phases, path, &Phase::path);
  return at == run.phases.end() || at->times.empty() ? nullptr : &*at;
}

/// Logarithms of the medians of the runs with the phase.
std::vector<double> add_side(const Side& side, const std::string& path, PhaseSide& to) {
  std::vector<double> logs;
  double total = 0;
  for (const RunMeasure& run : side.runs) {
    const Phase* phase = find_phase(run, path);
    if (phase == nullptr) continue;
    const auto count = static_cast<double>(phase->times.size());
    for (const std::int64_t time : phase->times) total += static_cast<double>(time);
    to.count += phase->times.size();
    to.gpu += phase->gpu * count, to.launches += phase->launches * count;
    logs.push_back(std::log(std::max(1.0, median_of(*phase))));
    to.bounds = median_bounds(std::vector<double>(phase->times.begin(), phase->times.end()));
  }
  if (logs.empty()) return logs;
  to.median = std::exp(mean(logs));
  to.gpu /= static_cast<double>(to.count), to.launches /= static_cast<double>(to.count);
  to.share = side.time > 0 ? total / static_cast<double>(side.time) : 0;
  return logs;
}

/// All paths in depth-first order.
std::vector<std::string> paths_of(const Side& before, const Side& after) {
  std::vector<std::string> paths;
  for (const Side* side : {&before, &after}) {
    for (const RunMeasure& run : side->runs) {
      for (const Phase& phase : run.phases) {
        if (std::ranges::find(paths, phase.path) != paths.end()) continue;
        const std::string around = phase.path.substr(0, phase.path.rfind('/') + 1);  // npos + 1 is 0
        auto at = paths.end();
        if (!around.empty()) {
          const auto is_in = [&](const std::string& path) { return (path + "/").starts_with(around); };
          const auto last = std::find_if(paths.rbegin(), paths.rend(), is_in);
          at = last == paths.rend() ? at : last.base();
        }
        paths.insert(at, phase.path);
      }
    }
  }
  return paths;
}

/// "9.95x faster".
std::string factor_text(double ratio) {
  return fixed(std::max(ratio, 1 / ratio), 2) + (ratio > 1 ? "x slower" : "x faster");
}

}  // namespace

std::vector<Phase> phases_of(const Report& report, step::Names& names, const LaunchPlaces& places) {
  std::vector<Phase> phases;
  if (report.ranges == nullptr) return phases;
  const ranges::PathTree tree(report);
  const ranges::LaunchPaths launches(report, tree);
  const std::vector<bool> steps = step_nodes(report, tree, names);
  const bool any_step = std::ranges::find(steps, true) != steps.end();
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> of_node(tree.nodes().size(), 0);  // + 1; 0: none
  for (const ranges::PathTimes& row : ranges::path_times(report, tree, launches)) {
    if (phases.size() == kMaxPhases) break;
    std::string path = path_below(tree, row.node, steps, any_step);
    if (path.empty()) continue;
    const auto [at, fresh] = known.try_emplace(path, phases.size());
    of_node[static_cast<std::size_t>(row.node)] = at->second + 1;
    if (!fresh) continue;
    phases.push_back({std::move(path), {}, row.each(row.gpu), row.each(row.launches)});
  }
  tree.each([&](const ranges::Occurrence& range) {
    const std::size_t phase = of_node[static_cast<std::size_t>(range.node)];
    if (phase > 0 && places.step_at(range.time.start) >= 0)
      phases[phase - 1].times.push_back(range.time.end - range.time.start);
  });
  return phases;
}

std::vector<PhaseChange> phase_changes(const Side& before, const Side& after, const RunDesign& design, double error,
                                       bool step_told) {
  std::vector<PhaseChange> phases;
  std::vector<double> p;
  for (std::string& path : paths_of(before, after)) {
    PhaseChange change;
    const std::vector<double> b = add_side(before, path, change.before), a = add_side(after, path, change.after);
    if (b.size() == before.runs.size() && a.size() == after.runs.size())
      change.judged = judge(design.values_of(b, a), 1e-9, error);
    change.path = std::move(path);
    if (change.before.count + change.after.count == 0) continue;
    p.push_back(change.judged.half ? change.judged.p : 1);
    phases.push_back(std::move(change));
  }
  const std::vector<bool> told = significant_by_holm(p, error);
  for (std::size_t i = 0; i < phases.size(); ++i) phases[i].told = step_told && phases[i].judged.half && told[i];
  return phases;
}

std::string phase_text(const std::vector<PhaseChange>& phases, double step_ratio) {
  constexpr double kMinShare = 0.1, kAsTheStep = 0.1;
  std::string text;
  std::size_t named = 0;
  bool other = false;
  const bool plain = std::ranges::any_of(phases, [](const PhaseChange& p) { return p.plain_ratio().has_value(); });
  for (const PhaseChange& phase : phases) {
    const bool large = std::max(phase.before.share, phase.after.share) >= kMinShare;
    if (!phase.is_outer() || !large || !phase.both() || (plain && !phase.plain_ratio())) continue;
    const double ratio = phase.plain_ratio().value_or(phase.ratio());
    const bool changed = phase.plain_ratio() ? phase.plain_changed() : phase.changed();
    text += (named++ > 0 ? ", " : "") + phase.path + (changed ? " " + factor_text(ratio) : " unchanged");
    other = other || std::abs(std::log(ratio / step_ratio)) > kAsTheStep;
  }
  constexpr std::size_t kMaxNamed = 4;
  if (!other || named < (plain ? 1 : 2) || named > kMaxNamed) return {};
  return (plain ? "without a profiler " : "") + text;
}

}  // namespace assay::difference
