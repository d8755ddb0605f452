#include "emit.hpp"

#include <algorithm>
#include <tuple>

#include "assay/algo/stats.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::breakdown {
namespace {

struct Group {
  std::int32_t device = 0;
  std::size_t instances = 0;
  std::vector<double> durations;
  std::int64_t time = 0;
  std::int64_t in_iterations = 0;
};

double ratio(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// A fact, with the dim `range` if there is one.
void fact(ReportSink& sink, std::string_view metric, double value, std::string_view range) {
  range.empty() ? sink.fact(metric, value) : sink.fact(metric, value, {{"range", range}});
}
void fact(ReportSink& sink, std::string_view metric, double value, Dim dim, std::string_view range) {
  range.empty() ? sink.fact(metric, value, {dim}) : sink.fact(metric, value, {dim, {"range", range}});
}

}  // namespace

std::vector<KernelRow> kernel_table(const Report& report, const KernelMeasurement& measured, Classifier& classes) {
  std::vector<Group> groups(static_cast<std::size_t>(report.strings.size));
  for (const MeasuredKernel& k : measured.kernels) ++groups[k.name].instances;
  for (const MeasuredKernel& k : measured.kernels) {
    Group& group = groups[k.name];
    if (group.durations.empty()) {
      group.device = k.device;
      group.durations.reserve(group.instances);  // avoids that a growing vector of millions holds twice as much
    }
    group.durations.push_back(static_cast<double>(k.duration));
    group.time += k.duration;
    group.in_iterations += k.iteration != kNone ? 1 : 0;
  }
  std::vector<KernelRow> rows;
  for (std::size_t name = 0; name < groups.size(); ++name) {
    Group& group = groups[name];
    if (group.durations.empty()) continue;
    KernelRow row;
    row.id = static_cast<StringId>(name);
    row.name = report.string(row.id);
    const Kind& kind = classes.kind_of(row.id, group.device);
    row.kind = classes.class_name(kind.kernel_class);
    row.tensor_cores = kTensorCoreUses[kind.tensor_cores];
    row.instances = static_cast<std::int64_t>(group.instances);
    row.time = group.time;
    row.share = measured.time > 0 ? static_cast<double>(group.time) / static_cast<double>(measured.time) : 0;
    row.mean = static_cast<double>(group.time) / static_cast<double>(row.instances);
    const auto [least, most] = std::minmax_element(group.durations.begin(), group.durations.end());
    row.least = static_cast<std::int64_t>(*least);
    row.most = static_cast<std::int64_t>(*most);
    row.deviation = sample_sd(group.durations);
    row.median = median_in_place(group.durations);
    if (measured.iterations > 0) {
      row.per_iteration = static_cast<double>(group.in_iterations) / static_cast<double>(measured.iterations);
    }
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [](const KernelRow& a, const KernelRow& b) {
    return std::tuple(-a.time, a.instances, a.name) < std::tuple(-b.time, b.instances, b.name);
  });
  return rows;
}

std::vector<double> launches_per_iteration(const KernelMeasurement& measured, StringId name) {
  std::vector<double> counts(measured.iterations, 0);
  for (const MeasuredKernel& k : measured.kernels) {
    if (k.name == name && k.iteration != kNone) counts[static_cast<std::size_t>(k.iteration)] += 1;
  }
  return counts;
}

void emit_breakdown(const Breakdown& breakdown, const Classifier& classes, std::string_view range, ReportSink& sink) {
  for (std::size_t i = 0; i < breakdown.classes.size(); ++i) {
    const Share& share = breakdown.classes[i];
    const Dim dim{"class", classes.class_name(i)};
    // the share of the unknown class is shown even if it is 0
    if (share.count == 0 && dim.value.view() != kUnknownClass) continue;
    fact(sink, "kernel_class.time_sum_ns", static_cast<double>(share.time), dim, range);
    fact(sink, "kernel_class.count", static_cast<double>(share.count), dim, range);
    if (breakdown.time > 0) fact(sink, "kernel_class.time_ratio", ratio(share.time, breakdown.time), dim, range);
    if (!range.empty() || share.times.empty() || share.count == 0) continue;
    sink.fact("kernel_class.time_per_iteration_ns", median(share.times), share.times, {dim});
    sink.fact("kernel_class.count_per_iteration", median(share.counts), share.counts, {dim});
  }
  if (breakdown.time == 0) {
    sink.skip("kernel_class.time_ratio, tensor_core.time_ratio", "the summed duration of the measured kernels is 0");
    return;
  }
  for (std::size_t i = 0; i < kTensorCoreUses.size(); ++i) {
    fact(sink, "tensor_core.time_ratio", ratio(breakdown.tensor_cores[i].time, breakdown.time),
         {"uses", kTensorCoreUses[i]}, range);
  }
}

void emit_top(const KernelMeasurement& measured, std::span<const KernelRow> rows, std::string_view range,
              ReportSink& sink) {
  const KernelRow& top = rows.front();
  fact(sink, "top_kernel.time_ratio", top.share, range);
  fact(sink, "top_kernel.count", static_cast<double>(top.instances), range);
  if (!range.empty()) return;
  sink.attribute("kernel.top_name", top.name);
  if (measured.iterations == 0)
    return sink.skip("top_kernel.count_per_iteration", "there are no iterations in the window",
                     SkipCause::kNoIterations);
  const std::vector<double> counts = launches_per_iteration(measured, top.id);
  sink.fact("top_kernel.count_per_iteration", median(counts), counts);
}

void emit_range(const RangeKernels& range, ReportSink& sink) {
  std::int64_t time = 0;
  for (const MeasuredKernel& k : range.kernels) time += k.duration;
  fact(sink, "range.kernel_count", static_cast<double>(range.kernels.size()), range.name);
  fact(sink, "range.kernel_time_sum_ns", static_cast<double>(time), range.name);
  fact(sink, "range.other_thread_kernel_count", static_cast<double>(range.other_thread), range.name);
  fact(sink, "range.other_thread_kernel_time_ns", static_cast<double>(range.other_thread_time), range.name);
  if (range.other_thread > 0) {
    sink.emit_issue("attributed_by_time", Severity::kInfo, range.other_thread,
                    filled("{} of {} kernels of the range '{}' were launched by another thread while it was open and "
                           "are counted as its work.",
                           {std::to_string(range.other_thread), std::to_string(range.kernels.size()), range.name}));
  }
  if (!range.by_time) {
    sink.emit_issue(
        "overlapping_ranges", Severity::kWarning, static_cast<std::int64_t>(range.instances),
        "Ranges '" + range.name +
            "' of several threads overlap in time, so only kernels launched by their own threads are counted.");
  }
}

Table summary_table(std::string id, std::string title, std::span<const KernelRow> rows, bool iterations) {
  Table table(std::move(id), std::move(title));
  table.column("Time", "%", rows, [](const KernelRow& row) { return 100 * row.share; })
      .column("Total Time", "ns", rows, &KernelRow::time)
      .column("Instances", "1", rows, &KernelRow::instances)
      .column("Avg", "ns", rows, &KernelRow::mean)
      .column("Med", "ns", rows, &KernelRow::median)
      .column("Min", "ns", rows, &KernelRow::least)
      .column("Max", "ns", rows, &KernelRow::most)
      .column("StdDev", "ns", rows, &KernelRow::deviation)
      .column("Name", "", rows, &KernelRow::name)
      .column("Class", "", rows, &KernelRow::kind)
      .column("Tensor cores", "", rows, &KernelRow::tensor_cores);
  if (iterations) table.column("Per iteration", "1", rows, &KernelRow::per_iteration);
  return table;
}

std::vector<KernelRow> first_rows(std::span<const KernelRow> rows, std::size_t top, std::string_view without) {
  std::vector<KernelRow> out;
  for (const KernelRow& row : rows) {
    if (out.size() == top) break;
    if (row.kind != without) out.push_back(row);
  }
  return out;
}

Table range_table(std::span<const RangeRow> ranges) {
  TableRows<std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, double, double,
            std::string, double, std::int64_t>
      rows;
  for (const RangeRow& r : ranges) {
    std::int64_t time = 0;
    for (const KernelRow& row : r.rows) time += row.time;
    const KernelRow* top = r.rows.empty() ? nullptr : &r.rows.front();
    rows.add(r.range->name, static_cast<std::int64_t>(r.range->instances),
             static_cast<std::int64_t>(r.range->kernels.size()), time, r.range->other_thread,
             r.range->other_thread_time, r.product_share, r.unknown_share,
             top == nullptr ? std::string_view("none") : std::string_view(top->name), top == nullptr ? 0 : top->share,
             top == nullptr ? 0 : top->instances);
  }
  return rows.table("by_range", "Kernels by NVTX range; a nested range counts in those around it",
                    {{"Range"},
                     {"Ranges", "1"},
                     {"Kernels", "1"},
                     {"Total Time", "ns"},
                     {"By other threads", "1"},
                     {"Time of those", "ns"},
                     {"Matrix products", "ratio"},
                     {"Unknown", "ratio"},
                     {"Top kernel"},
                     {"Its share", "ratio"},
                     {"Its launches", "1"}});
}

}  // namespace assay::breakdown
