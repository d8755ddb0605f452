#include <algorithm>

#include "extremes.hpp"
#include "groups.hpp"
#include "range_tree.hpp"
#include "remarks.hpp"
#include "reports.hpp"

namespace assay::nsys {
namespace {

constexpr const char* kNoRanges = "the export holds no NVTX ranges";
constexpr const char* kTooDeep =
    "ranges and launches of this export are nested so deeply that listing every pair would take too long";

bool no_ranges(const Report& report) { return report.ranges == nullptr && report.spans == nullptr; }

/// Groups of instances by name and style.
struct ByName {
  TupleIds<2> ids;
  std::vector<std::uint32_t> group;  ///< of each instance; kNoGroup: excluded

  [[nodiscard]] std::uint32_t name(std::uint32_t g) const { return ids.keys()[g][0]; }
  [[nodiscard]] Style style(std::uint32_t g) const { return static_cast<Style>(ids.keys()[g][1]); }
};

template <class Kept>
ByName by_name(const std::vector<Instance>& instances, Kept kept) {
  ByName out;
  out.group.assign(instances.size(), kNoGroup);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (kept(i)) out.group[i] = out.ids.id_of({instances[i].name, static_cast<std::uint32_t>(instances[i].style)});
  }
  return out;
}

/// Total descending, then by name and style.
std::vector<std::uint32_t> by_total(const std::vector<Summary>& sums, const ByName& groups, const RangeNames& names) {
  return sorted_groups(sums.size(), [&](std::uint32_t a, std::uint32_t b) {
    if (sums[a].total != sums[b].total) return sums[a].total > sums[b].total;
    if (groups.name(a) != groups.name(b)) return names.text(groups.name(a)) < names.text(groups.name(b));
    return groups.style(a) < groups.style(b);
  });
}

void add_names(Table& table, std::span<const std::uint32_t> order, const ByName& groups, const RangeNames& names) {
  table.column("Range", "", order, [&](std::uint32_t g) { return names.text(groups.name(g)); });
}

void add_styles(Table& table, std::span<const std::uint32_t> order, const ByName& groups) {
  table.column("Style", "", order, [&](std::uint32_t g) { return style_name(groups.style(g)); });
}

}  // namespace

namespace {

ReportTable sum_of(const Instances& found, const Task& task, bool with_styles) {
  const ByName groups = by_name(found.rows, [](std::size_t) { return true; });
  const std::vector<Summary> sums = summarize_groups(
      groups.group, groups.ids.size(), [&](std::size_t i) { return found.rows[i].duration(); }, task.keeps_values);
  const std::vector<std::uint32_t> order = by_total(sums, groups, found.names);
  WideSum whole;
  for (const Summary& s : sums) whole.add(s.total);
  ReportTable made{table_of(task), {}, {}};
  Table& table = *made.table;
  table.column("Time", "%", order, [&](std::uint32_t g) { return percent(sums[g].total, whole.value()); });
  table.column("Total Time", "ns", order, [&](std::uint32_t g) { return sums[g].total; });
  table.column("Instances", "", order, [&](std::uint32_t g) { return sums[g].count; });
  add_spread(table, "", arranged(sums, order));
  made.values = values_of(arranged(sums, order));
  if (with_styles) add_styles(table, order, groups);
  add_names(table, order, groups, found.names);
  return made;
}

}  // namespace

ReportTable range_sum(const Report& report, const Task& task) {
  if (no_ranges(report)) return lacking(kNoRanges);
  return sum_of(all_instances(report), task, true);
}

ReportTable range_sum(const Report& report, const Task& task, Style style) {
  const RangeTable* ranges = style == Style::kPushPop ? report.ranges : report.spans;
  if (ranges == nullptr) return lacking(kNoRanges);
  Instances found = all_instances(report);
  std::erase_if(found.rows, [&](const Instance& i) { return i.style != style; });
  return sum_of(found, task, false);
}

namespace {

/// Sums over the instances of a group, in addition to the projected durations.
struct GroupExtras {
  WideSum range_time;
  std::int64_t works = 0, levels = 0, children = 0;
};

/// For ranges with work, whose parents then have work too.
std::vector<GroupExtras> company(const RangeHits& hits, const std::vector<ProjectedRange>& projected,
                                 const ByName& groups, bool corrected) {
  std::vector<Instance> ranges;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < projected.size(); ++i) {
    if (groups.group[i] == kNoGroup) continue;
    ranges.push_back(hits.instances()[i]);
    places.push_back(i);
  }
  const RangeTree tree(ranges, [](std::size_t i) { return i; });
  std::vector<GroupExtras> sums(groups.ids.size());
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    GroupExtras& sum = sums[groups.group[places[r]]];
    sum.range_time.add(ranges[r].duration());
    sum.works += projected[places[r]].counted(corrected);
    sum.levels += tree[r].level;
    sum.children += tree[r].children;
  }
  return sums;
}

}  // namespace

ReportTable projection_sum(const Report& report, const Task& task, const Launches& launches) {
  if (no_ranges(report)) return lacking(kNoRanges);
  Instances found = all_instances(report);
  const RangeHits hits(report, launches, std::move(found.rows));
  const std::optional<std::vector<ProjectedRange>> projected = project(hits, launches, *report.calls);
  if (!projected) return lacking(kTooDeep);
  const ByName groups = by_name(hits.instances(), [&](std::size_t i) { return (*projected)[i].works > 0; });
  const std::vector<Summary> sums = summarize_groups(
      groups.group, groups.ids.size(), [&](std::size_t i) { return (*projected)[i].last - (*projected)[i].first; },
      task.keeps_values);
  const std::vector<GroupExtras> with = company(hits, *projected, groups, task.corrected());
  const std::vector<std::uint32_t> order = by_total(sums, groups, found.names);
  const auto mean = [&](std::int64_t GroupExtras::* member) {
    return [&, member](std::uint32_t g) {
      return tenths(static_cast<double>(with[g].*member) / static_cast<double>(sums[g].count));
    };
  };
  ReportTable made{table_of(task), {}, launch_remarks(report, launches)};
  for (Remark& remark : range_remarks(report, launches, hits)) made.remarks.push_back(std::move(remark));
  Table& table = *made.table;
  add_names(table, order, groups, found.names);
  add_styles(table, order, groups);
  table.column("Total Proj Time", "ns", order, [&](std::uint32_t g) { return sums[g].total; });
  table.column("Total Range Time", "ns", order, [&](std::uint32_t g) { return with[g].range_time.value(); });
  table.column("Range Instances", "", order, [&](std::uint32_t g) { return sums[g].count; });
  add_spread(table, "Proj ", arranged(sums, order));
  made.values = values_of(arranged(sums, order));
  table.column("Total GPU Ops", "", order, [&](std::uint32_t g) { return with[g].works; });
  table.column("Avg GPU Ops", "", order, mean(&GroupExtras::works));
  table.column("Avg Range Lvl", "", order, mean(&GroupExtras::levels));
  table.column("Avg Num Child", "", order, mean(&GroupExtras::children));
  return made;
}

}  // namespace assay::nsys
