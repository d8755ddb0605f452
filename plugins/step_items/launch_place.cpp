#include "launch_place.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "algo/functions/functions.hpp"
#include "assay/algo/named_ranges.hpp"

namespace assay::step_items {
namespace {

std::uint64_t pair_key(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

bool is_module(const OpTable& ops, std::size_t row) {
  return ops.python_module.present() && ops.kind[row] == OpKind::kPythonFunction && ops.python_module[row] != kNone;
}

}  // namespace

std::vector<std::uint8_t> step_ranges(const Report& report) {
  std::vector<std::uint8_t> is_step(report.ranges == nullptr ? 0 : static_cast<std::size_t>(report.ranges->rows), 0);
  for (std::size_t s = 0; report.steps != nullptr && s < report.steps->rows; ++s) {
    if (const Row range = report.steps->range[s]; range != kNone) is_step[static_cast<std::size_t>(range)] = 1;
  }
  return is_step;
}

std::int32_t step_at(const std::vector<step::Step>& kept, std::int64_t time) {
  const auto after =
      std::partition_point(kept.begin(), kept.end(), [&](const step::Step& s) { return s.time.start <= time; });
  if (after == kept.begin() || time >= std::prev(after)->time.end) return kNone;
  return static_cast<std::int32_t>(std::prev(after) - kept.begin());
}

LaunchPlaces::LaunchPlaces(const Report& report, const step::Steps& steps)
    : report_(report), steps_(steps.kept), is_step_(step_ranges(report)) {
  for (const step::Step& step : steps_)
    begins_.push_back(begins_.empty() ? step.host.start : std::max(begins_.back(), step.host.start));
  if (report.ranges != nullptr) {
    part_of_name_.assign(static_cast<std::size_t>(report.strings.size), 0);
    ranges_.assign(report.ranges->rows, {});
    std::set<std::uint32_t> threads;
    around_steps_.assign(report.ranges->rows, 0);
    for (std::size_t s = 0; report.steps != nullptr && s < report.steps->rows; ++s) {
      const Row r = report.steps->range[s];
      threads.insert(report.steps->thread[s]);
      if (r == kNone) continue;
      for (Row outer = report.ranges->parent[r]; outer >= 0; outer = report.ranges->parent[outer]) {
        std::uint8_t& around = around_steps_[static_cast<std::size_t>(outer)];
        if (around != 0) break;
        around = 1;
      }
    }
    for (std::size_t r = 0; threads.size() == 1 && r < report.ranges->rows; ++r) {
      if (report.ranges->thread[r] == *threads.begin()) of_step_thread_.push_back(static_cast<Row>(r));
    }
  }
  if (report.ops != nullptr) find_operators();
}

std::int32_t LaunchPlaces::step_of_call(Row call) const {
  if (call < 0 || steps_.empty()) return kNone;
  const std::int64_t start = report_.calls->start[call];
  // Calls before all steps are in the first one or in none.
  const auto after = std::upper_bound(begins_.begin() + 1, begins_.end(), start);
  const auto step = static_cast<std::size_t>(std::prev(after) - begins_.begin());
  return start >= steps_[step].host.start && start < steps_[step].until ? static_cast<std::int32_t>(step) : kNone;
}

void LaunchPlaces::find_operators() {
  const OpTable& ops = *report_.ops;
  outer_.assign(ops.rows, kNone);
  module_.assign(ops.rows, kNone);
  // Among rows with one start the inner one comes first, so sorts by depth instead of row.
  std::vector<std::size_t> order(ops.rows);
  std::int32_t deepest = 0;
  for (const std::int32_t depth : ops.depth) deepest = std::max(deepest, depth);
  std::vector<std::size_t> first(static_cast<std::size_t>(deepest) + 2, 0);
  for (const std::int32_t depth : ops.depth) ++first[static_cast<std::size_t>(depth) + 1];
  for (std::size_t d = 1; d < first.size(); ++d) first[d] += first[d - 1];
  for (std::size_t r = 0; r < ops.rows; ++r) order[first[static_cast<std::size_t>(ops.depth[r])]++] = r;
  for (const std::size_t r : order) {
    const Row parent = ops.parent[r];
    const auto around = static_cast<std::size_t>(parent);
    if (parent >= 0) {
      outer_[r] = outer_[around];
      module_[r] = module_[around];
    }
    if (outer_[r] == kNone && ops.kind[r] == OpKind::kOperator) outer_[r] = static_cast<Row>(r);
    if (is_module(ops, r)) module_[r] = static_cast<Row>(r);
  }
}

std::uint32_t LaunchPlaces::part(std::string text) {
  const auto [at, added] = part_ids_.try_emplace(std::move(text), static_cast<std::uint32_t>(parts_.size()));
  if (added) parts_.push_back(at->first);
  return at->second;
}

std::uint32_t LaunchPlaces::part_of_range(StringId name) {
  std::uint32_t& known = part_of_name_[name];
  if (known == 0) known = 1 + part(folded_name(report_.string(name)));
  return known - 1;
}

std::uint32_t LaunchPlaces::inside(std::uint32_t outer, std::uint32_t part) {
  if (part == 0) return outer;  // nameless
  const auto number = static_cast<std::uint32_t>(paths_.size());
  const auto [at, added] = inside_.try_emplace(pair_key(outer, part), number);
  if (added) {
    const std::uint32_t depth = paths_[outer].depth + 1;
    paths_.push_back({outer, part, depth, depth <= kShownEnd ? number : paths_[outer].head});
  }
  return at->second;
}

std::uint32_t LaunchPlaces::path_in(Row range, Row function) {
  const std::uint32_t path = range < 0 ? 0 : path_of_range(range).path;
  const bool within = function >= 0 && (path == 0 || report_.ops->start[function] > report_.ranges->start[range]);
  if (!within) return path;
  const auto [at, added] = part_of_function_.try_emplace(report_.ops->name[function], 0);
  if (added) at->second = part(functions::function_text(report_, function));
  return inside(path, at->second);
}

std::string LaunchPlaces::text(std::uint32_t path) const {
  std::vector<std::string_view> parts;  // innermost first
  const auto add = [&](std::uint32_t from, std::uint32_t most) {
    for (std::uint32_t at = from; at != 0 && most > 0; at = paths_[at].outer, --most)
      parts.push_back(parts_[paths_[at].part]);
  };
  std::string between;
  if (const std::uint32_t depth = paths_[path].depth; depth > 2 * kShownEnd) {
    between = "(" + std::to_string(depth - 2 * kShownEnd) + " more)";
    add(path, kShownEnd);
    parts.push_back(between);
    add(paths_[path].head, kShownEnd);
  } else {
    add(path, depth);
  }
  std::string all;
  for (std::size_t p = parts.size(); p-- > 0;) (all += parts[p]) += p > 0 ? "/" : "";
  return all;
}

/// From the outermost range without a path to this one; iterative, since ranges may be nested as deep as a file is
/// long.
LaunchPlaces::LaunchPath LaunchPlaces::path_of_range(Row range) {
  const RangeTable& ranges = *report_.ranges;
  std::vector<Row> open;
  LaunchPath placed{0, true, false};
  for (Row at = range; at >= 0; at = ranges.parent[at]) {
    if (const LaunchPath& known = ranges_[static_cast<std::size_t>(at)]; known.known) {
      placed = known;
      break;
    }
    open.push_back(at);
    if (is_step(at)) break;
  }
  for (; !open.empty(); open.pop_back()) {
    const auto row = static_cast<std::size_t>(open.back());
    const StringId name = ranges.name[open.back()];
    if (is_step(open.back()))
      placed = {0, true, true};
    else if (around_steps_[row] == 0)
      placed.path = inside(placed.path, part_of_range(name));
    ranges_[row] = placed;
  }
  return placed;
}

/// Innermost range of the steps' thread around a time.
Row LaunchPlaces::range_at(std::int64_t time) const {
  const RangeTable& ranges = *report_.ranges;
  const auto after = std::partition_point(of_step_thread_.begin(), of_step_thread_.end(),
                                          [&](Row r) { return ranges.start[r] <= time; });
  if (after == of_step_thread_.begin()) return kNone;
  Row row = *std::prev(after);
  while (row >= 0 && ranges.end[row] < time) row = ranges.parent[row];
  return row;
}

std::uint32_t LaunchPlaces::below(std::uint32_t outer, std::uint32_t inner) {
  std::vector<std::uint32_t> open;
  std::uint32_t path = outer;
  for (std::uint32_t at = inner; at != 0; at = paths_[at].outer) {
    if (const auto known = below_.find(pair_key(outer, at)); known != below_.end()) {
      path = known->second;
      break;
    }
    open.push_back(at);
  }
  for (; !open.empty(); open.pop_back())
    below_[pair_key(outer, open.back())] = path = inside(path, paths_[open.back()].part);
  return path;
}

std::uint32_t LaunchPlaces::path_of(Row call) {
  if (call < 0 || report_.ranges == nullptr || !report_.calls->range.present()) return 0;
  const LaunchPath own = path_of_range(report_.calls->range[call]);
  std::uint32_t path = own.path;
  // Autograd launches from its own thread, whose ranges are unrelated to the step's.
  if (!own.in_step && !of_step_thread_.empty()) {
    const LaunchPath outer = path_of_range(range_at(report_.calls->start[call]));
    if (outer.in_step) path = below(outer.path, own.path);
  }
  return path;
}

Row LaunchPlaces::outer_module(Row module) const {
  const Row parent = report_.ops->parent[module];
  return parent < 0 ? kNone : module_[static_cast<std::size_t>(parent)];
}

std::uint32_t LaunchPlaces::with_modules(std::uint32_t path, Row op) {
  std::vector<Row> open;
  std::uint32_t placed = path;
  for (Row at = op < 0 ? kNone : module_[static_cast<std::size_t>(op)]; at >= 0; at = outer_module(at)) {
    if (const auto known = joined_.find(pair_key(path, static_cast<std::uint32_t>(at))); known != joined_.end()) {
      placed = known->second;
      break;
    }
    open.push_back(at);
  }
  for (; !open.empty(); open.pop_back()) {
    const auto row = static_cast<std::uint32_t>(open.back());
    joined_[pair_key(path, row)] = placed = inside(placed, part(std::string(report_.string(report_.ops->name[row]))));
  }
  return placed;
}

}  // namespace assay::step_items
