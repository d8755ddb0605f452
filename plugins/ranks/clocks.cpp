#include "clocks.hpp"

#include <algorithm>
#include <limits>

#include "assay/algo/summary.hpp"
#include "line_bounds.hpp"

namespace assay::ranks {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

/// Bounds on a clock offset.
struct Range {
  std::int64_t low = -kFar, high = kFar;
};

/// The ends of a collective on two ranks, and their weight as evidence.
struct EndPair {
  std::int64_t time;          ///< end on the first rank
  double difference;          ///< end on the other minus that
  std::int64_t bare, length;  ///< time without compute on the first, and the shorter of the two durations
};

/// One rank's clock relative to that of another with which it shares groups.
struct Relation {
  Range range;
  LineBounds bounds;
  std::vector<EndPair> ends;
  std::int64_t pivot = 0, from = kFar, to = -kFar;  ///< of the times in `bounds`; pivot: time at which they are zero
};

/// Offset at the pivot and slope in ns per ns that align one clock with the other, with bounds.
struct Fit {
  double offset = 0, slope = 0, less = 0, more = 0;
  std::optional<std::pair<double, double>> slopes = {};  ///< of a line
};

/// The quarter of the collectives whose ends are most reliable: least overlapping compute first, then shortest.
std::vector<EndPair> best_ends(std::vector<EndPair> pairs) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const EndPair& a, const EndPair& b) {
    return a.length - a.bare != b.length - b.bare ? a.length - a.bare < b.length - b.bare : a.length < b.length;
  });
  constexpr std::size_t kQuarter = 4;
  pairs.resize(std::max<std::size_t>(1, pairs.size() / kQuarter));
  return pairs;
}

/// Median difference of the ends after subtracting a slope.
double middle_of(const std::vector<EndPair>& ends, double slope, std::int64_t pivot) {
  std::vector<double> rest;
  for (const EndPair& pair : ends) rest.push_back(pair.difference - slope * static_cast<double>(pair.time - pivot));
  return median_in_place(rest);
}

/// Slope of the differences over the capture, by least squares; 0 if all times are equal.
double slope_of(const std::vector<EndPair>& ends, std::int64_t pivot) {
  double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  const auto n = static_cast<double>(ends.size());
  const auto x = [&](const EndPair& pair) { return static_cast<double>(pair.time - pivot); };
  for (const EndPair& pair : ends) {
    mean_x += x(pair) / n;
    mean_y += pair.difference / n;
  }
  for (const EndPair& pair : ends) {
    xy += (x(pair) - mean_x) * (pair.difference - mean_y);
    xx += (x(pair) - mean_x) * (x(pair) - mean_x);
  }
  return xx > 0 ? xy / xx : 0;
}

/// If no constant offset fits: a line, if one does.
std::optional<Fit> fit_line(Relation& relation) {
  Fit fit;
  fit.slopes = relation.bounds.slopes();
  if (!fit.slopes) return std::nullopt;
  const std::vector<EndPair> ends = best_ends(relation.ends);
  fit.slope = std::clamp(slope_of(ends, relation.pivot), fit.slopes->first, fit.slopes->second);
  const auto [low, high] = relation.bounds.offsets(fit.slope);
  fit.offset = std::clamp(middle_of(ends, fit.slope, relation.pivot), low, std::max(low, high));
  for (const std::int64_t time : {relation.from, relation.to}) {
    const auto x = static_cast<double>(time - relation.pivot);
    const auto [least, most] = relation.bounds.range_at(x, *fit.slopes);
    const double used = fit.offset + fit.slope * x;
    fit.less = std::max(fit.less, used - least);
    fit.more = std::max(fit.more, most - used);
  }
  return fit;
}

/// Builds a tree over the ranks: each is compared with one with which it shares a group, not with all.
class ClockFinder {
 public:
  ClockFinder(const JobRows& job, const Matches& matches)
      : job_(job), matches_(matches), parents_(job.ranks.size(), 0), relations_(job.ranks.size()) {
    out_.ranks.resize(job.ranks.size());
  }

  Clocks find() {
    const auto has_origin = [](const RankRows& r) { return r.origin != kNoInteger; };
    if (!std::all_of(job_.ranks.begin(), job_.ranks.end(), has_origin)) return std::move(out_);
    for (std::size_t r = 0; r < job_.ranks.size(); ++r)
      out_.ranks[r].base_difference = job_.ranks[r].origin - job_.ranks[0].origin;
    const std::vector<std::size_t> order = grow_tree();
    find_places();
    for (const Match& m : matches_.all) {
      if (tells(job_, matches_, m)) add(m);
    }
    for (const std::size_t r : order) set_offset(r);
    out_.usable = true;
    std::int64_t most = 0, second = 0;
    for (const RankClock& clock : out_.ranks) {
      out_.usable = out_.usable && clock.known && clock.fits;
      second = std::max(second, std::min(most, clock.uncertainty()));
      most = std::max(most, clock.uncertainty());
    }
    out_.uncertainty = most + second;
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  [[nodiscard]] std::int64_t at(std::size_t rank, std::int64_t time) const {
    return time + out_.ranks[rank].base_difference;
  }

  /// From the first rank through groups with matches. Returns the other ranks in the order reached.
  std::vector<std::size_t> grow_tree() {
    std::vector<bool> matched(matches_.groups.size(), false);
    for (const Match& m : matches_.all) matched[m.group] = matched[m.group] || tells(job_, matches_, m);
    std::vector<std::vector<std::size_t>> groups(job_.ranks.size());
    for (std::size_t g = 0; g < matches_.groups.size(); ++g) {
      for (const std::size_t r : matches_.groups[g].members) {
        if (matched[g]) groups[r].push_back(g);
      }
    }
    std::vector<std::size_t> reached{0};
    out_.ranks[0].known = true;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::size_t g : groups[reached[i]]) {
        if (!matched[g]) continue;
        matched[g] = false;  // all of its members are reached
        for (const std::size_t r : matches_.groups[g].members) {
          if (out_.ranks[r].known) continue;
          out_.ranks[r].known = true;
          parents_[r] = reached[i];
          reached.push_back(r);
        }
      }
    }
    reached.erase(reached.begin());
    return reached;
  }

  /// For each member of each group, the index of the one it is compared with.
  void find_places() {
    std::vector<std::size_t> place(job_.ranks.size(), kNowhere);
    for (const Group& group : matches_.groups) {
      for (std::size_t i = 0; i < group.members.size(); ++i) place[group.members[i]] = i;
      std::vector<std::size_t>& of = places_.emplace_back();
      for (const std::size_t r : group.members)
        of.push_back(r == 0 || !out_.ranks[r].known ? kNowhere : place[parents_[r]]);
      for (const std::size_t r : group.members) place[r] = kNowhere;
    }
  }

  void add(const Match& m) {
    const Group& group = matches_.groups[m.group];
    const std::size_t first = group.members[0];
    const std::int64_t end_on_first = job_.ranks[first].finish[matches_.row(m, 0)];
    for (std::uint32_t i = 0; i < group.members.size(); ++i) {
      const std::size_t r = group.members[i];
      const std::uint32_t row = matches_.row(m, i);
      if (i > 0) {
        out_.ranks[r].end_differences.push_back(
            static_cast<double>(at(r, job_.ranks[r].finish[row]) - at(first, end_on_first)));
        out_.ranks[r].end_times.push_back(static_cast<double>(end_on_first));
      }
      if (const std::size_t place = places_[m.group][i]; place != kNowhere)
        relate(r, row, group.members[place], matches_.row(m, place));
    }
  }

  /// No rank leaves before the other has arrived.
  void relate(std::size_t r, std::uint32_t row, std::size_t other, std::uint32_t other_row) {
    const RankRows &own = job_.ranks[r], &others = job_.ranks[other];
    Relation& relation = relations_[r];
    const std::int64_t begin = at(r, own.begin[row]), end = at(r, own.finish[row]);
    const std::int64_t other_begin = at(other, others.begin[other_row]),
                       other_end = at(other, others.finish[other_row]);
    if (relation.ends.empty()) relation.pivot = begin;
    relation.range.low = std::max(relation.range.low, other_begin - end);
    relation.range.high = std::min(relation.range.high, other_end - begin);
    relation.bounds.at_least(static_cast<double>(end - relation.pivot), static_cast<double>(other_begin - end));
    relation.bounds.at_most(static_cast<double>(begin - relation.pivot), static_cast<double>(other_end - begin));
    relation.from = std::min(relation.from, begin);
    relation.to = std::max(relation.to, end);
    Intervals bare;
    own.add_uncovered(row, own.duration(row), bare);
    relation.ends.push_back(
        {end, static_cast<double>(other_end - end), measure(bare), std::min(end - begin, other_end - other_begin)});
  }

  void set_offset(std::size_t r) {
    RankClock& clock = out_.ranks[r];
    const RankClock& other = out_.ranks[parents_[r]];
    Relation& relation = relations_[r];
    const Range& range = relation.range;
    clock.pivot = relation.pivot;
    if (!other.fits) {
      clock.fits = false;
    } else if (range.low > range.high) {
      const auto line = fit_line(relation);
      clock.fits = clock.drifts = line.has_value();
      if (line) follow(clock, other, *line);
    } else if (other.slope == 0) {
      shift(clock, other, relation);
    } else {
      const auto low = static_cast<double>(range.low), high = static_cast<double>(range.high);
      const double middle =
          low <= 0 && high >= 0 ? 0 : std::clamp(middle_of(best_ends(relation.ends), 0, relation.pivot), low, high);
      follow(clock, other, {middle, 0, middle - low, high - middle, {}});
    }
  }

  /// 0 if the files' clocks may be right; otherwise the median of the best ends, limited by causality.
  static void shift(RankClock& clock, const RankClock& other, const Relation& relation) {
    clock.low = other.low + relation.range.low;
    clock.high = other.high + relation.range.high;
    if (clock.low <= 0 && clock.high >= 0) return;
    const auto middle = static_cast<std::int64_t>(middle_of(best_ends(relation.ends), 0, relation.pivot));
    clock.used = std::clamp(other.used + middle, clock.low, clock.high);
  }

  /// Composes the line to the other rank's clock with its line to the first rank's.
  static void follow(RankClock& clock, const RankClock& other, const Fit& fit) {
    const double on_other = fit.offset + static_cast<double>(clock.pivot - other.pivot);
    const double own = static_cast<double>(other.used) + fit.offset + other.slope * on_other;
    clock.used = std::llround(own);
    clock.slope = fit.slope + other.slope * (1 + fit.slope);
    clock.drifts = clock.drifts || other.drifts;
    const auto less = static_cast<std::int64_t>(std::ceil(fit.less)),
               more = static_cast<std::int64_t>(std::ceil(fit.more));
    clock.low = clock.used - less - (other.used - other.low);
    clock.high = clock.used + more + (other.high - other.used);
    const auto slopes = fit.slopes.value_or(std::pair(0.0, 0.0));
    clock.slope_low = slopes.first + other.slope_low;
    clock.slope_high = slopes.second + other.slope_high;
  }

  const JobRows& job_;
  const Matches& matches_;
  Clocks out_;
  std::vector<std::size_t> parents_;  ///< for each rank: the one it is compared with
  std::vector<Relation> relations_;   ///< for each rank: relative to its parent
  std::vector<std::vector<std::size_t>> places_;
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
      if (begin > last) {
        last = begin;
        latest = r;
      }
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
