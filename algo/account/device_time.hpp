// Assigns each instant of the steps to exactly one piece of device work, or to none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "assay/algo/intervals.hpp"

namespace assay::account {

/// Add classes of device work in order of precedence.
class DeviceTime {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  /// `steps`: disjoint, by time; those without length have no instants.
  explicit DeviceTime(std::vector<Interval> steps) : steps_(std::move(steps)) {}

  /// Calls `use(step, work, ns)` for the time of each piece of work that is in a step, not covered by an earlier class,
  /// and not covered by work of its own class that began before it. `work` is sorted by start.
  template <class Work, class Use>
  void add(std::span<const Work> work, const Use& use) {
    if (steps_.empty()) return;
    Intervals own;
    own.reserve(steps_.size() == 1 ? 0 : work.size());
    std::size_t step = 0, cover = 0;
    std::int64_t reach = work.empty() ? 0 : work.front().start;
    for (std::size_t w = 0; w < work.size(); ++w) {
      const std::int64_t from = std::max(work[w].start, reach), to = work[w].end;
      if (to <= from) continue;
      // Pieces arrive in order, so both cursors only advance.
      while (step < steps_.size() && steps_[step].end <= from) ++step;
      for (std::size_t s = step; s < steps_.size() && steps_[s].start < to; ++s) {
        const std::int64_t time = uncovered({std::max(from, steps_[s].start), std::min(to, steps_[s].end)}, cover);
        if (time > 0) use(s, w, time);
      }
      // Of what lies outside of all steps only the piece next to them tells how long the device was idle.
      const std::int64_t first = steps_.front().start;
      const bool before = !own.empty() && own.back().end <= first && from <= first;
      const bool after = !own.empty() && own.back().start >= steps_.back().end;
      if (!own.empty() && own.back().end == from)
        own.back().end = to;
      else if (before)
        own.back() = {from, to};
      else if (!after)
        own.push_back({from, to});
      reach = to;
    }
    unite(std::move(own));
  }

  /// Calls `use(step, idle, gap)` for time not covered by work, step by step, in order. `gap`: from the work before to
  /// the work after it, which may lie outside of the step; kNever: there is none.
  template <class Use>
  void each_idle(const Use& use) const {
    auto cover = covered_.begin();
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const Interval& step = steps_[s];
      while (cover != covered_.end() && cover->end <= step.start) ++cover;
      std::int64_t at = step.start;
      for (auto c = cover; at < step.end; ++c) {
        const Interval gap{c == covered_.begin() ? -kNever : std::prev(c)->end,
                           c == covered_.end() ? kNever : c->start};
        if (gap.end > at) use(s, Interval{at, std::min(gap.end, step.end)}, gap);
        if (gap.end >= step.end) break;
        at = c->end;
      }
    }
  }

 private:
  /// ns of a piece that are not covered.
  std::int64_t uncovered(Interval piece, std::size_t& cover) const {
    std::int64_t at = piece.start, time = 0;
    while (cover < covered_.size() && covered_[cover].end <= at) ++cover;
    for (std::size_t c = cover; at < piece.end; ++c) {
      const bool last = c >= covered_.size() || covered_[c].start >= piece.end;
      time += std::max<std::int64_t>(0, (last ? piece.end : covered_[c].start) - at);
      if (last) break;
      at = std::max(at, covered_[c].end);
    }
    return time;
  }

  /// One class has most of the work; the others are merged into it.
  void unite(Intervals own) {
    if (own.empty()) return;
    if (covered_.empty()) {
      covered_ = std::move(own);
      return;
    }
    const auto before = static_cast<std::ptrdiff_t>(covered_.size());
    covered_.insert(covered_.end(), own.begin(), own.end());
    std::inplace_merge(covered_.begin(), covered_.begin() + before, covered_.end(),
                       [](const Interval& a, const Interval& b) { return a.start < b.start; });
    auto last = covered_.begin();  // into normal form where it is: merge() would take the memory of a copy
    for (auto next = std::next(last); next != covered_.end(); ++next) {
      if (next->start <= last->end)
        last->end = std::max(last->end, next->end);
      else
        *++last = *next;
    }
    covered_.erase(std::next(last), covered_.end());
  }

  std::vector<Interval> steps_;
  Intervals covered_;  ///< by the classes so far, in normal form
};

}  // namespace assay::account
