#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "assay/algo/stages.hpp"

namespace assay::stages {
namespace {

using Sides = std::vector<const MessageSide*>;

bool alike(const Sides& sends, const Sides& receives) {
  return std::ranges::equal(sends, receives, [](const MessageSide* a, const MessageSide* b) {
    return a->bytes < 0 || b->bytes < 0 || a->bytes == b->bytes;
  });
}

constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;

/// Bounds on the clock offset of `b` such that no receive ends before its send begins.
struct PairBounds {
  std::int64_t low = -kUnbounded, high = kUnbounded;
  /// Offsets at which the ends coincide: the maximum over sends of a, the minimum over sends of b, because a buffered
  /// send ends long before its receive.
  std::int64_t ends_low = -kUnbounded, ends_high = kUnbounded;

  void add(const JobStep& step, const Message& m, bool a_sends) {
    const Interval send = step.ranks[m.from].events[m.from_event].time;
    const Interval receive = step.ranks[m.to].events[m.to_event].time;
    if (a_sends) {
      low = std::max(low, send.start - receive.end);
      ends_low = std::max(ends_low, send.end - receive.end);
    } else {
      high = std::min(high, receive.end - send.start);
      ends_high = std::min(ends_high, receive.end - send.end);
    }
  }
  [[nodiscard]] std::int64_t best() const {
    if (low <= 0 && high >= 0) return 0;
    const std::int64_t middle = ends_low == -kUnbounded   ? ends_high
                                : ends_high == kUnbounded ? ends_low
                                                          : ends_low + (ends_high - ends_low) / 2;
    return std::clamp(middle, low, std::max(low, high));
  }
};
using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, PairBounds>;

Pairs bounds_of(std::span<const JobStep> steps) {
  Pairs pairs;
  for (const JobStep& step : steps) {
    for (const Message& m : step.messages) pairs[std::minmax(m.from, m.to)].add(step, m, m.from < m.to);
  }
  return pairs;
}

Alignment align(const Pairs& pairs, std::size_t ranks) {
  Alignment out;
  out.shift.assign(ranks, 0);
  out.known.assign(ranks, false);
  std::vector<std::int64_t> doubt(ranks, 0);
  std::vector<std::uint32_t> queue = {0};
  if (ranks > 0) out.known[0] = true;
  for (std::size_t q = 0; q < queue.size(); ++q) {
    for (const auto& [pair, bounds] : pairs) {
      const auto [a, b] = pair;
      const std::uint32_t at = queue[q], other = at == a ? b : a;
      if ((at != a && at != b) || out.known[other]) continue;
      const std::int64_t best = bounds.best();
      out.known[other] = true;
      out.moved = out.moved || best != 0;
      out.shift[other] = at == a ? out.shift[at] + best : out.shift[at] - best;
      const bool bounded = bounds.low > -kUnbounded && bounds.high < kUnbounded;
      doubt[other] = doubt[at] + (bounded ? std::max(bounds.high - best, best - bounds.low) : 0);
      out.uncertainty = std::max(out.uncertainty, doubt[other]);
      queue.push_back(other);
    }
  }
  return out;
}

}  // namespace

std::int64_t JobStep::length() const {
  std::int64_t longest = 0;
  for (const RankStep& rank : ranks) longest = std::max(longest, rank.window.end - rank.window.start);
  return longest;
}

void match_messages(JobStep& step) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;  // from, to, communicator
  std::map<Key, std::pair<Sides, Sides>> pairs;
  for (std::uint32_t r = 0; r < step.ranks.size(); ++r) {
    for (const MessageSide& side : step.ranks[r].sides) {
      if (side.sends)
        pairs[{r, side.peer, side.group}].first.push_back(&side);
      else
        pairs[{side.peer, r, side.group}].second.push_back(&side);
    }
  }
  for (const auto& [key, sides] : pairs) {
    const auto& [sends, receives] = sides;
    if (!alike(sends, receives)) {
      step.unmatched += static_cast<std::int64_t>(sends.size() + receives.size());
      continue;
    }
    for (std::size_t i = 0; i < sends.size(); ++i)
      step.messages.push_back({std::get<0>(key), sends[i]->event, std::get<1>(key), receives[i]->event,
                               std::max(sends[i]->bytes, receives[i]->bytes)});
  }
}

std::vector<Alignment> align_clocks(std::span<const JobStep> steps) {
  if (steps.empty()) return {};
  const std::size_t ranks = steps.front().ranks.size();
  const Pairs all = bounds_of(steps);
  const bool one_offset =
      std::ranges::all_of(all, [](const auto& pair) { return pair.second.low <= pair.second.high; });
  if (one_offset) return std::vector<Alignment>(steps.size(), align(all, ranks));
  std::vector<Alignment> out;
  for (std::size_t s = 0; s < steps.size(); ++s) out.push_back(align(bounds_of(steps.subspan(s, 1)), ranks));
  return out;
}

void shift(JobStep& step, const Alignment& by) {
  for (std::size_t r = 0; r < step.ranks.size(); ++r) {
    RankStep& rank = step.ranks[r];
    const auto move = [&](Interval& time) {
      time.start += by.shift[r];
      time.end += by.shift[r];
    };
    move(rank.window);
    for (CommEvent& event : rank.events) move(event.time);
    for (Interval& part : rank.uncovered) move(part);
  }
}

std::vector<std::vector<std::int64_t>> waits_of(const JobStep& step) {
  std::vector<std::vector<std::int64_t>> waits;
  for (const RankStep& rank : step.ranks) waits.emplace_back(rank.events.size(), 0);
  for (const Message& m : step.messages) {
    const Interval send = step.ranks[m.from].events[m.from_event].time;
    const Interval receive = step.ranks[m.to].events[m.to_event].time;
    const auto until = [](std::int64_t& wait, Interval own, std::int64_t other) {
      wait = std::max(wait, std::clamp<std::int64_t>(other - own.start, 0, own.end - own.start));
    };
    until(waits[m.to][m.to_event], receive, send.start);
    std::int64_t& sender = waits[m.from][m.from_event];
    if (receive.start <= send.end)
      until(sender, send, receive.start);
    else  // buffered: time beyond the duration of the receive was spent waiting for buffer space
      sender = std::max(sender, send.end - send.start - (receive.end - receive.start));
  }
  return waits;
}

std::vector<RankParts> parts_of(const JobStep& step, const std::vector<std::vector<std::int64_t>>& waits) {
  std::vector<RankParts> out;
  for (std::size_t r = 0; r < step.ranks.size(); ++r) {
    const RankStep& rank = step.ranks[r];
    Intervals waiting, moving;
    for (std::size_t e = 0; e < rank.events.size(); ++e) {
      const Interval time = rank.events[e].time;
      waiting.push_back({time.start, time.start + waits[r][e]});
      moving.push_back({time.start + waits[r][e], time.end});
    }
    waiting = merge(waiting);
    moving = merge(moving);
    RankParts parts;
    parts.compute = rank.compute;
    parts.copy = rank.copy_only;
    parts.transfer = measure(intersect(moving, rank.uncovered));
    parts.wait = measure(subtract(intersect(waiting, rank.uncovered), moving));
    parts.bubble = step.length() - parts.compute - parts.copy - parts.transfer;
    out.push_back(parts);
  }
  return out;
}

}  // namespace assay::stages
