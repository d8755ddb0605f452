#include <algorithm>
#include <deque>
#include <string>
#include <string_view>

#include "call_names.hpp"
#include "groups.hpp"
#include "kernel_names.hpp"
#include "made.hpp"
#include "remarks.hpp"
#include "reports.hpp"
#include "rows.hpp"
#include "trace_table.hpp"

namespace assay::nsys {
namespace {

class Shapes {
 public:
  Shapes(Column<std::int32_t> x, Column<std::int32_t> y, Column<std::int32_t> z) : x_(x), y_(y), z_(z) {}

  /// For a row; empty if the export does not have it.
  std::string_view text_of(std::size_t row) {
    if (!x_.present() || !y_.present() || !z_.present()) return {};
    const auto number = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
    const std::uint32_t id = ids_.id_of({number(x_[row]), number(y_[row]), number(z_[row])});
    if (id == texts_.size()) texts_.push_back(shape(x_[row], y_[row], z_[row]));
    return texts_[id];
  }

 private:
  Column<std::int32_t> x_, y_, z_;
  TupleIds<3> ids_;
  std::deque<std::string> texts_;
};

enum Part : std::size_t { kProcess, kThread, kDevice, kCall, kKernel };
using Ids = TupleIds<5>;

/// The four times of a launch, summed by group.
struct Times {
  std::vector<Summary> total, call, queue, kernel;
};

/// Groups of launches; kNoGroup for those of copies and sets.
std::vector<std::uint32_t> group_launches(const Report& report, const Launches& launches, CallNames& names,
                                          KernelNames& kernel_names, Ids& ids) {
  const KernelTable& kernels = *report.kernels;
  const CallTable& calls = *report.calls;
  std::vector<std::uint32_t> group(launches.all().size(), kNoGroup);
  for (std::size_t l = 0; l < group.size(); ++l) {
    const Launch& launch = launches.all()[l];
    if (!launches.work().is_kernel(launch.op)) continue;
    group[l] = ids.id_of({kernels.process[launch.op], calls.thread[at(launch.call)],
                          static_cast<std::uint32_t>(kernels.device[launch.op]),
                          names.id_of(calls.full_name[at(launch.call)]), kernel_names.id_of(launch.op)});
  }
  return group;
}

Times times_of(const Report& report, const Launches& launches, std::vector<std::uint32_t> group, std::size_t groups) {
  const KernelTable& kernels = *report.kernels;
  const CallTable& calls = *report.calls;
  const auto column_of = [&](auto value) {
    return summarize_groups(group, groups, [&](std::size_t l) {
      const Launch& launch = launches.all()[l];
      return value(at(launch.call), launch.op);
    });
  };
  Times out;
  out.total = column_of([&](std::size_t c, Op k) { return std::max(calls.end[c], kernels.end[k]) - calls.start[c]; });
  out.call = column_of([&](std::size_t c, Op) { return calls.end[c] - calls.start[c]; });
  out.kernel = column_of([&](std::size_t, Op k) { return kernels.end[k] - kernels.start[k]; });
  const auto queue = [&](std::size_t c, Op k) { return kernels.start[k] - calls.end[c]; };
  for (std::size_t l = 0; l < group.size(); ++l) {
    const Launch& launch = launches.all()[l];
    if (group[l] != kNoGroup && queue(at(launch.call), launch.op) < 0) group[l] = kNoGroup;
  }
  out.queue = column_of(queue);
  return out;
}

constexpr const char* kNoKernelNames = "the kernels of this export have no names";

/// Why there can be no report of launches; null: there can.
const char* lack_of(const Report& report) {
  if (report.kernels == nullptr) return "the export holds no CUDA kernels";
  return report.calls->full_name.present() ? nullptr : "the API calls of this export have no names";
}

}  // namespace

ReportTable launch_sum(const Report& report, const Task& task, const Launches& launches) {
  if (const char* lack = lack_of(report)) return lacking(lack);
  KernelNames kernel_texts(report, task);
  if (!kernel_texts.present()) return lacking(kNoKernelNames);
  Ids ids;
  CallNames names(report);
  std::vector<std::uint32_t> group = group_launches(report, launches, names, kernel_texts, ids);
  const std::vector<Ids::Key>& keys = ids.keys();
  const Times times = times_of(report, launches, std::move(group), keys.size());
  const auto process = [&](std::uint32_t g) { return id_of(*report.processes, keys[g][kProcess]); };
  const auto thread = [&](std::uint32_t g) { return id_of(*report.threads, keys[g][kThread]); };
  const auto device = [&](std::uint32_t g) { return static_cast<std::int32_t>(keys[g][kDevice]); };
  const auto call = [&](std::uint32_t g) { return names.text(keys[g][kCall]); };
  const auto kernel = [&](std::uint32_t g) { return kernel_texts.text(keys[g][kKernel]); };
  const auto identity = [&](std::uint32_t g) {
    return std::tuple(process(g), thread(g), device(g), call(g), kernel(g));
  };
  const std::vector<std::uint32_t> order = sorted_groups(keys.size(), [&](std::uint32_t a, std::uint32_t b) {
    return times.total[a].mean != times.total[b].mean ? times.total[a].mean > times.total[b].mean
                                                      : identity(a) < identity(b);
  });
  ReportTable made{table_of(task), {}, launch_remarks(report, launches)};
  for (Remark& remark : kernel_texts.remarks()) made.remarks.push_back(std::move(remark));
  Table& table = *made.table;
  table.column("PID", "", order, process)
      .column("TID", "", order, thread)
      .column("DevId", "", order, device)
      .column("Count", "", order, [&](std::uint32_t g) { return times.total[g].count; })
      .column("QCount", "", order, [&](std::uint32_t g) { return times.queue[g].count; });
  add_spread(table, "T", arranged(times.total, order));
  add_spread(table, "A", arranged(times.call, order));
  add_spread(table, "Q", arranged(times.queue, order));
  add_spread(table, "K", arranged(times.kernel, order));
  table.column("API Name", "", order, call).column("Kernel Name", "", order, kernel);
  return made;
}

ReportTable launch_trace(const Report& report, const Task& task, const Launches& launches, ReportSink& sink) {
  if (const char* lack = lack_of(report)) return lacking(lack);
  KernelNames names(report, task);
  if (!names.present()) return lacking(kNoKernelNames);
  const KernelTable& kernels = *report.kernels;
  const CallTable& calls = *report.calls;
  std::vector<Launch> rows;
  for (const Launch& launch : launches.all()) {
    if (launches.work().is_kernel(launch.op)) rows.push_back(launch);
  }
  std::sort(rows.begin(), rows.end(),
            [](const Launch& a, const Launch& b) { return a.call != b.call ? a.call < b.call : a.op < b.op; });
  TraceTable table(sink, task,
                   {"API Start (ns)", "API Dur (ns)", "Queue Start (ns)", "Queue Dur (ns)", "Kernel Start (ns)",
                    "Kernel Dur (ns)", "Total Dur (ns)", "PID", "TID", "DevId", of_texts("API Function"),
                    of_texts("GridXYZ"), of_texts("BlockXYZ"), of_texts("Kernel Name")});
  Shapes grids(kernels.grid_x, kernels.grid_y, kernels.grid_z),
      blocks(kernels.block_x, kernels.block_y, kernels.block_z);
  for (const Launch& launch : rows) {
    const std::size_t c = at(launch.call), k = launch.op;
    const std::int64_t queued = kernels.start[k] - calls.end[c];
    table.integer(calls.start[c]).integer(calls.end[c] - calls.start[c]);
    if (queued >= 0)
      table.integer(calls.end[c]).integer(queued);
    else
      table.nothing(2);
    table.integer(kernels.start[k]).integer(kernels.end[k] - kernels.start[k]);
    table.integer(std::max(calls.end[c], kernels.end[k]) - calls.start[c]);
    table.integer(id_of(*report.processes, report.threads->process[calls.thread[c]]));
    table.integer(id_of(*report.threads, calls.thread[c])).integer(kernels.device[k]);
    table.view(call_name(report.string(calls.full_name[c]))).view(grids.text_of(k)).view(blocks.text_of(k));
    table.view(names.text(names.id_of(k))).end_row();
  }
  table.finish();
  ReportTable made{std::nullopt, {}, launch_remarks(report, launches)};
  for (Remark& remark : names.remarks()) made.remarks.push_back(std::move(remark));
  return made;
}

}  // namespace assay::nsys
