#include <algorithm>

#include "extremes.hpp"
#include "range_tree.hpp"
#include "remarks.hpp"
#include "reports.hpp"
#include "trace_table.hpp"

namespace assay::nsys {
namespace {

constexpr const char* kStacksTooDeep =
    "ranges of this export are nested so deeply that listing every stack would take too long";

/// Ids of ranges in the export, by index in a list.
class RowIds {
 public:
  RowIds(const Report& report, const std::vector<Instance>& ranges) : report_(report), ranges_(ranges) {}
  std::int64_t operator()(std::size_t i) const {
    const Instance& range = ranges_[i];
    const RangeTable& table = range.style == Style::kPushPop ? *report_.ranges : *report_.spans;
    return table.row_id.present() ? table.row_id[range.row] : static_cast<std::int64_t>(range.row) + 1;
  }

 private:
  const Report& report_;
  const std::vector<Instance>& ranges_;
};

/// By start, then id in the export.
std::vector<std::uint32_t> in_order_of_start(const std::vector<Instance>& ranges, const RowIds& id_of) {
  std::vector<std::uint32_t> order(ranges.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return ranges[a].start != ranges[b].start ? ranges[a].start < ranges[b].start : id_of(a) < id_of(b);
  });
  return order;
}

std::int64_t process_of(const Report& report, const Instance& range) {
  return id_of(*report.processes, report.threads->process[range.thread]);
}

}  // namespace

ReportTable push_pop_trace(const Report& report, const Task& task, ReportSink& sink) {
  if (report.ranges == nullptr) return lacking("the export holds no NVTX ranges");
  Instances found = all_instances(report);
  std::erase_if(found.rows, [](const Instance& i) { return i.style != Style::kPushPop; });
  const std::vector<Instance>& ranges = found.rows;
  const RowIds row_id(report, ranges);
  const RangeTree tree(ranges, row_id);
  if (tree.levels() > kMaxVisits) return lacking(kStacksTooDeep);
  TraceTable table(
      sink, task,
      {"Start (ns)", "End (ns)", "Duration (ns)", "DurChild (ns)", "DurNonChild (ns)", of_texts("Name"), "PID", "TID",
       "Lvl", "NumChild", "RangeId", "ParentId", of_texts("RangeStack"), of_texts("NameTree")});
  for (const std::uint32_t i : in_order_of_start(ranges, row_id)) {
    const Instance& range = ranges[i];
    const RangeTree::Node& node = tree[i];
    const std::string_view name = found.names.text(range.name);
    table.integer(range.start).integer(range.end).integer(range.duration());
    table.integer(node.held).integer(range.duration() - node.held).view(name);
    table.integer(process_of(report, range)).integer(id_of(*report.threads, range.thread));
    table.integer(node.level).integer(node.children).integer(row_id(i));
    table.integer(node.parent == kNone ? kNoInteger : row_id(static_cast<std::size_t>(node.parent)));
    table.text(tree.stack(i, row_id));
    table.text(std::string(2 * static_cast<std::size_t>(node.level), '-').append(name)).end_row();
  }
  table.finish();
  return {};
}

ReportTable projection_trace(const Report& report, const Task& task, const Launches& launches, ReportSink& sink) {
  if (report.ranges == nullptr && report.spans == nullptr) return lacking("the export holds no NVTX ranges");
  Instances found = all_instances(report);
  const RangeHits hits(report, launches, std::move(found.rows));
  const std::optional<std::vector<ProjectedRange>> all = project(hits, launches, *report.calls);
  if (!all) return lacking(kStacksTooDeep);
  std::vector<Instance> ranges;  // those with work: push/pop first
  std::vector<ProjectedRange> projected;
  for (const Style style : {Style::kPushPop, Style::kStartEnd}) {
    for (std::size_t i = 0; i < all->size(); ++i) {
      if ((*all)[i].works == 0 || hits.instances()[i].style != style) continue;
      ranges.push_back(hits.instances()[i]);
      projected.push_back((*all)[i]);
    }
  }
  const RowIds row_id(report, ranges);
  const RangeTree tree(ranges, row_id);
  if (tree.levels() > kMaxVisits) return lacking(kStacksTooDeep);
  TraceTable table(
      sink, task,
      {of_texts("Name"), "Projected Start (ns)", "Projected Duration (ns)", "Orig Start (ns)", "Orig Duration (ns)",
       of_texts("Style"), "PID", "TID", "NumGPUOps", "Lvl", "NumChild", "RangeId", "ParentId", of_texts("RangeStack")});
  for (const std::uint32_t i : in_order_of_start(ranges, row_id)) {
    const Instance& range = ranges[i];
    const RangeTree::Node& node = tree[i];
    table.view(found.names.text(range.name)).integer(projected[i].first);
    table.integer(projected[i].last - projected[i].first).integer(range.start).integer(range.duration());
    table.view(style_name(range.style)).integer(process_of(report, range));
    table.integer(id_of(*report.threads, range.thread)).integer(projected[i].counted(task.corrected()));
    table.integer(node.level).integer(node.children).integer(row_id(i));
    table.integer(node.parent == kNone ? kNoInteger : row_id(static_cast<std::size_t>(node.parent)));
    table.text(tree.stack(i, row_id)).end_row();
  }
  table.finish();
  ReportTable made{std::nullopt, {}, launch_remarks(report, launches)};
  for (Remark& remark : range_remarks(report, launches, hits)) made.remarks.push_back(std::move(remark));
  return made;
}

}  // namespace assay::nsys
