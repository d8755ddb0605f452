#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/algo/stages.hpp"

namespace assay::stages {
namespace {

std::int64_t scaled(std::int64_t time, double by) { return std::llround(static_cast<double>(time) * by); }

/// A dependency of an event on an event of another rank: that one has begun and the transfer time has passed.
struct Need {
  std::uint32_t rank = 0, event = 0;
  std::int64_t transfer = 0;
};

constexpr std::int64_t kNotYet = std::numeric_limits<std::int64_t>::min();

class Run {
 public:
  Run(const JobStep& step, std::span<const double> scale) : step_(step), scale_(scale) {
    for (const RankStep& rank : step.ranks) {
      needs_.emplace_back(rank.events.size());
      times_.emplace_back(rank.events.size(), Interval{kNotYet, kNotYet});
    }
    for (std::size_t m = 0; m < step.messages.size(); ++m) add(m);
  }

  std::optional<Replay> result() {
    std::vector<std::size_t> at(times_.size(), 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t r = 0; r < times_.size(); ++r) {
        while (at[r] < times_[r].size() && advance(r, at[r])) {
          ++at[r];
          moved = true;
        }
        if (at[r] < times_[r].size()) moved |= begin_event(r, at[r]);
      }
    }
    Replay out;
    for (std::uint32_t r = 0; r < times_.size(); ++r) {
      if (at[r] < times_[r].size()) return std::nullopt;
      out.length = std::max(out.length, end_of(r));
    }
    out.events = std::move(times_);
    return out;
  }

 private:
  [[nodiscard]] Interval sent(const Message& m) const { return step_.ranks[m.from].events[m.from_event].time; }
  [[nodiscard]] Interval received(const Message& m) const { return step_.ranks[m.to].events[m.to_event].time; }

  void add(std::size_t number) {
    const Message& m = step_.messages[number];
    const Interval send = sent(m), receive = received(m);
    if (send.end < receive.start) {
      needs_[m.to][m.to_event].push_back({m.from, m.from_event, receive.end - receive.start});
      return add_room(number);
    }
    const std::int64_t both = std::max(send.start, receive.start);
    const std::int64_t transfer = std::max<std::int64_t>(0, std::min(send.end, receive.end) - both);
    needs_[m.to][m.to_event].push_back({m.from, m.from_event, transfer});
    needs_[m.from][m.from_event].push_back({m.to, m.to_event, transfer});
  }

  /// A buffered send ends when there is space: after the last receive of the pair that began while it ran.
  void add_room(std::size_t number) {
    const Message& m = step_.messages[number];
    const Interval send = sent(m);
    while (number > 0 && step_.messages[number - 1].from == m.from && step_.messages[number - 1].to == m.to) {
      const Message& before = step_.messages[--number];
      const std::int64_t begin = received(before).start;
      if (begin > send.end) continue;
      if (begin > send.start) needs_[m.from][m.from_event].push_back({before.to, before.to_event, send.end - begin});
      return;
    }
  }

  /// Sets the start of an event once the previous event is known. Returns whether it did.
  bool begin_event(std::uint32_t r, std::size_t e) {
    if (times_[r][e].start != kNotYet) return false;
    const RankStep& rank = step_.ranks[r];
    const CommEvent& event = rank.events[e];
    if (e == 0) {
      const std::int64_t lead = event.time.start - rank.window.start;
      times_[r][e].start = lead - event.work_before + scaled(event.work_before, scale_[r]);
      return true;
    }
    const CommEvent& before = rank.events[e - 1];
    const Interval done = times_[r][e - 1];
    if (event.time.start < before.time.end) {  // both run concurrently on different streams
      if (done.start == kNotYet) return false;
      times_[r][e].start = done.start + event.time.start - before.time.start;
      return true;
    }
    if (done.end == kNotYet) return false;
    const std::int64_t idle = event.time.start - before.time.end - event.work_before;
    times_[r][e].start = free_after(r, e - 1) + idle + scaled(event.work_before, scale_[r]);
    return true;
  }

  /// When the rank can continue after an event: compute that overlaps the event may end later.
  [[nodiscard]] std::int64_t free_after(std::uint32_t r, std::size_t e) const {
    return std::max(times_[r][e].end, times_[r][e].start + scaled(step_.ranks[r].events[e].covered, scale_[r]));
  }

  /// Whether start and end of the event are now known.
  bool advance(std::uint32_t r, std::size_t e) {
    Interval& time = times_[r][e];
    if (time.end != kNotYet) return true;
    begin_event(r, e);
    if (time.start == kNotYet) return false;
    const Interval was = step_.ranks[r].events[e].time;
    std::int64_t end = time.start, end_was = was.start;
    for (const Need& need : needs_[r][e]) {
      const std::int64_t other = times_[need.rank][need.event].start;
      if (other == kNotYet && !begin_event(need.rank, need.event)) return false;
      const std::int64_t other_was = step_.ranks[need.rank].events[need.event].time.start;
      end = std::max(end, std::max(time.start, times_[need.rank][need.event].start) + need.transfer);
      end_was = std::max(end_was, std::max(was.start, other_was) + need.transfer);
    }
    time.end = end + std::max<std::int64_t>(0, was.end - end_was);
    return true;
  }

  [[nodiscard]] std::int64_t end_of(std::uint32_t r) const {
    const RankStep& rank = step_.ranks[r];
    if (rank.events.empty())
      return rank.window.end - rank.window.start - rank.compute + scaled(rank.compute, scale_[r]);
    std::size_t last = 0;
    for (std::size_t e = 1; e < rank.events.size(); ++e) {
      if (rank.events[e].time.end >= rank.events[last].time.end) last = e;
    }
    const std::int64_t after = std::max<std::int64_t>(0, rank.window.end - rank.events[last].time.end);
    return free_after(r, last) + std::max<std::int64_t>(0, after - rank.work_after) +
           scaled(rank.work_after, scale_[r]);
  }

  const JobStep& step_;
  std::span<const double> scale_;
  std::vector<std::vector<std::vector<Need>>> needs_;  ///< [rank][event]
  std::vector<std::vector<Interval>> times_;           ///< [rank][event]
};

/// Where the first backward pass of a stage begins: after `event`, or with `at_start` before the event and its own
/// compute.
struct Turn {
  std::size_t event = 0;
  bool at_start = false;
};

Turn turn_of(const JobStep& step, const Chain& chain, std::size_t stage) {
  const RankStep& rank = step.ranks[chain.ranks[stage]];
  const bool is_last = stage + 1 == chain.ranks.size();
  for (const MessageSide& side : rank.sides) {
    if (!is_last && !side.sends && side.peer == chain.ranks[stage + 1]) return {side.event, false};
    if (is_last && side.sends && stage > 0 && side.peer == chain.ranks[stage - 1]) return {side.event, true};
  }
  return {0, rank.events.empty() || rank.events.front().work_before > 0};
}

/// Bubble of a rank before its turn, in a step replayed with `scale`.
std::int64_t before_turn(const JobStep& step, std::uint32_t r, const Turn& turn, const Replay& run,
                         const std::vector<std::int64_t>& waits, double scale) {
  const RankStep& rank = step.ranks[r];
  if (rank.events.empty()) return 0;
  std::int64_t compute = 0, transfer = 0;
  const std::size_t events = turn.at_start ? turn.event : turn.event + 1;
  for (std::size_t e = 0; e < events; ++e) {
    const CommEvent& event = rank.events[e];
    compute += scaled(event.work_before, scale) + scaled(event.covered, scale);
    transfer += std::max<std::int64_t>(0, event.time.end - event.time.start - waits[e] - event.covered);
  }
  const std::int64_t point = events == 0 ? 0 : run.events[r][events - 1].end;
  return std::max<std::int64_t>(0, point - compute - transfer);
}

}  // namespace

std::optional<Replay> replay(const JobStep& step, std::span<const double> scale) { return Run(step, scale).result(); }

std::optional<std::vector<BubbleParts>> split_bubbles(const JobStep& step, const Chain& chain,
                                                      std::span<const RankParts> parts) {
  double mean = 0;
  for (const std::uint32_t r : chain.ranks)
    mean += static_cast<double>(parts[r].compute) / static_cast<double>(chain.ranks.size());
  std::vector<double> as_is(step.ranks.size(), 1), equal = as_is;
  for (const std::uint32_t r : chain.ranks) {
    if (parts[r].compute <= 0) return std::nullopt;
    equal[r] = mean / static_cast<double>(parts[r].compute);
  }
  const auto measured = replay(step, as_is), balanced = replay(step, equal);
  if (!measured || !balanced || measured->length <= 0) return std::nullopt;
  const std::int64_t equal_length =
      scaled(step.length(), static_cast<double>(balanced->length) / static_cast<double>(measured->length));
  const auto waits = waits_of(step);
  std::vector<BubbleParts> out;
  for (std::size_t s = 0; s < chain.ranks.size(); ++s) {
    const std::uint32_t r = chain.ranks[s];
    const Turn turn = turn_of(step, chain, s);
    const std::int64_t bubble = parts[r].bubble;
    const std::int64_t equal_bubble =
        equal_length - static_cast<std::int64_t>(mean) - parts[r].transfer - parts[r].copy;
    const std::int64_t first = std::min(bubble, before_turn(step, r, turn, *measured, waits[r], 1));
    const std::int64_t equal_first = before_turn(step, r, turn, *balanced, waits[r], equal[r]);
    BubbleParts split;
    split.warm_up = std::min(first, equal_first);
    split.drain = std::min(bubble - first, std::max<std::int64_t>(0, equal_bubble - equal_first));
    split.imbalance = bubble - split.warm_up - split.drain;
    out.push_back(split);
  }
  return out;
}

}  // namespace assay::stages
