#include "device_time.hpp"

#include <algorithm>
#include <utility>

namespace assay::step_items {

DeviceTime::DeviceTime(std::span<const step::Step> steps) {
  for (const step::Step& step : steps) {
    if (step.time.end > step.time.start) steps_.push_back(step.time);
  }
}

void DeviceTime::add(std::span<const ItemWork> work, std::vector<std::int64_t>& wall) {
  Intervals own;
  own.reserve(work.size());
  std::size_t step = 0, cover = 0;
  // Time of [from, to) that is in steps and not covered. Pieces arrive in order, so both cursors only advance.
  const auto account = [&](std::int64_t from, std::int64_t to, std::uint32_t item) {
    while (step < steps_.size() && steps_[step].end <= from) ++step;
    for (std::size_t s = step; s < steps_.size() && steps_[s].start < to; ++s) {
      std::int64_t at = std::max(from, steps_[s].start);
      const std::int64_t end = std::min(to, steps_[s].end);
      while (cover < covered_.size() && covered_[cover].end <= at) ++cover;
      for (std::size_t c = cover; at < end; ++c) {
        const bool last = c >= covered_.size() || covered_[c].start >= end;
        wall[item] += std::max<std::int64_t>(0, (last ? end : covered_[c].start) - at);
        if (last) break;
        at = std::max(at, covered_[c].end);
      }
    }
  };
  std::int64_t reach = work.empty() ? 0 : work.front().start;
  for (const ItemWork& w : work) {
    const std::int64_t from = std::max(w.start, reach);
    if (w.end <= from) continue;
    account(from, w.end, w.item);
    if (!own.empty() && own.back().end == from) {
      own.back().end = w.end;
    } else {
      own.push_back({from, w.end});
    }
    reach = w.end;
  }
  unite(std::move(own));
}

/// One class has most of the work; the others are merged into it.
void DeviceTime::unite(Intervals own) {
  if (covered_.empty()) {
    covered_ = std::move(own);
    return;
  }
  const auto before = static_cast<std::ptrdiff_t>(covered_.size());
  covered_.insert(covered_.end(), own.begin(), own.end());
  std::inplace_merge(covered_.begin(), covered_.begin() + before, covered_.end(),
                     [](const Interval& a, const Interval& b) { return a.start < b.start; });
  covered_ = merge(covered_);
}

}  // namespace assay::step_items
