#include "rule.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace assay::hang {
namespace {

using Ranks = std::set<std::int64_t>;

bool is_one_of(const Call& call, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return is_operation(call.operation, name); });
}

/// Whether all ranks must give equally many elements. Those of all_to_all differ lawfully.
bool has_equal_sizes(const Call& call) {
  return is_one_of(call, {"all_reduce", "broadcast", "reduce", "all_gather", "reduce_scatter"});
}

/// Whether calls of two ranks are one collective. How many sends and receives came before differs lawfully.
bool is_same(const Call& a, const Call& b) {
  return a.group == b.group && a.number == b.number && a.peer == kNone && b.peer == kNone;
}

class Rule {
 public:
  explicit Rule(const Job& job) : job_(job) {}

  Verdict verdict() {
    if (!job_.refusal.empty()) return {.outcome = Outcome::kRefused};
    std::size_t heads = 0;
    for (const auto& [rank, member] : job_.ranks) heads += member.head.empty() ? 0U : 1U;
    if (lacks_dumps(every_rank())) return too_few();
    if (heads == 0) return {};
    for (const auto& [rank, member] : job_.ranks) {
      if (!member.head.empty()) judge(rank, member);
    }
    if (verdict_.culprits.empty()) name_missing();
    if (verdict_.culprits.empty()) name_callers();
    if (verdict_.culprits.empty()) find_circle();
    if (!verdict_.culprits.empty())
      verdict_.outcome = Outcome::kNamed;
    else if (!verdict_.circle.empty())
      verdict_.outcome = Outcome::kCircle;
    else if (!verdict_.missing.empty())
      verdict_.outcome = Outcome::kTooFew;
    else
      verdict_.outcome = Outcome::kDevice;
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] const Member& member(std::int64_t rank) const { return job_.ranks.at(rank); }
  [[nodiscard]] bool has_dump(std::int64_t rank) const { return member(rank).dump != nullptr; }
  [[nodiscard]] bool is_idle(std::int64_t rank) const { return has_dump(rank) && member(rank).head.empty(); }
  [[nodiscard]] bool is_named(std::int64_t rank) const {
    return std::ranges::any_of(verdict_.culprits, [&](const Culprit& culprit) { return culprit.rank == rank; });
  }
  [[nodiscard]] std::vector<std::int64_t> every_rank() const {
    std::vector<std::int64_t> ranks;
    for (const auto& [rank, member] : job_.ranks) ranks.push_back(rank);
    return ranks;
  }
  [[nodiscard]] bool lacks_dumps(const std::vector<std::int64_t>& ranks) const {
    const auto missing = std::ranges::count_if(ranks, [&](std::int64_t rank) { return !has_dump(rank); });
    return 2 * static_cast<std::size_t>(missing) > ranks.size();
  }
  Verdict too_few() const {
    Verdict verdict{.outcome = Outcome::kTooFew};
    for (const std::int64_t rank : every_rank()) {
      if (!has_dump(rank)) verdict.missing.push_back(rank);
    }
    return verdict;
  }
  void name(const Culprit& culprit) {
    if (!is_named(culprit.rank)) verdict_.culprits.push_back(culprit);
  }
  void wait(std::int64_t rank, std::int64_t other, const Call& call) {
    verdict_.waits[rank].insert(other);
    if (!has_dump(other)) missing_.try_emplace(other, &call);
  }
  [[nodiscard]] Progress progress(std::int64_t rank, std::size_t group) const {
    const auto at = member(rank).groups.find(group);
    return at == member(rank).groups.end() ? Progress{} : at->second;
  }
  /// The open call of a rank with these numbers; null: it has none.
  [[nodiscard]] const Call* open_call(std::int64_t rank, const Call& like) const {
    const auto calls = member(rank).open.find(like.group);
    if (calls == member(rank).open.end()) return nullptr;
    const auto at = std::ranges::find_if(calls->second, [&](const Call* call) { return is_same(*call, like); });
    return at == calls->second.end() ? nullptr : *at;
  }
  [[nodiscard]] bool is_at(std::int64_t rank, const Call& call) const {
    return std::ranges::any_of(member(rank).head, [&](const Call* own) { return is_same(*own, call); });
  }

  void judge(std::int64_t rank, const Member& own) {
    const Call& call = *own.head.front();
    const Group& group = job_.groups[call.group];
    if (lacks_dumps(group.members)) {
      for (const std::int64_t other : group.members) {
        if (!has_dump(other)) add_missing(other);
      }
      return;
    }
    if (std::ranges::any_of(own.head, [](const Call* one) { return one->peer != kNone; })) {
      for (const Call* one : own.head) {
        if (one->peer != kNone) judge_p2p(rank, *one, group);
      }
      return name_silent(rank, call);
    }
    if (group.is_counted) judge_collective(rank, call, group);
  }

  void add_missing(std::int64_t rank) {
    if (std::ranges::find(verdict_.missing, rank) == verdict_.missing.end()) verdict_.missing.push_back(rank);
  }

  /// Whether the rank has completed the call or a later one of its group by its state, which counts where calls that
  /// completed are not in the dump. The root of a broadcast that others called as something else has, too.
  [[nodiscard]] bool seems_past(std::int64_t rank, const Call& call) const {
    return member(rank).dump->has_only_open && progress(rank, call.group).status_completed >= call.number;
  }

  [[nodiscard]] bool is_passed(std::int64_t rank, const Call& call, const Group& group) const {
    std::size_t seem = 0;
    for (const std::int64_t other : group.members) {
      if (other == rank || !has_dump(other)) continue;
      if (progress(other, call.group).completed >= call.number) return true;
      seem += seems_past(other, call) ? 1U : 0U;
    }
    return 2 * seem >= group.members.size();
  }

  void judge_collective(std::int64_t rank, const Call& call, const Group& group) {
    if (!call.is_batch && !may_leave_early(call.operation) && is_passed(rank, call, group))
      return name({rank, Fault::kStuck, &call, nullptr});
    if (name_unlike(call, group)) return;
    Ranks behind, elsewhere, unknown;
    for (const std::int64_t other : group.members) {
      if (other == rank) continue;
      if (!has_dump(other)) {
        unknown.insert(other);
        missing_.try_emplace(other, &call);
      } else if (progress(other, call.group).called < call.number) {
        behind.insert(other);
      } else if (!member(other).head.empty() && !is_at(other, call)) {
        elsewhere.insert(other);
      }
    }
    const Ranks& waits = !behind.empty() ? behind : !elsewhere.empty() ? elsewhere : unknown;
    for (const std::int64_t other : waits) wait(rank, other, call);
    name_idle(waits, call, group);
  }

  void name_idle(const Ranks& waits, const Call& call, const Group& group) {
    const auto idle =
        static_cast<std::size_t>(std::ranges::count_if(waits, [&](std::int64_t other) { return is_idle(other); }));
    if (2 * idle > group.members.size()) return lonely_.push_back(&call);
    for (const std::int64_t other : waits) {
      if (is_idle(other)) name({other, Fault::kNotCalled, nullptr, &call});
    }
  }

  using Traits = std::array<std::string, 3>;
  static Traits traits_of(const Call& call) {
    if (call.is_batch) return {"batch", {}, {}};
    return {call.operation, call.types, has_equal_sizes(call) ? std::to_string(call.elements) : std::string()};
  }

  /// Names who called something else under the same number. Whether anyone did.
  bool name_unlike(const Call& call, const Group& group) {
    std::map<Traits, std::vector<std::pair<std::int64_t, const Call*>>> sides;
    for (const std::int64_t rank : group.members) {
      const Call* const own = has_dump(rank) ? open_call(rank, call) : nullptr;
      if (own != nullptr && own->peer == kNone) sides[traits_of(*own)].emplace_back(rank, own);
    }
    if (sides.size() < 2) return false;
    std::size_t most = 0;
    for (const auto& [traits, ranks] : sides) most = std::max(most, ranks.size());
    const auto is_largest = [&](const auto& side) { return side.second.size() == most; };
    const bool tie = std::ranges::count_if(sides, is_largest) > 1;
    for (const auto& side : sides) {
      if (!tie && is_largest(side)) continue;
      const auto other =
          std::ranges::find_if(sides, [&](const auto& one) { return is_largest(one) && one.first != side.first; });
      for (const auto& [rank, own] : side.second) name({rank, Fault::kDiffers, own, other->second.front().second, tie});
    }
    return true;
  }

  void judge_p2p(std::int64_t rank, const Call& call, const Group& group) {
    if (call.peer < 0 || call.peer >= static_cast<std::int64_t>(group.members.size())) return;
    const std::int64_t other = group.members[static_cast<std::size_t>(call.peer)];
    const auto place = std::ranges::find(group.members, rank) - group.members.begin();
    if (other == rank) return;
    if (!has_dump(other)) return wait(rank, other, call);
    const auto is_other_end = [&](const auto& end) {
      return end.group == call.group && end.peer == place && end.is_send != call.is_send;
    };
    const Dump& own_dump = *member(rank).dump;
    const Dump& dump = *member(other).dump;
    const bool counted = own_dump.is_complete && dump.is_complete;
    const auto pair = std::ranges::find_if(dump.pairs, is_other_end);
    const std::int64_t calls = pair == dump.pairs.end() ? 0 : pair->calls;
    const bool has_it = counted ? calls >= call.turn : std::ranges::any_of(dump.open, is_other_end);
    if (has_it) {
      if (counted && pair->completed >= call.turn)
        return call.is_batch ? void() : name({rank, Fault::kStuck, &call, nullptr});
      const bool there = std::ranges::any_of(member(other).head, [&](const Call* end) {
        return is_other_end(*end) && (!counted || end->turn == call.turn || end->is_batch);
      });
      if (!there && !is_idle(other)) wait(rank, other, call);
      return;
    }
    if (counted && progress(other, call.group).collectives > call.collectives) return name_left_out(rank, other, call);
    wait(rank, other, call);
    silent_[rank].emplace_back(other, counted);
  }

  /// Of several ends of a batch that do not show, one may have completed unless all calls are there.
  void name_silent(std::int64_t rank, const Call& call) {
    const auto& silent = silent_[rank];
    for (const auto& [other, counted] : silent) {
      if (is_idle(other) && (counted || silent.size() == 1)) name({other, Fault::kNotCalled, nullptr, &call});
    }
  }

  /// The other end has called a later collective without its send or receive: one of the two left out a call.
  void name_left_out(std::int64_t rank, std::int64_t other, const Call& call) {
    const bool known = call.most_between != kNone;
    if (!known || call.since <= call.most_between) name({other, Fault::kLeftOut, nullptr, &call, !known});
    if (!known || call.since > call.most_between) name({rank, Fault::kCollective, &call, nullptr, !known});
  }

  void name_missing() {
    for (const auto& [rank, call] : missing_) name({rank, Fault::kNoDump, nullptr, call});
  }

  void name_callers() {
    for (const Call* call : lonely_) {
      for (const std::int64_t rank : job_.groups[call->group].members) {
        if (has_dump(rank) && is_at(rank, *call)) name({rank, Fault::kExtraCall, member(rank).head.front(), nullptr});
      }
    }
  }

  /// Ranks that can be reached from a rank by waits, itself if there is a way back.
  [[nodiscard]] Ranks reached_from(std::int64_t rank) const {
    Ranks reached;
    std::vector<std::int64_t> next{rank};
    while (!next.empty()) {
      const auto waits = verdict_.waits.find(next.back());
      next.pop_back();
      if (waits == verdict_.waits.end()) continue;
      for (const std::int64_t other : waits->second) {
        if (reached.insert(other).second) next.push_back(other);
      }
    }
    return reached;
  }

  void find_circle() {
    std::map<std::int64_t, Ranks> reached;
    for (const auto& [rank, waits] : verdict_.waits) reached[rank] = reached_from(rank);
    for (const auto& [rank, others] : reached) {
      if (!others.contains(rank)) continue;
      for (const std::int64_t other : others) {
        const auto back = reached.find(other);
        if (back != reached.end() && back->second.contains(rank)) verdict_.circle.push_back(other);
      }
      break;
    }
    if (!verdict_.circle.empty()) name_side();
  }

  /// The minority of the circle, or of two equal sides the ranks that call from unusual frames.
  void name_side() {
    std::map<std::tuple<std::size_t, std::int64_t, std::int64_t>, std::vector<std::int64_t>> by_head;
    for (const std::int64_t rank : verdict_.circle) {
      const Call& head = *member(rank).head.front();
      by_head[{head.group, head.number, head.peer == kNone ? kNone : rank}].push_back(rank);
    }
    std::vector<std::vector<std::int64_t>> sides;
    for (auto& [head, ranks] : by_head) sides.push_back(std::move(ranks));
    std::ranges::stable_sort(sides, {}, [](const auto& side) { return side.size(); });
    constexpr std::size_t kMaxNamed = 2;
    if (sides.size() < 2 || sides[0].size() > kMaxNamed) return;
    const Call* const other = member(sides[1].front()).head.front();
    if (sides[0].size() < sides[1].size()) {
      for (const std::int64_t rank : sides[0]) name({rank, Fault::kOrder, member(rank).head.front(), other});
    } else if (sides.size() == 2) {
      for (std::size_t s = 0; s < 2; ++s) {
        for (const std::int64_t rank : sides[s]) {
          const Call* const own = member(rank).head.front();
          if (calls_from_elsewhere(*own)) name({rank, Fault::kOrder, own, member(sides[1 - s].front()).head.front()});
        }
      }
    }
  }

  /// Whether more than half of the ranks that have the call open made it from other frames.
  [[nodiscard]] bool calls_from_elsewhere(const Call& call) const {
    std::size_t all = 0;
    std::map<std::string_view, std::size_t> frames;
    for (const std::int64_t rank : job_.groups[call.group].members) {
      const Call* const own = has_dump(rank) ? open_call(rank, call) : nullptr;
      if (own == nullptr || own->frames.empty()) continue;
      ++all;
      ++frames[own->frames];
    }
    return !call.frames.empty() && std::ranges::any_of(frames, [&](const auto& one) {
      return one.first != call.frames && 2 * one.second > all;
    });
  }

  const Job& job_;
  Verdict verdict_;
  std::map<std::int64_t, const Call*> missing_;                                // waited for; by rank, a call that waits
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, bool>>> silent_;  // by waiting rank: ends, whether counted
  std::vector<const Call*> lonely_;  // calls that most of their group wait to make
};

}  // namespace

Verdict verdict_on(const Job& job) { return Rule(job).verdict(); }

}  // namespace assay::hang
