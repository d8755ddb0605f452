#include "measure.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "algo/lever/gains.hpp"
#include "algo/lever/removal.hpp"

namespace assay::critical {
namespace {

using replay::Graph;

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
  out.split = replay::split_paths(report, graph, base, replay::kGroupings, classes);
  out.parts = replay::split_parts(report, graph, base);

  const std::vector<std::int64_t> steady = replay::steady_lengths(graph, base);
  if (!lever::is_faithful(graph, steady)) return out;
  const lever::Program program(report, graph);
  for (lever::Gain& gain :
       lever::gains_of(lever::candidates(program, classes), program, graph, steady, std::move(base), classes)) {
    if (gain.share > out.drift.median)
      out.gains.push_back(std::move(gain));
    else
      out.lost.push_back(lever::text_of(gain.lever));
  }
  return out;
}

}  // namespace assay::critical
