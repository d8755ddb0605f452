#include "ranges.hpp"

#include <algorithm>

#include "groups.hpp"
#include "rows.hpp"

namespace assay::nsys {
namespace {

/// The last time stamp of any range, at which unfinished ranges end.
std::int64_t last_stamp(const Report& report) {
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (const RangeTable* ranges : {report.ranges, report.spans}) {
    for (std::size_t row = 0; ranges != nullptr && row < ranges->rows; ++row) {
      last = std::max(last, ranges->open[row] != 0 ? ranges->start[row] : ranges->end[row]);
    }
  }
  return last;
}

/// First launch at or after `from` for which `past` is true; `past` is monotonic. Usually close to `from`, hence a
/// galloping search.
template <class Past>
std::size_t first_past(std::span<const Launch> launches, std::size_t from, Past past) {
  std::size_t low = from, step = 1;
  while (low + step <= launches.size() && !past(launches[low + step - 1])) {
    low += step;
    step *= 2;
  }
  const auto first = launches.begin() + static_cast<std::ptrdiff_t>(low);
  const auto last = launches.begin() + static_cast<std::ptrdiff_t>(std::min(low + step, launches.size()));
  return static_cast<std::size_t>(
      std::partition_point(first, last, [&](const Launch& launch) { return !past(launch); }) - launches.begin());
}

}  // namespace

std::uint32_t RangeNames::add(std::string_view text) {
  texts_.push_back(text);
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

std::uint32_t RangeNames::add_composed(std::string text) {
  const auto [entry, is_new] = composed_.try_emplace(std::move(text), kNoGroup);
  if (is_new) entry->second = add(entry->first);  // map nodes keep the address of their key
  return entry->second;
}

RangeNames::RangeNames(const Report& report) : report_(report), plain_(report.strings.size, kNoGroup) {
  for (const RangeTable* ranges : {report.ranges, report.spans}) {
    if (ranges == nullptr) continue;
    const auto named = ranges->in_named_domain.view();
    any_domain_ = any_domain_ || std::any_of(named.begin(), named.end(), [](std::uint8_t n) { return n != 0; });
  }
}

std::uint32_t RangeNames::id_of(const RangeTable& ranges, std::size_t row) {
  const StringId text = ranges.name[row];
  if (!any_domain_ || ranges.in_named_domain[row] == 0) {
    std::uint32_t& name = plain_[text];
    if (name == kNoGroup) {
      name = any_domain_ ? add_composed(std::string(report_.string(text))) : add(report_.string(text));
    }
    return name;
  }
  const auto [entry, is_new] = in_domain_.try_emplace(std::uint64_t{ranges.domain[row]} << 32 | text, kNoGroup);
  if (is_new) {
    std::string whole(report_.string(ranges.domain[row]));
    entry->second = add_composed(whole.append(":").append(report_.string(text)));
  }
  return entry->second;
}

Instances all_instances(const Report& report, Instances::RangeScope which) {
  Instances out{{}, RangeNames(report)};
  const Window& window = *report.window;
  const std::int64_t last = last_stamp(report);
  for (const RangeTable* ranges : {report.ranges, report.spans}) {
    if (ranges == nullptr) continue;
    const Style style = ranges == report.ranges ? Style::kPushPop : Style::kStartEnd;
    out.rows.reserve(out.rows.size() + ranges->rows);
    for (std::size_t row = 0; row < ranges->rows; ++row) {
      const std::int64_t end = ranges->open[row] != 0 ? last : ranges->end[row];
      const bool limited = which == Instances::kOfWindow && window.named == 1;
      if (limited && (ranges->start[row] < window.host_start || end > window.host_end)) continue;
      out.rows.push_back({ranges->start[row], end, out.names.id_of(*ranges, row), ranges->thread[row],
                          static_cast<std::uint32_t>(row), style});
    }
  }
  return out;
}

RangeHits::RangeHits(const Report& report, const Launches& launches, std::vector<Instance> instances)
    : calls_(*report.calls), launches_(launches), instances_(std::move(instances)) {
  ended_elsewhere_ = static_cast<std::int64_t>(std::erase_if(instances_, [&](const Instance& i) {
    const RangeTable& ranges = i.style == Style::kPushPop ? *report.ranges : *report.spans;
    return ranges.end_thread[i.row] != i.thread;
  }));
  sort_by_thread(report);
  find_slices();
}

void RangeHits::sort_by_thread(const Report& report) {
  const auto before = [](const Instance& a, const Instance& b) {
    return a.thread != b.thread ? a.thread < b.thread : a.start < b.start;
  };
  if (std::is_sorted(instances_.begin(), instances_.end(), before)) return;
  std::vector<std::size_t> next(report.threads->rows + 1, 0);
  for (const Instance& i : instances_) ++next[i.thread + 1];
  for (std::size_t t = 0; t < report.threads->rows; ++t) next[t + 1] += next[t];
  std::vector<Instance> sorted(instances_.size());
  for (const Instance& i : instances_) sorted[next[i.thread]++] = i;
  instances_ = std::move(sorted);
  if (!std::is_sorted(instances_.begin(), instances_.end(), before))
    std::stable_sort(instances_.begin(), instances_.end(), before);
}

void RangeHits::find_slices() {
  slices_.resize(instances_.size());
  std::size_t first = 0;
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const Instance& range = instances_[i];
    const auto launches = launches_.of_thread(range.thread);
    if (i == 0 || instances_[i - 1].thread != range.thread) first = 0;
    while (first < launches.size() && calls_.start[at(launches[first].call)] < range.start) ++first;
    const bool exact = launches_.in_step(range.thread);
    const std::size_t last = first_past(launches, first, [&](const Launch& launch) {
      return (exact ? calls_.end : calls_.start)[at(launch.call)] > range.end;
    });
    slices_[i] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
    visits_ += last - first;
  }
}

}  // namespace assay::nsys
