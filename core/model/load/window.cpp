#include "load/window.hpp"

#include <fmt/core.h>

#include <charconv>
#include <map>
#include <set>

#include "algo/nearest.hpp"
#include "assay/algo/named_ranges.hpp"

namespace assay::load {
namespace {

struct TimeRange {
  std::int64_t start = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  void add(std::int64_t from, std::int64_t to) {
    start = std::min(start, from);
    end = std::max(end, to);
  }
  [[nodiscard]] bool empty() const { return start > end; }
  [[nodiscard]] bool holds(std::int64_t from, std::int64_t to) const { return from >= start && to <= end; }
};

template <class Rows>
void add_all(TimeRange& extent, const std::optional<Rows>& rows) {
  if (!rows) return;
  for (std::size_t i = 0; i < rows->rows(); ++i) extent.add(rows->start[i], rows->end[i]);
}

/// Calls `use(range table, row)` for every range of either kind whose name `fits`.
template <class Fits, class Use>
void each_range(const Profile::Store& store, Fits fits, Use use) {
  for (const auto* ranges : {&store.ranges, &store.spans}) {
    if (!*ranges) continue;
    for (std::size_t r = 0; r < (*ranges)->rows(); ++r) {
      if (fits((*ranges)->name[r])) use(**ranges, r);
    }
  }
}

WindowMembership whole_capture(const Profile::Store& store) {
  WindowMembership out;
  TimeRange extent;
  add_all(extent, store.kernels);
  add_all(extent, store.graphs);
  add_all(extent, store.copies);
  add_all(extent, store.sets);
  add_all(extent, store.calls);
  if (extent.empty()) add_all(extent, store.ops);  // a trace of the host only
  if (!extent.empty()) {
    out.window.start = out.window.host_start = extent.start;
    out.window.end = out.window.host_end = extent.end;
  }
  const auto all = [&](const auto& rows, std::vector<Membership>& members) {
    if (!rows) return;
    members.assign(rows->rows(), Membership::kInside);
    if (store.calls_left_out) return;
    for (const Row call : rows->call.values()) out.unlinked += call == kNone ? 1 : 0;
  };
  all(store.kernels, out.kernels);
  all(store.graphs, out.graphs);
  all(store.copies, out.copies);
  all(store.sets, out.sets);
  if (store.calls) out.calls.assign(store.calls->rows(), 1);
  if (store.repeats) out.repeats.assign(store.repeats->rows(), 1);
  return out;
}

/// Per process: from the first start to the last end of ranges with the name.
std::map<std::uint32_t, TimeRange> named_extents(const Profile::Store& store, StringId name, Window& window) {
  std::map<std::uint32_t, TimeRange> extents;
  each_range(
      store, [&](StringId id) { return id == name; },
      [&](const RangeRows& ranges, std::size_t r) {
        extents[store.threads.process_of_thread(ranges.thread[r])].add(ranges.start[r], ranges.end[r]);
        ++window.matches;
      });
  return extents;
}

template <class Rows>
void project(const std::optional<Rows>& rows, const std::vector<std::uint8_t>& calls, std::int64_t& end) {
  if (!rows) return;
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    if (rows->call[i] != kNone && calls[static_cast<std::size_t>(rows->call[i])] != 0)
      end = std::max(end, rows->end[i]);
  }
}

template <class Rows>
void mark_projected(const std::optional<Rows>& rows, WindowMembership& out, std::vector<Membership>& members) {
  if (!rows) return;
  members.assign(rows->rows(), Membership::kOutside);
  const Window& window = out.window;
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    const bool linked = rows->call[i] != kNone;
    const bool belongs = linked ? out.calls[static_cast<std::size_t>(rows->call[i])] != 0
                                : rows->start[i] >= window.start && rows->start[i] <= window.end;
    if (belongs) {
      members[i] = Membership::kInside;
      out.unlinked += linked ? 0 : 1;
    } else if (rows->start[i] < window.end && rows->end[i] > window.start) {
      members[i] = Membership::kForeign;
    }
  }
}

template <class Rows>
void mark_host(const std::optional<Rows>& rows, const Window& window, std::vector<Membership>& members) {
  if (!rows) return;
  members.assign(rows->rows(), Membership::kOutside);
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    if (rows->start[i] >= window.start && rows->end[i] <= window.end) members[i] = Membership::kInside;
  }
}

/// The capture between the launches without kernels at its start and those at its end. Empty if there are none at
/// either end, or if it cannot be determined.
std::optional<TimeRange> part_with_kernels(const Profile::Store& store, const Window& whole) {
  if (store.lost_launches.empty()) return std::nullopt;
  Row first = std::numeric_limits<Row>::max(), last = kNone;
  for (const Row call : store.kernels->call.values()) {
    if (call != kNone) {
      first = std::min(first, call);
      last = std::max(last, call);
    }
  }
  TimeRange part{whole.host_start, whole.host_end};
  for (const Row lost : store.lost_launches) {
    const auto call = static_cast<std::size_t>(lost);
    if (lost < first) part.start = std::max(part.start, store.calls->end[call]);
    if (lost > last) part.end = std::min(part.end, store.calls->start[call]);
  }
  if (part.empty() || (part.start == whole.host_start && part.end == whole.host_end)) return std::nullopt;
  return part;
}

/// The whole capture, or the part in which launches have their kernels. All rows of the capture belong to it.
WindowMembership capture(const Profile::Store& store) {
  WindowMembership out = whole_capture(store);
  Window& window = out.window;
  const std::optional<TimeRange> part = part_with_kernels(store, window);
  if (!part) return out;
  // The ranges around the first and last calls are on a complete side.
  TimeRange host{part->start, part->end};
  add_all(host, store.ranges);
  add_all(host, store.spans);
  add_all(host, store.ops);
  window.host_start = part->start > window.start ? part->start : host.start;
  window.host_end = part->end < window.end ? part->end : host.end;
  window.start = part->start;
  window.end = part->end;
  for (std::size_t k = 0; k < store.kernels->rows(); ++k) {
    if (store.kernels->call[k] != kNone) window.end = std::max(window.end, store.kernels->end[k]);
  }
  window.named = 2;
  out.name = "the part with kernels";
  return out;
}

}  // namespace

std::string nearest_ranges(const Profile::Store& store, std::string_view name, bool iterations) {
  std::set<StringId> ids;
  each_range(
      store, [](StringId) { return true; },
      [&](const RangeRows& ranges, std::size_t r) { ids.insert(ranges.name[r]); });
  std::set<std::string> names;
  for (const StringId id : ids) {
    const std::string folded = folded_name(store.strings[id]);
    names.insert(iterations && folded.find("{j}") == std::string::npos ? folded : std::string(store.strings[id]));
  }
  return nearest_text(name, {names.begin(), names.end()});
}

Result<WindowMembership> apply_window(const Profile::Store& store, const WindowSpec& spec, std::vector<Issue>& issues) {
  if (spec.nvtx.empty()) return capture(store);
  const auto name = store.strings.find(spec.nvtx);
  WindowMembership out;
  const auto extents = name ? named_extents(store, *name, out.window) : std::map<std::uint32_t, TimeRange>();
  if (extents.empty()) {
    const std::string what = fmt::format("No NVTX range is named '{}'", spec.nvtx);
    if (!spec.fallback_capture) {
      return Error{fmt::format("{}, so there is no window to measure{}", what, nearest_ranges(store, spec.nvtx)),
                   Exit::kFailed}
          .advise(std::string(kOtherWindow));
    }
    issues.push_back({"window_missing", Severity::kWarning, 0,
                      what + nearest_ranges(store, spec.nvtx) + "; the whole capture is measured instead."});
    return capture(store);
  }
  TimeRange whole;
  for (const auto& [process, extent] : extents) whole.add(extent.start, extent.end);
  out.window.named = 1;
  out.name = spec.nvtx;
  out.window.start = out.window.host_start = whole.start;
  out.window.end = out.window.host_end = whole.end;
  const auto mark_calls = [&](const std::optional<CallRows>& calls, std::vector<std::uint8_t>& inside) {
    if (!calls) return;
    inside.assign(calls->rows(), 0);
    for (std::size_t c = 0; c < calls->rows(); ++c) {
      const auto extent = extents.find(store.threads.process_of_thread(calls->thread[c]));
      if (extent != extents.end() && extent->second.holds(calls->start[c], calls->end[c])) inside[c] = 1;
    }
  };
  mark_calls(store.calls, out.calls);
  mark_calls(store.repeats, out.repeats);
  if (spec.mode == WindowMode::kHost) {
    mark_host(store.kernels, out.window, out.kernels);
    mark_host(store.graphs, out.window, out.graphs);
    mark_host(store.copies, out.window, out.copies);
    mark_host(store.sets, out.window, out.sets);
    return out;
  }
  project(store.kernels, out.calls, out.window.end);
  project(store.graphs, out.calls, out.window.end);
  project(store.copies, out.calls, out.window.end);
  project(store.sets, out.calls, out.window.end);
  mark_projected(store.kernels, out, out.kernels);
  mark_projected(store.graphs, out, out.graphs);
  mark_projected(store.copies, out, out.copies);
  mark_projected(store.sets, out, out.sets);
  return out;
}

namespace {

IterationRows iterations_named(const Profile::Store& store, std::string_view pattern, const Window& window) {
  const std::size_t at = pattern.find("{i}");
  const bool plain = at == std::string_view::npos;  // a repeated name without number: iterations by order
  const bool several = !plain && pattern.find('{', at + 1) != std::string_view::npos;
  std::map<StringId, std::int64_t> numbers;
  for (std::size_t id = 0; id < store.strings.all().size(); ++id) {
    const std::string_view text = store.strings.all()[id];
    if (!range_name_matches(pattern, text)) continue;
    auto number = static_cast<std::int64_t>(numbers.size());  // unless the name has one
    const std::string_view counted = plain || several ? "" : text.substr(at, text.size() + 3 - pattern.size());
    static_cast<void>(std::from_chars(counted.data(), counted.data() + counted.size(), number));
    numbers.emplace(static_cast<StringId>(id), number);
  }
  struct NumberedRange {
    std::int64_t start, end, number;
    std::uint32_t thread;
  };
  std::vector<NumberedRange> found;
  each_range(
      store, [&](StringId id) { return numbers.contains(id); },
      [&](const RangeRows& ranges, std::size_t r) {
        if (window.named != 0 && (ranges.start[r] < window.host_start || ranges.end[r] > window.host_end)) return;
        found.push_back({ranges.start[r], ranges.end[r], numbers.at(ranges.name[r]), ranges.thread[r]});
      });
  std::ranges::sort(found, [](const NumberedRange& a, const NumberedRange& b) {
    return std::tie(a.start, a.end, a.number, a.thread) < std::tie(b.start, b.end, b.number, b.thread);
  });
  IterationRows rows;
  std::map<std::uint32_t, std::size_t> longest;  // per process: the range that ends last so far
  for (std::size_t i = 0; i < found.size(); ++i) {
    rows.number.push_back(plain ? static_cast<std::int64_t>(i) : found[i].number);
    rows.start.push_back(found[i].start);
    rows.end.push_back(found[i].end);
    rows.thread.push_back(found[i].thread);
    rows.overlapping.push_back(0);
    const auto [last, is_first] = longest.emplace(store.threads.process_of_thread(found[i].thread), i);
    if (is_first) continue;
    if (found[i].start < found[last->second].end) rows.overlapping[i] = rows.overlapping[last->second] = 1;
    if (found[i].end > found[last->second].end) last->second = i;
  }
  return rows;
}

}  // namespace

IterationRows find_iterations(const Profile::Store& store, const IterationSpec& spec, const Window& window) {
  for (const std::string& pattern : spec.nvtx) {
    IterationRows rows = iterations_named(store, pattern, window);
    if (rows.number.empty()) continue;
    if (window.named == 2)
      rows.left_out = iterations_named(store, pattern, Window{}).number.size() - rows.number.size();
    return rows;
  }
  return {};
}

void drop_without_kernels(const Profile::Store& store, IterationRows& rows) {
  std::vector<std::uint8_t> hit(rows.number.size(), 0);
  for (const Row lost : store.lost_launches) {
    const auto call = static_cast<std::size_t>(lost);
    const std::int64_t start = store.calls->start[call];
    auto after = static_cast<std::size_t>(std::ranges::upper_bound(rows.start, start) - rows.start.begin());
    for (; after > 0 && rows.end[after - 1] >= start; --after) {
      const std::uint32_t process = store.threads.process_of_thread(rows.thread[after - 1]);
      if (process == store.threads.process_of_thread(store.calls->thread[call])) hit[after - 1] = 1;
    }
  }
  const auto hits = static_cast<std::size_t>(std::ranges::count(hit, 1));
  if (hits == 0 || hits == hit.size()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < hit.size(); ++i) {
    if (hit[i] != 0) continue;
    rows.number[kept] = rows.number[i];
    rows.start[kept] = rows.start[i];
    rows.end[kept] = rows.end[i];
    rows.thread[kept] = rows.thread[i];
    rows.overlapping[kept] = rows.overlapping[i];
    ++kept;
  }
  rows.number.resize(kept);
  rows.start.resize(kept);
  rows.end.resize(kept);
  rows.thread.resize(kept);
  rows.overlapping.resize(kept);
  rows.left_out += hits;
}

}  // namespace assay::load
