#include "algo/lever/gains.hpp"

#include <cmath>

#include "algo/lever/removal.hpp"
#include "algo/replay/change.hpp"

namespace assay::lever {
namespace {

/// Whether steps end on the host, which a profiler slows.
bool ends_on_host(const replay::SteadyIterations& after) {
  const auto of = [&](replay::Part part) { return after.on_path[static_cast<std::size_t>(part)]; };
  double all = 0;
  for (const double part : after.on_path) all += part;
  return of(replay::Part::kHost) + of(replay::Part::kLaunch) > all / 2;
}

bool is_compute(LeverKind kind) {
  return kind == LeverKind::kFp32Products || kind == LeverKind::kAttention || kind == LeverKind::kPointwise;
}

}  // namespace

bool is_faithful(const replay::Graph& graph, const std::vector<std::int64_t>& steady) {
  constexpr double kMostOff = 0.03;
  return std::abs(replay::gain_share(replay::lengths(graph, graph.seen), steady)) <= kMostOff;
}

std::vector<Gain> gains_of(const std::vector<Lever>& levers, const Program& program, replay::Graph& graph,
                           const std::vector<std::int64_t>& before, replay::ReplayTimes memory,
                           const NameRules& classes) {
  std::vector<Gain> out;
  replay::KeptGraph kept(graph);
  for (const Lever& lever : levers) {
    remove(lever, program, graph, classes);
    memory = replay::run(graph, std::move(memory));
    Gain gain{.lever = lever};
    std::vector<std::int64_t> after;
    if (is_compute(lever.kind)) {
      replay::SteadyIterations steady = replay::steady_iterations(graph, memory);
      gain.at_least = ends_on_host(steady);
      after = std::move(steady.lengths);
    } else {
      after = replay::steady_lengths(graph, memory);
    }
    kept.restore(graph);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const auto was = static_cast<double>(before[i]);
      gain.shares.push_back(was > 0 ? 1 - static_cast<double>(after[i]) / was : 0);
    }
    gain.share = replay::gain_share(before, after);
    out.push_back(std::move(gain));
  }
  sort_levers(out);
  return out;
}

}  // namespace assay::lever
