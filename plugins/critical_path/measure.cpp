#include "measure.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_set>

#include "algo/replay/change.hpp"
#include "assay/algo/summary.hpp"

namespace assay::critical {
namespace {

using replay::Graph;
using replay::Target;

/// The end of the replay for this number of calls: the start of the iteration in which they end, or of the second one.
std::int64_t until(const Report& report, std::size_t most_calls) {
  if (report.calls == nullptr || report.calls->rows <= most_calls) return std::numeric_limits<std::int64_t>::max();
  const std::int64_t at = report.calls->start[most_calls];
  const IterationTable* iterations = report.iterations;
  if (iterations == nullptr || iterations->rows < 3) return at;
  std::size_t last = 2;
  while (last + 1 < iterations->rows && iterations->start[last + 1] <= at) ++last;
  return iterations->start[last] + 1;
}

class Gains {
 public:
  /// `memory`: of times that are no longer needed.
  Gains(const Report& report, Graph& graph, const std::vector<std::int64_t>& base, replay::ReplayTimes memory,
        PathMeasurement& to)
      : report_(report), graph_(graph), kept_(graph), base_(base), times_(std::move(memory)), to_(to) {}

  /// Of the graph as it is now.
  void add(std::string change) {
    times_ = replay::run(graph_, std::move(times_));
    const std::vector<std::int64_t> after = replay::steady_lengths(graph_, times_);
    Gain gain;
    for (std::size_t i = 0; i < after.size(); ++i) {
      const auto before = static_cast<double>(base_[i]);
      gain.shares.push_back(before > 0 ? 1 - static_cast<double>(after[i]) / before : 0);
    }
    gain.share = replay::gain_share(base_, after);
    gain.change = std::move(change);
    if (gain.share > to_.drift.median)
      to_.gains.push_back(std::move(gain));
    else
      to_.lost.push_back(std::move(gain.change));
  }

  /// changed(graph) gives the graph that it is given with other lags.
  template <class Change>
  void add_lags(std::string change, Change&& changed) {
    graph_ = changed(std::move(graph_));
    add(std::move(change));
    kept_.restore(graph_);
  }

  /// Skips changes without a target.
  void add_without(std::string change, Target target, const std::string& pattern, bool host_too,
                   const NameRules& classes) {
    replay::Selector selector;
    selector.target = target;
    selector.pattern = pattern;
    const replay::Selection what = replay::select(report_, graph_, selector, classes);
    if (what.empty()) return;
    add_lags(std::move(change), [&](Graph graph) { return replay::scaled(std::move(graph), what, 0, host_too); });
  }

  void add_overlap(const NameRules& classes) {
    bool moved = false;
    for (const char* direction : {"h2d", "d2h"}) {
      replay::Selector selector;
      selector.target = Target::kCopy;
      selector.pattern = direction;
      const replay::Selection copies = replay::select(report_, graph_, selector, classes);
      if (copies.empty()) continue;
      graph_ = replay::overlapped(std::move(graph_), copies, &kept_);
      moved = true;
    }
    if (!moved) return;
    add(std::string(kOverlapCopies));
    kept_.restore(graph_);
  }

 private:
  const Report& report_;
  Graph& graph_;
  replay::KeptGraph kept_;
  const std::vector<std::int64_t>& base_;
  replay::ReplayTimes times_;
  PathMeasurement& to_;
};

/// Classes that occur among the kernels of the report, in the order of the rules.
std::vector<std::string> classes_in(const Report& report, const NameRules& rules) {
  std::vector<std::string> classes;
  if (report.kernels == nullptr || !report.kernels->name.present()) return classes;
  std::unordered_set<StringId> names;
  for (const StringId name : report.kernels->name.view()) names.insert(name);
  std::set<std::string_view> present;
  for (const StringId name : names) present.insert(rules.class_of(report.string(name)));
  std::ranges::copy_if(rules.classes(), std::back_inserter(classes),
                       [&](const std::string& name) { return present.contains(name); });
  return classes;
}

}  // namespace

PathMeasurement measure(const Report& given, const NameRules& classes, const Settings& settings) {
  const replay::StepIterations steps(given);
  const Report report = steps.in(given);
  PathMeasurement out;
  const std::int64_t end = until(report, settings.most_calls);
  out.cut = end != std::numeric_limits<std::int64_t>::max();
  replay::GraphWithTypical graphs = replay::build_with_typical(report, end);
  Graph& graph = graphs.seen;
  if (graph.iterations.empty()) throw std::invalid_argument("it holds no iteration that could be replayed");
  out.whole = report.iterations == nullptr;
  out.iterations = graph.iterations.size();
  replay::ReplayTimes base = replay::run(graph);
  const std::vector<std::int64_t> lengths = replay::lengths(graph, base.time);
  out.lengths.assign(lengths.begin(), lengths.end());
  out.drift = replay::drift_of(graphs, lengths);
  for (std::size_t by = 0; by < std::size(replay::kByNames); ++by)
    out.split.push_back(replay::split_path(report, graph, base, static_cast<replay::PathGrouping>(by), classes));
  out.parts = replay::split_parts(report, graph, base);

  const std::vector<std::int64_t> steady = replay::steady_lengths(graph, base);
  Gains gains(report, graph, steady, std::move(base), out);
  gains.add_lags(std::string(kNoSync), [&](Graph from) { return replay::without_waits(report, std::move(from)); });
  gains.add_lags(std::string(kNoLaunchCost), [](Graph from) { return replay::with_launch_cost(std::move(from), 0); });
  gains.add_lags(std::string(kNoHostCode), [](Graph from) { return replay::without_host_code(std::move(from)); });
  gains.add_overlap(classes);
  gains.add_without(std::string(kNoDataLoader), Target::kRange, "*DataLoader*", true, classes);
  for (const std::string& name : classes_in(report, classes))
    gains.add_without(std::string(kClass) + name, Target::kClass, name, false, classes);
  std::ranges::stable_sort(out.gains, [](const Gain& a, const Gain& b) { return a.share > b.share; });
  return out;
}

}  // namespace assay::critical
