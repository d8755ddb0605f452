#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "assay/algo/distributions.hpp"
#include "assay/algo/stages.hpp"
#include "assay/algo/summary.hpp"

namespace assay::stages {
namespace {

using Peers = std::vector<std::set<std::uint32_t>>;

Peers peers_of(const JobStep& step) {
  Peers peers(step.ranks.size());
  for (const Message& m : step.messages) {
    peers[m.from].insert(m.to);
    peers[m.to].insert(m.from);
  }
  return peers;
}

std::vector<std::uint32_t> component_of(const Peers& peers, std::uint32_t first, std::vector<bool>& seen) {
  std::vector<std::uint32_t> out = {first};
  seen[first] = true;
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const std::uint32_t peer : peers[out[i]]) {
      if (seen[peer]) continue;
      seen[peer] = true;
      out.push_back(peer);
    }
  }
  return out;
}

/// Whether the first message event of a rank is a receive.
bool begins_with_receive(const RankStep& rank) {
  if (rank.sides.empty()) return false;
  return std::ranges::any_of(
      rank.sides, [&](const MessageSide& side) { return !side.sends && side.event == rank.sides.front().event; });
}

/// Ranks in stage order, starting with the one that begins with a send; empty if there is no such order.
std::vector<std::uint32_t> order_of(const JobStep& step, const Peers& peers, std::uint32_t first, std::size_t size) {
  std::vector<std::uint32_t> order = {first};
  std::uint32_t at = step.ranks[first].sides.front().peer;
  while (order.size() < size) {
    if (std::ranges::find(order, at) != order.end()) return {};
    const RankStep& rank = step.ranks[at];
    if (rank.sides.front().sends || rank.sides.front().peer != order.back()) return {};
    order.push_back(at);
    if (order.size() == size) break;
    const auto next = std::ranges::find_if(peers[at], [&](std::uint32_t p) { return p != order[order.size() - 2]; });
    if (next == peers[at].end()) return {};
    at = *next;
  }
  return order;
}

struct Place {
  std::int64_t previous = -1, next = -1;  ///< ranks of the previous and the next stage; -1: none
};
Place place_of(const Chain& chain, std::size_t stage) {
  const std::size_t last = chain.ranks.size() - 1;
  const bool wraps = chain.ring && chain.ranks.size() > 2;
  return {stage > 0 ? chain.ranks[stage - 1]
          : wraps   ? std::int64_t{chain.ranks[last]}
                    : -1,
          stage < last ? chain.ranks[stage + 1]
          : wraps      ? std::int64_t{chain.ranks[0]}
                       : -1};
}

/// For each event, which of the four kinds of messages it has.
struct Around {
  bool from_previous = false, from_next = false, to_previous = false, to_next = false;
  [[nodiscard]] bool any() const { return from_previous || from_next || to_previous || to_next; }
};
std::vector<Around> surroundings_of(const RankStep& rank, const Place& place) {
  std::vector<Around> out(rank.events.size());
  for (const MessageSide& side : rank.sides) {
    Around& at = out[side.event];
    const bool previous = std::int64_t{side.peer} == place.previous, next = std::int64_t{side.peer} == place.next;
    at.to_next |= side.sends && next;
    at.to_previous |= side.sends && previous && !next;
    at.from_previous |= !side.sends && previous;
    at.from_next |= !side.sends && next && !previous;
  }
  return out;
}

/// Mean compute of a step with its variance, estimated over the pieces and over the steps; the larger of the two.
struct Estimate {
  double mean = 0, variance = 0, degrees = 0;
};
Estimate estimate_of(const StageCompute& stage) {
  Estimate out;
  const auto steps = static_cast<double>(stage.steps.size());
  out.mean = mean(stage.steps);
  for (const std::vector<double>& kind : stage.pieces) {
    if (kind.size() < 2) continue;
    const double of = mean(kind);
    double squares = 0;
    for (const double value : kind) squares += (value - of) * (value - of);
    const auto n = static_cast<double>(kind.size());
    out.variance += n * squares / (n - 1) / (steps * steps);
    out.degrees += n - 1;
  }
  double squares = 0;
  for (const double value : stage.steps) squares += (value - out.mean) * (value - out.mean);
  if (steps > 1) out.variance = std::max(out.variance, squares / (steps - 1) / steps);
  return out;
}

}  // namespace

std::vector<Chain> find_chains(const JobStep& step) {
  const Peers peers = peers_of(step);
  std::vector<bool> seen(step.ranks.size(), false);
  std::vector<Chain> out;
  for (std::uint32_t r = 0; r < step.ranks.size(); ++r) {
    if (seen[r] || peers[r].empty()) continue;
    const std::vector<std::uint32_t> members = component_of(peers, r, seen);
    const auto two_at_most = [&](std::uint32_t m) { return peers[m].size() <= 2; };
    if (!std::ranges::all_of(members, two_at_most)) continue;
    std::vector<std::uint32_t> starts;
    std::ranges::copy_if(members, std::back_inserter(starts),
                         [&](std::uint32_t m) { return !begins_with_receive(step.ranks[m]); });
    if (starts.size() != 1) continue;
    const auto ends = std::ranges::count_if(members, [&](std::uint32_t m) { return peers[m].size() == 1; });
    const bool ring = ends == 0;
    if (!ring && peers[starts.front()].size() != 1) continue;
    Chain chain{order_of(step, peers, starts.front(), members.size()), ring};
    if (!chain.ranks.empty()) out.push_back(std::move(chain));
  }
  return out;
}

ChainShape shape_of(const JobStep& step, const Chain& chain) {
  const RankStep& first = step.ranks[chain.ranks.front()];
  const std::vector<Around> around = surroundings_of(first, place_of(chain, 0));
  ChainShape out;
  std::int64_t work = 0;
  bool backward_came = false;
  for (std::size_t e = 0; e < around.size(); ++e) {
    work += first.events[e].work_before;
    if (around[e].to_next && (work > 0 || out.microbatches == 0)) {
      ++out.microbatches;
      work = 0;
      if (backward_came) out.schedule = Schedule::kInterleavedBackward;
    }
    if (around[e].from_next && !backward_came) {
      backward_came = true;
      if (out.schedule == Schedule::kForwardOnly) out.schedule = Schedule::kAllForwardFirst;
    }
  }
  return out;
}

namespace {

/// A gap between messages: the passes that these begin and end.
struct Boundary {
  Pass begins = Pass::kUnknown, ends = Pass::kUnknown;
  bool received = false;  ///< the message before the gap brought input
};

Boundary boundary_of(const Around& before, const Around& after) {
  Boundary out;
  out.received = before.from_previous || before.from_next;
  const bool forward = before.from_previous || (!before.from_next && before.to_next);
  if (before.any()) out.begins = forward ? Pass::kForward : Pass::kBackward;
  if (after.to_next || after.to_previous) out.ends = after.to_next ? Pass::kForward : Pass::kBackward;
  return out;
}

/// The pass of one of the works in a gap. `first`, `last`: no other work of the gap is before it, after it.
Pass pass_in(const Boundary& gap, bool first, bool last) {
  if (gap.ends == Pass::kUnknown) return gap.begins;
  if (!gap.received || gap.begins == gap.ends) return gap.ends;
  if (first == last) return Pass::kBoth;  // the gap's only work, or where the passes change is not known
  return first ? gap.begins : gap.ends;
}

}  // namespace

std::vector<Pass> passes_of(const JobStep& step, const Chain& chain, std::size_t stage) {
  const RankStep& rank = step.ranks[chain.ranks[stage]];
  const std::vector<Around> around = surroundings_of(rank, place_of(chain, stage));
  // Collectives within a stage occur in the middle of a pass, so the messages around them decide.
  const std::size_t events = around.size();
  std::vector<std::size_t> next(events + 1, events), works(events + 1, 0);  // the next message; works in front of it
  for (std::size_t e = events; e-- > 0;) next[e] = around[e].any() ? e : next[e + 1];
  for (std::size_t e = 0; e < events; ++e) works[e + 1] = works[e] + (rank.events[e].work_before > 0 ? 1U : 0U);
  std::vector<Pass> out;
  std::optional<std::size_t> last;
  for (std::size_t e = 0; e <= events; ++e) {
    if (e > 0 && around[e - 1].any()) last = e - 1;
    const Boundary gap = boundary_of(last ? around[*last] : Around{}, next[e] < events ? around[next[e]] : Around{});
    const bool is_first = last && works[e] == works[*last + 1];
    const bool is_last = works[std::min(next[e] + 1, events)] == works[std::min(e + 1, events)];
    out.push_back(pass_in(gap, is_first, is_last));
  }
  return out;
}

std::optional<LimitingStage> limiting_stage(std::span<const StageCompute> stages, double least_excess,
                                            double false_names) {
  if (stages.size() < 2) return std::nullopt;
  std::vector<Estimate> estimates;
  for (const StageCompute& stage : stages) estimates.push_back(estimate_of(stage));
  const auto most = std::ranges::max_element(estimates, {}, &Estimate::mean);
  const auto others = static_cast<double>(stages.size() - 1);
  double of_others = 0, variance = most->variance, degrees = 0;
  for (const Estimate& e : estimates) {
    degrees += e.degrees;
    if (&e == &*most) continue;
    of_others += e.mean / others;
    variance += e.variance / (others * others);
  }
  if (degrees < 1 || of_others <= 0) return std::nullopt;
  const double limit = student_t_quantile(1 - false_names / static_cast<double>(stages.size()), degrees);
  const LimitingStage found{static_cast<std::size_t>(most - estimates.begin()), most->mean / of_others - 1,
                            (most->mean - limit * std::sqrt(variance)) / of_others - 1};
  return found.excess >= least_excess && found.low > 0 ? std::optional(found) : std::nullopt;
}

}  // namespace assay::stages
