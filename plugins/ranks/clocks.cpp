#include "clocks.hpp"

#include <algorithm>
#include <limits>

#include "assay/algo/summary.hpp"

namespace assay::ranks {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

/// What may be added to a clock.
struct Range {
  std::int64_t low = -kFar, high = kFar;
};

/// A collective's ends on two ranks, and what speaks for them.
struct EndPair {
  double difference;          ///< end on the group's first member - end on the other
  std::int64_t bare, length;  ///< time without compute on both, and duration of the shorter
};

class ClockFinder {
 public:
  ClockFinder(const JobRows& job, const Matches& matches) : job_(job), matches_(matches) {
    out_.ranks.resize(job.ranks.size());
    for (const Group& group : matches.groups) {
      ranges_.emplace_back(group.members.size());
      ends_.emplace_back(group.members.size());
    }
  }

  Clocks find() {
    const auto has_origin = [](const RankRows& r) { return r.origin != kNoInteger; };
    if (!std::all_of(job_.ranks.begin(), job_.ranks.end(), has_origin)) return std::move(out_);
    for (std::size_t r = 0; r < job_.ranks.size(); ++r)
      out_.ranks[r].base_difference = job_.ranks[r].origin - job_.ranks[0].origin;
    for (const Match& m : matches_.all) {
      if (tells(job_, matches_, m)) add(m);
    }
    join_groups();
    out_.usable = true;
    for (std::size_t r = 0; r < out_.ranks.size(); ++r) {
      RankClock& clock = out_.ranks[r];
      out_.usable = out_.usable && clock.known && !clock.drifts;
      if (clock.known && !clock.drifts) choose(r);
      out_.uncertainty = std::max({out_.uncertainty, clock.high - clock.used, clock.used - clock.low});
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::int64_t at(std::size_t rank, std::int64_t time) const {
    return time + out_.ranks[rank].base_difference;
  }

  void add(const Match& m) {
    const Group& group = matches_.groups[m.group];
    const std::size_t first = group.members[0];
    const std::uint32_t own = matches_.row(m, 0);
    const std::int64_t begin = at(first, job_.ranks[first].begin[own]), end = at(first, job_.ranks[first].finish[own]);
    for (std::uint32_t i = 1; i < group.members.size(); ++i) {
      const std::size_t r = group.members[i];
      const std::uint32_t row = matches_.row(m, i);
      const std::int64_t other_begin = at(r, job_.ranks[r].begin[row]), other_end = at(r, job_.ranks[r].finish[row]);
      Range& range = ranges_[m.group][i];
      range.low = std::max(range.low, begin - other_end);
      range.high = std::min(range.high, end - other_begin);
      Intervals bare;
      job_.ranks[r].add_uncovered(row, job_.ranks[r].duration(row), bare);
      ends_[m.group][i].push_back(
          {static_cast<double>(end - other_end), measure(bare), std::min(end - begin, other_end - other_begin)});
      out_.ranks[r].end_differences.push_back(static_cast<double>(other_end - end));
      out_.ranks[r].end_times.push_back(static_cast<double>(job_.ranks[first].finish[own]));
    }
  }

  /// From the first rank through groups that share ranks: what is known of one member tells of the others.
  void join_groups() {
    out_.ranks[0].known = true;
    std::vector<bool> done(matches_.groups.size(), false);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t g = 0; g < matches_.groups.size(); ++g) {
        const Group& group = matches_.groups[g];
        if (done[g]) continue;
        const auto known = std::find_if(group.members.begin(), group.members.end(),
                                        [&](std::size_t r) { return out_.ranks[r].known; });
        if (known == group.members.end()) continue;
        spread(g, static_cast<std::size_t>(known - group.members.begin()));
        done[g] = more = true;
      }
    }
  }

  void spread(std::size_t g, std::size_t known) {
    const Group& group = matches_.groups[g];
    Range first{0, 0};  // of the group's first member against the job's first rank
    const RankClock& from = out_.ranks[group.members[known]];
    const Range own = known == 0 ? Range{0, 0} : ranges_[g][known];
    if (own.low == -kFar) return;  // nothing of the group was matched
    first = {from.low - own.high, from.high - own.low};
    if (known == 0) first = {from.low, from.high};
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const Range& range = i == 0 ? Range{0, 0} : ranges_[g][i];
      RankClock& clock = out_.ranks[group.members[i]];
      if (group.members[i] == 0 || range.low == -kFar) continue;
      const Range by{first.low + range.low, first.high + range.high};
      clock.low = clock.known ? std::max(clock.low, by.low) : by.low;
      clock.high = clock.known ? std::min(clock.high, by.high) : by.high;
      clock.drifts = clock.low > clock.high;
      clock.known = true;
    }
  }

  /// 0 where the files' clocks may be right; else the median of the ends of the shortest collectives with least compute
  /// beside them, as far as causality allows it.
  void choose(std::size_t r) {
    RankClock& clock = out_.ranks[r];
    if (clock.low <= 0 && clock.high >= 0) return;
    std::vector<EndPair> pairs;
    for (std::size_t g = 0; g < matches_.groups.size(); ++g) {
      const auto& members = matches_.groups[g].members;
      const auto at_member = std::find(members.begin(), members.end(), r);
      if (members.empty() || members[0] != 0 || at_member == members.end()) continue;
      const auto& own = ends_[g][static_cast<std::size_t>(at_member - members.begin())];
      pairs.insert(pairs.end(), own.begin(), own.end());
    }
    std::int64_t middle = clock.low + (clock.high - clock.low) / 2;
    if (!pairs.empty()) {
      std::stable_sort(pairs.begin(), pairs.end(), [](const EndPair& a, const EndPair& b) {
        return a.length - a.bare != b.length - b.bare ? a.length - a.bare < b.length - b.bare : a.length < b.length;
      });
      constexpr std::size_t kQuarter = 4;
      std::vector<double> best;
      for (std::size_t i = 0; i < std::max<std::size_t>(1, pairs.size() / kQuarter); ++i)
        best.push_back(pairs[i].difference);
      middle = static_cast<std::int64_t>(median_in_place(best));
    }
    clock.used = std::clamp(middle, clock.low, clock.high);
  }

  const JobRows& job_;
  const Matches& matches_;
  Clocks out_;
  std::vector<std::vector<Range>> ranges_;  ///< [group][member], against the group's first
  std::vector<std::vector<std::vector<EndPair>>> ends_;
};

}  // namespace

Clocks find_clocks(const JobRows& job, const Matches& matches) { return ClockFinder(job, matches).find(); }

Skews find_skews(const JobRows& job, const Matches& matches, const Clocks& clocks) {
  Skews out;
  out.wait_by_arrival.assign(job.ranks.size(), std::vector<double>(matches.steps.size(), 0));
  out.last_by_arrival.assign(job.ranks.size(), 0);
  out.arrivals.resize(job.ranks.size());
  for (const Match& m : matches.all) {
    if (m.step == 0 || !tells(job, matches, m)) continue;
    const Group& group = matches.groups[m.group];
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = std::numeric_limits<std::int64_t>::min();
    std::size_t latest = 0;
    const std::int64_t on_member =
        clocks.on_first(group.members[0], job.ranks[group.members[0]].begin[matches.row(m, 0)]);
    for (std::uint32_t i = 0; i < group.members.size(); ++i) {
      const std::size_t r = group.members[i];
      const std::int64_t begin = clocks.on_first(r, job.ranks[r].begin[matches.row(m, i)]);
      first = std::min(first, begin);
      if (begin > last) last = begin, latest = r;
      if (i > 0) out.arrivals[r].push_back(static_cast<double>(begin - on_member));
    }
    out.skew.push_back(static_cast<double>(last - first));
    ++out.last_by_arrival[latest];
    for (std::uint32_t i = 0; i < group.members.size(); ++i) {
      const std::size_t r = group.members[i];
      out.wait_by_arrival[r][m.step] +=
          static_cast<double>(last - clocks.on_first(r, job.ranks[r].begin[matches.row(m, i)]));
    }
  }
  return out;
}

}  // namespace assay::ranks
