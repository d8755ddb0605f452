#include "whatif/predict.hpp"

#include <algorithm>
#include <cmath>

#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "whatif/shares.hpp"

namespace assay::whatif {
namespace {

constexpr double kLevel = 0.975;
constexpr double kWorthSaying = 0.05;  ///< share of a path
/// Candidates that are replayed for the largest gains: what gains more than the last of them is on the path for longer.
constexpr std::size_t kMostCandidates = 48;

struct Changed {
  replay::Graph graph;
  std::size_t meant = 0;  ///< pieces of the run that the change is about
};

Changed apply(const Run& run, const replay::Graph& graph, const Asked& asked, const NameRules& classes) {
  using Kind = Asked::Kind;
  const Report& report = run.report();
  if (asked.kind == Kind::kRemoveSync) return {replay::without_waits(report, graph), 1};
  if (asked.kind == Kind::kLaunchCost) return {replay::with_launch_cost(graph, asked.factor), 1};
  const replay::Selection what = replay::select(report, graph, asked.what, classes);
  const std::size_t meant = what.empty() ? 0 : what.work_count + 1;
  switch (asked.kind) {
    case Kind::kOverlap:
      return {replay::overlapped(graph, what), meant};
    case Kind::kReplace:
      return {replay::replaced(graph, what, asked.by), what.instances == 0 ? 0 : meant};
    default:
      return {replay::scaled(graph, what, asked.factor, asked.what.target == replay::Target::kRange), meant};
  }
}

void add_path(const replay::Graph& graph, const replay::Replayed& replayed, PathShares& to) {
  for (const replay::Iteration& iteration : graph.iterations) {
    for (const replay::Piece& piece : replay::critical_path(graph, replayed, iteration))
      to[static_cast<std::size_t>(piece.part)] += static_cast<double>(piece.end - piece.start);
  }
}

void normalise(PathShares& shares) {
  double sum = 0;
  for (const double share : shares) sum += share;
  for (double& share : shares) share = sum > 0 ? share / sum : 0;
}

std::vector<double> numbers(const std::vector<std::int64_t>& values) { return {values.begin(), values.end()}; }

/// The interval of a mean; without a second value nothing tells how much it varies.
double half_width(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const auto n = static_cast<double>(values.size());
  return student_t_quantile(kLevel, n - 1) * sample_sd(values) / std::sqrt(n);
}

std::string percent(double share) { return fixed(100 * share, share < 0.0995 ? 1 : 0) + " %"; }

std::size_t largest(const PathShares& path) {
  return static_cast<std::size_t>(std::max_element(path.begin(), path.end()) - path.begin());
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

PathShares path_shares(std::span<const Run> runs) {
  PathShares shares{};
  for (const Run& run : runs) add_path(run.graph, run.base, shares);
  normalise(shares);
  return shares;
}

std::string largest_parts(const PathShares& path) {
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < path.size(); ++p) order.push_back(p);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return path[a] > path[b]; });
  std::string text;
  for (const std::size_t p : order) {
    if (!text.empty() && path[p] < kWorthSaying) break;
    text += (text.empty() ? "" : ", ") + part(p) + " " + percent(path[p]);
  }
  return text;
}

Result<Prediction> predict(std::span<const Run> runs, std::span<const Asked> changes, const NameRules& classes) {
  Prediction out;
  for (const Asked& change : changes) out.change += (out.change.empty() ? "" : ", ") + title(change);
  std::vector<double> gains, before, after;
  std::vector<std::size_t> meant(changes.size(), 0);
  std::vector<double> of_iterations;
  for (const Run& run : runs) {
    Changed changed{run.graph, 0};
    for (std::size_t c = 0; c < changes.size(); ++c) {
      changed = apply(run, changed.graph, changes[c], classes);
      meant[c] += changed.meant;
    }
    const replay::Replayed replayed = replay::run(changed.graph);
    const std::vector<double> was = numbers(run.replayed), is = numbers(replay::lengths(changed.graph, replayed.time));
    before.push_back(median(was)), after.push_back(median(is)), gains.push_back(before.back() - after.back());
    for (std::size_t i = 0; i < was.size(); ++i) of_iterations.push_back(was[i] - is[i]);
    out.drift += run.drift.median * before.back() / static_cast<double>(runs.size());
    add_path(run.graph, run.base, out.path_before), add_path(changed.graph, replayed, out.path_after);
  }
  for (std::size_t c = 0; c < changes.size(); ++c) {
    if (meant[c] == 0)
      return Error{"'" + changes[c].text + "' matches nothing that " +
                       (runs.size() == 1 ? "the profile holds" : "the profiles hold") +
                       "; names are compared whole, '*' stands for any text",
                   Exit::kUsage};
  }
  normalise(out.path_before), normalise(out.path_after);
  out.before = mean(before), out.after = mean(after), out.gain = mean(gains);
  const double half = half_width(runs.size() > 1 ? gains : of_iterations) + out.drift;
  out.low = out.gain - half, out.high = out.gain + half;
  out.told = std::abs(out.gain) > out.drift;
  out.reason = reason_of(out);
  return out;
}

std::vector<Prediction> largest_gains(std::span<const Run> runs, const NameRules& classes, std::size_t most) {
  std::vector<Candidate> tried = candidates(runs.front());
  if (tried.size() > kMostCandidates) tried.resize(kMostCandidates);
  std::vector<Prediction> out;
  for (const Candidate& candidate : tried) {
    const Asked change[] = {candidate.change};
    Result<Prediction> one = predict(runs, change, classes);
    if (one && one->told && one->gain > 0) out.push_back(std::move(*one));
  }
  std::stable_sort(out.begin(), out.end(), [](const Prediction& a, const Prediction& b) { return a.gain > b.gain; });
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace assay::whatif
