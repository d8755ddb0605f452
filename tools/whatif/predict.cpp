#include "whatif/predict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "algo/lever/gains.hpp"
#include "algo/lever/removal.hpp"
#include "algo/replay/ranks.hpp"
#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "whatif/shares.hpp"

namespace assay::whatif {
namespace {

constexpr double kLevel = 0.975;
constexpr double kWorthSaying = 0.05;   ///< min share of a path
constexpr double kWorthListing = 0.01;  ///< min share of a step
/// Max number of candidates to replay for the largest gains; larger gains have a larger part of the path.
constexpr std::size_t kMaxCandidates = 48;

struct ChangedGraph {
  replay::Graph graph;
  std::size_t meant = 0;  ///< pieces of the run that the change affects
};

ChangedGraph apply(const Run& run, replay::Graph graph, const ChangeRequest& asked, const NameRules& classes,
                   replay::KeptGraph* kept) {
  using Kind = ChangeRequest::Kind;
  const Report& report = run.report();
  if (asked.kind == Kind::kRemoveSync) return {replay::without_waits(report, std::move(graph)), 1};
  if (asked.kind == Kind::kNoStraggler) return {std::move(graph), 1};  // of all ranks together
  if (asked.kind == Kind::kLever) {
    const std::size_t pieces = lever::remove(asked.lever, lever::Program(report, graph), graph, classes);
    return {std::move(graph), pieces};
  }
  if (asked.kind == Kind::kLaunchCost) return {replay::with_launch_cost(std::move(graph), asked.factor), 1};
  const replay::Selection what = replay::select(report, graph, asked.what, classes);
  const std::size_t meant = what.empty() ? 0 : what.work_count + 1;
  if (asked.what.target == replay::Target::kLaunch)
    return {replay::with_launch_cost(std::move(graph), asked.factor, &what), what.call_count};
  const bool host_too = asked.what.target == replay::Target::kRange || asked.what.target == replay::Target::kHost;
  switch (asked.kind) {
    case Kind::kOverlap:
      return {replay::overlapped(std::move(graph), what, kept), meant};
    case Kind::kReplace:
      return {replay::replaced(std::move(graph), what, asked.by), what.instances == 0 ? 0 : meant};
    case Kind::kGraph: {
      replay::GraphedRanges graphed = replay::as_cuda_graphs(report, std::move(graph), what, asked.what.pattern, kept);
      return {std::move(graphed.graph), graphed.ranges};
    }
    case Kind::kAdd:
      return {replay::with_added_work(std::move(graph), what, asked.added), what.last.size()};
    default:
      return {replay::scaled(std::move(graph), what, asked.factor, host_too), meant};
  }
}

void add(const PathParts& path, PathParts& to) {
  for (std::size_t p = 0; p < path.size(); ++p) to[p] += path[p];
}

void normalise(PathParts& shares) {
  double sum = 0;
  for (const double share : shares) sum += share;
  for (double& share : shares) share = sum > 0 ? share / sum : 0;
}

std::vector<double> numbers(const std::vector<std::int64_t>& values) { return {values.begin(), values.end()}; }

/// Half of the interval of a mean; undefined without a second value.
double half_width(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const auto n = static_cast<double>(values.size());
  return student_t_quantile(kLevel, n - 1) * sample_sd(values) / std::sqrt(n);
}

/// Half of the interval of one value more: what lasts over a run does not average out over its steps.
double width_of_one(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  return student_t_quantile(kLevel, static_cast<double>(values.size()) - 1) * sample_sd(values);
}

std::string percent(double share) { return fixed(100 * share, share < 0.0995 ? 1 : 0) + " %"; }

std::size_t largest(const PathParts& path) {
  return static_cast<std::size_t>(std::ranges::max_element(path) - path.begin());
}

std::string part(std::size_t p) { return std::string(replay::part_name(static_cast<replay::Part>(p))); }

/// "it gives 3 % of the step, because the path goes through host code for 71 %".
std::string reason_of(const Prediction& p) {
  const double share = p.before > 0 ? p.gain / p.before : 0;
  const std::size_t now = largest(p.path_before), then = largest(p.path_after);
  std::string text = "The critical path goes through " + largest_parts(p.path_before) + " now";
  text +=
      now == then ? " and still mostly through " + part(then) + " then" : "; then " + part(then) + " limit the step";
  text += " (" + percent(p.path_after[then]) + ").";
  if (!p.told) return "The gain is smaller than the replay's own error, so it is not significant. " + text;
  return std::string(share < 0 ? "The step gets longer by " : "This is ") + percent(std::abs(share)) +
         (share < 0 ? ". " : " of the step. ") + text;
}

}  // namespace

PathParts path_shares(std::span<const RunSummary> runs) {
  PathParts shares{};
  for (const RunSummary& run : runs) add(run.path, shares);
  normalise(shares);
  return shares;
}

std::string largest_parts(const PathParts& path) {
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < path.size(); ++p) order.push_back(p);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return path[a] > path[b]; });
  std::string text;
  for (const std::size_t p : order) {
    if (!text.empty() && path[p] < kWorthSaying) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part(p), percent(path[p]));
  }
  return text;
}

namespace {

/// Runs before and after changes: iteration lengths and paths.
struct Outcome {
  std::vector<std::vector<double>> before, after;  ///< of each run
  double drift = 0;                                ///< ns
  PathParts path_before{}, path_after{};
};

/// The graph with all changes, and how much of it each of them is about.
replay::Graph changed(const Run& run, replay::Graph graph, const Changes& changes, const NameRules& classes,
                      std::vector<std::size_t>& meant, replay::KeptGraph* kept = nullptr) {
  for (std::size_t c = 0; c < changes.size(); ++c) {
    ChangedGraph changed = apply(run, std::move(graph), changes[c], classes, kept);
    meant[c] += changed.meant;
    graph = std::move(changed.graph);
  }
  return graph;
}

std::vector<double> lengths_of(const replay::JoinedRanks& ranks, const std::vector<std::int64_t>& lengths,
                               std::size_t r) {
  const auto at = [&](std::size_t i) { return lengths.begin() + static_cast<std::ptrdiff_t>(i); };
  return {at(ranks.first_iteration[r]), at(ranks.first_iteration[r + 1])};
}

std::vector<const replay::Graph*> pointers(const std::vector<replay::Graph>& graphs) {
  std::vector<const replay::Graph*> out;
  for (const replay::Graph& graph : graphs) out.push_back(&graph);
  return out;
}

/// Replays the ranks of a job together: they wait for each other in collectives.
Outcome ranks_together(std::span<const Run> runs, const std::vector<replay::Graph>& changed, bool straggler) {
  std::vector<replay::Rank> ranks;
  std::vector<const replay::Graph*> base;
  for (const Run& run : runs) {
    ranks.push_back({&run.report(), &run.graph});
    base.push_back(&run.graph);
  }
  const replay::Ranks matched = replay::match_ranks(ranks);
  const replay::JoinedRanks was = replay::join_ranks(base, matched);
  const replay::ReplayTimes replayed = replay::run(was.graph);
  const std::vector<std::int64_t> seen = replay::lengths(was.graph, was.graph.seen),
                                  lengths = replay::lengths(was.graph, replayed.time);
  const replay::SteadyIterations steady = replay::steady_iterations(was.graph, replayed);
  Outcome out;
  std::vector<double> off;
  for (std::size_t i = 0; i < seen.size(); ++i) off.push_back(std::abs(static_cast<double>(lengths[i] - seen[i])));
  out.drift = median(off);
  out.path_before = steady.on_path;
  for (std::size_t r = 0; r < runs.size(); ++r) out.before.push_back(lengths_of(was, steady.lengths, r));
  if (!straggler) {
    const replay::JoinedRanks is = replay::join_ranks(pointers(changed), matched);
    const replay::SteadyIterations after = replay::steady_iterations(is.graph, replay::run(is.graph));
    for (std::size_t r = 0; r < runs.size(); ++r) out.after.push_back(lengths_of(is, after.lengths, r));
    out.path_after = after.on_path;
    return out;
  }
  // The slowest rank becomes as fast as the second slowest, so that nothing waits for it: its steps are those of the
  // job.
  std::vector<std::pair<double, std::size_t>> alone;
  std::vector<replay::SteadyIterations> after;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const replay::Graph graph = replay::without_other_ranks(changed[r], matched, r);
    after.push_back(replay::steady_iterations(graph, replay::run(graph)));
    alone.emplace_back(median(numbers(after.back().lengths)), r);
  }
  std::ranges::sort(alone);
  const std::size_t next = alone[alone.size() - 2].second;
  out.after.assign(runs.size(), numbers(after[next].lengths));
  out.path_after = after[next].on_path;
  return out;
}

Result<Prediction> prediction_of(Outcome outcome, const Changes& changes, const std::vector<std::size_t>& meant,
                                 bool job) {
  Prediction out;
  const std::size_t runs = outcome.before.size();
  for (std::size_t c = 0; c < changes.size(); ++c) {
    out.change += (out.change.empty() ? "" : ", ") + title(changes[c]);
    if (meant[c] == 0)
      return Error{fmt::format("'{}' matches nothing that {}", changes[c].text,
                               runs == 1 ? "the profile holds" : "the profiles hold"),
                   Exit::kUsage}
          .at(changes[c].text)
          .advise("names are compared whole, '*' stands for any text");
  }
  std::vector<double> gains, before, after, of_iterations;
  for (std::size_t r = 0; r < runs; ++r) {
    before.push_back(mean(outcome.before[r]));
    after.push_back(mean(outcome.after[r]));
    gains.push_back(before.back() - after.back());
    // Ranks of a job run in lockstep, so one of them shows the variation of iterations.
    const std::size_t count = job && r > 0 ? 0 : std::min(outcome.before[r].size(), outcome.after[r].size());
    for (std::size_t i = 0; i < count; ++i) of_iterations.push_back(outcome.before[r][i] - outcome.after[r][i]);
  }
  out.drift = outcome.drift;
  out.path_before = outcome.path_before;
  out.path_after = outcome.path_after;
  normalise(out.path_before);
  normalise(out.path_after);
  out.before = mean(before);
  out.after = mean(after);
  out.gain = mean(gains);
  const bool repeats = runs > 1 && !job;
  const std::vector<double>& spread = repeats ? gains : of_iterations;
  const double own = half_width(spread) + out.drift;
  const double half = std::hypot(own, width_of_one(repeats ? before : outcome.before.front()));
  out.ranged = spread.size() > 1;
  out.sure = !out.ranged || out.gain > own;
  out.at_most = std::ranges::any_of(changes, is_bound);
  out.of_launches = std::ranges::any_of(changes, saves_host_time);
  out.low = out.gain - half;
  out.high = out.gain + half;
  out.told = std::abs(out.gain) > out.drift;
  out.reason = reason_of(out);
  if (changes.size() == 1 && changes.front().kind == ChangeRequest::Kind::kLever) out.lever = changes.front().lever;
  return out;
}

}  // namespace

bool needs_ranks(const Changes& changes) {
  return std::ranges::any_of(
      changes, [](const ChangeRequest& change) { return change.kind == ChangeRequest::Kind::kNoStraggler; });
}

struct Effects::Effect {
  Changes changes;
  std::vector<std::size_t> meant;
  Outcome outcome;  ///< without its drift
  std::vector<double> drifts;
};

Effects::Effects(std::vector<Changes> sets, NameRules classes) : classes_(std::move(classes)) {
  for (Changes& changes : sets) {
    const std::size_t count = changes.size();
    effects_.push_back(std::make_shared<Effect>(Effect{std::move(changes), std::vector<std::size_t>(count), {}, {}}));
  }
}

void Effects::add(Run& run) {
  replay::KeptGraph kept(run.graph);
  replay::ReplayTimes times = std::move(run.base);
  for (const std::shared_ptr<Effect>& effect : effects_) {
    run.graph = changed(run, std::move(run.graph), effect->changes, classes_, effect->meant, &kept);
    times = replay::run(run.graph, std::move(times));
    const replay::SteadyIterations steady = replay::steady_iterations(run.graph, times);
    kept.restore(run.graph);
    Outcome& out = effect->outcome;
    out.before.push_back(numbers(run.steady));
    out.after.push_back(numbers(steady.lengths));
    effect->drifts.push_back(run.drift.median * mean(out.before.back()));
    whatif::add(run.path, out.path_before);
    whatif::add(steady.on_path, out.path_after);
  }
}

std::vector<Result<Prediction>> Effects::predictions() const {
  std::vector<Result<Prediction>> all;
  for (const std::shared_ptr<Effect>& effect : effects_) {
    Outcome outcome = effect->outcome;
    for (const double drift : effect->drifts) outcome.drift += drift / static_cast<double>(effect->drifts.size());
    all.push_back(prediction_of(std::move(outcome), effect->changes, effect->meant, false));
  }
  return all;
}

Result<Prediction> predict_job(std::span<const Run> ranks, const Changes& changes, const NameRules& classes) {
  std::vector<std::size_t> meant(changes.size(), 0);
  std::vector<replay::Graph> graphs;
  for (const Run& rank : ranks) graphs.push_back(changed(rank, rank.graph, changes, classes, meant));
  return prediction_of(ranks_together(ranks, graphs, needs_ranks(changes)), changes, meant, true);
}

std::vector<Changes> lever_changes(const Run& run, const NameRules& classes) {
  std::vector<Changes> singles;
  if (!lever::is_faithful(run.graph, run.steady)) return singles;
  for (lever::Lever& lever : lever::candidates(lever::Program(run.report(), run.graph), classes)) {
    const bool launches = lever.kind == lever::LeverKind::kLaunches && !lever.place.empty();
    if (Result<ChangeRequest> graph = read_graph(lever.place); launches && graph)
      singles.push_back({std::move(*graph)});
    singles.push_back({without(std::move(lever))});
  }
  return singles;
}

std::vector<Changes> bounds_of(const Run& run) {
  std::vector<Candidate> tried = candidates(run);
  if (tried.size() > kMaxCandidates) tried.resize(kMaxCandidates);
  std::vector<Changes> singles;
  for (Candidate& candidate : tried) singles.push_back({std::move(candidate.change)});
  return singles;
}

void keep_largest(std::vector<Prediction>& predictions, std::size_t most) {
  std::erase_if(predictions,
                [](const Prediction& one) { return !one.told || !one.sure || one.gain < kWorthListing * one.before; });
  std::ranges::stable_sort(predictions, std::greater<>(), &Prediction::gain);
  std::vector<lever::Gain> gains;
  for (const Prediction& one : predictions) {
    if (one.lever) gains.push_back({*one.lever, one.gain / one.before});
  }
  lever::sort_levers(gains);
  if (const std::vector<lever::Gain> limits = lever::limiting(gains, 0); !limits.empty()) {
    const auto first = std::ranges::find(predictions, limits.front().lever, &Prediction::lever);
    std::rotate(predictions.begin(), first, first + 1);
  }
  if (predictions.size() > most) predictions.resize(most);
}

}  // namespace assay::whatif
