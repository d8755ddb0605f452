#include "load/window.hpp"

#include <fmt/core.h>

#include <charconv>
#include <map>
#include <set>

#include "assay/algo/named_ranges.hpp"
#include "assay/detail/nearest.hpp"

namespace assay::load {
namespace {

struct Extent {
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
void add_all(Extent& extent, const std::optional<Rows>& rows) {
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

Windowed whole_capture(const Profile::Store& store) {
  Windowed out;
  Extent extent;
  add_all(extent, store.kernels), add_all(extent, store.graphs), add_all(extent, store.copies),
      add_all(extent, store.sets);
  add_all(extent, store.calls);
  if (extent.empty()) add_all(extent, store.ops);  // a trace of the host alone
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
  all(store.kernels, out.kernels), all(store.graphs, out.graphs), all(store.copies, out.copies),
      all(store.sets, out.sets);
  if (store.calls) out.calls.assign(store.calls->rows(), 1);
  if (store.repeats) out.repeats.assign(store.repeats->rows(), 1);
  return out;
}

/// By process: from the first start to the last end of the ranges of the name.
std::map<std::uint32_t, Extent> named_extents(const Profile::Store& store, StringId name, Window& window) {
  std::map<std::uint32_t, Extent> extents;
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
void tell_projected(const std::optional<Rows>& rows, Windowed& out, std::vector<Membership>& members) {
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
void tell_host(const std::optional<Rows>& rows, const Window& window, std::vector<Membership>& members) {
  if (!rows) return;
  members.assign(rows->rows(), Membership::kOutside);
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    if (rows->start[i] >= window.start && rows->end[i] <= window.end) members[i] = Membership::kInside;
  }
}

}  // namespace

std::string nearest_ranges(const Profile::Store& store, std::string_view name) {
  std::set<StringId> ids;
  each_range(
      store, [](StringId) { return true; },
      [&](const RangeRows& ranges, std::size_t r) { ids.insert(ranges.name[r]); });
  std::vector<std::string_view> names;
  for (const StringId id : ids) names.push_back(store.strings[id]);
  return nearest_text(name, names);
}

Result<Windowed> apply_window(const Profile::Store& store, const WindowSpec& spec, std::vector<Issue>& issues) {
  if (spec.nvtx.empty()) return whole_capture(store);
  const auto name = store.strings.find(spec.nvtx);
  Windowed out;
  const auto extents = name ? named_extents(store, *name, out.window) : std::map<std::uint32_t, Extent>();
  if (extents.empty()) {
    const std::string what = fmt::format("No NVTX range is named '{}'", spec.nvtx);
    if (!spec.fallback_capture) {
      return Error{fmt::format("{}, so there is no window to measure{}", what, nearest_ranges(store, spec.nvtx)),
                   Exit::kFailed}
          .advise(std::string(kOtherWindow));
    }
    issues.push_back({"window_missing", Severity::kWarning, 0,
                      what + nearest_ranges(store, spec.nvtx) + "; the whole capture is measured instead."});
    return whole_capture(store);
  }
  Extent whole;
  for (const auto& [process, extent] : extents) whole.add(extent.start, extent.end);
  out.window.named = 1;
  out.name = spec.nvtx;
  out.window.start = out.window.host_start = whole.start;
  out.window.end = out.window.host_end = whole.end;
  const auto tell_calls = [&](const std::optional<CallRows>& calls, std::vector<std::uint8_t>& inside) {
    if (!calls) return;
    inside.assign(calls->rows(), 0);
    for (std::size_t c = 0; c < calls->rows(); ++c) {
      const auto extent = extents.find(store.threads.process_of_thread(calls->thread[c]));
      if (extent != extents.end() && extent->second.holds(calls->start[c], calls->end[c])) inside[c] = 1;
    }
  };
  tell_calls(store.calls, out.calls), tell_calls(store.repeats, out.repeats);
  if (spec.mode == WindowMode::kHost) {
    tell_host(store.kernels, out.window, out.kernels), tell_host(store.graphs, out.window, out.graphs);
    tell_host(store.copies, out.window, out.copies), tell_host(store.sets, out.window, out.sets);
    return out;
  }
  project(store.kernels, out.calls, out.window.end), project(store.graphs, out.calls, out.window.end);
  project(store.copies, out.calls, out.window.end), project(store.sets, out.calls, out.window.end);
  tell_projected(store.kernels, out, out.kernels), tell_projected(store.graphs, out, out.graphs);
  tell_projected(store.copies, out, out.copies), tell_projected(store.sets, out, out.sets);
  return out;
}

namespace {

IterationRows iterations_named(const Profile::Store& store, std::string_view pattern, const Window& window) {
  const std::size_t at = pattern.find("{i}");
  const bool plain = at == std::string_view::npos;  // a name that comes again and again: iterations by its order
  const bool folded = !plain && pattern.find('{', at + 1) != std::string_view::npos;
  const std::string_view head = pattern.substr(0, at), tail = plain ? "" : pattern.substr(at + 3);
  std::map<StringId, std::int64_t> numbers;
  for (std::size_t id = 0; id < store.strings.all().size(); ++id) {
    std::string_view text = store.strings.all()[id];
    if (plain && text == pattern) numbers.emplace(static_cast<StringId>(id), 0);
    if (folded && range_name_matches(pattern, text))
      numbers.emplace(static_cast<StringId>(id), static_cast<std::int64_t>(numbers.size()));
    if (plain || folded || text.size() <= head.size() + tail.size() || !text.starts_with(head) || !text.ends_with(tail))
      continue;
    text = text.substr(head.size(), text.size() - head.size() - tail.size());
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && text.front() != '-')
      numbers.emplace(static_cast<StringId>(id), number);
  }
  struct Found {
    std::int64_t start, end, number;
    std::uint32_t thread;
  };
  std::vector<Found> found;
  each_range(
      store, [&](StringId id) { return numbers.contains(id); },
      [&](const RangeRows& ranges, std::size_t r) {
        if (window.named != 0 && (ranges.start[r] < window.host_start || ranges.end[r] > window.host_end)) return;
        found.push_back({ranges.start[r], ranges.end[r], numbers.at(ranges.name[r]), ranges.thread[r]});
      });
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tie(a.start, a.end, a.number, a.thread) < std::tie(b.start, b.end, b.number, b.thread);
  });
  IterationRows rows;
  std::map<std::uint32_t, std::size_t> longest;  // by process: the one that ends last so far
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
    if (!rows.number.empty()) return rows;
  }
  return {};
}

}  // namespace assay::load
