// nvtx_kern_sum: kernels by the ranges around their launch.
#include <algorithm>

#include "assay/words.hpp"
#include "groups.hpp"
#include "kernel_names.hpp"
#include "remarks.hpp"
#include "reports.hpp"

namespace assay::nsys {
namespace {

/// Kernels with one name inside ranges with one name on one thread.
struct Line {
  std::uint32_t kernel = 0;    ///< dense number of its name
  std::int64_t instances = 0;  ///< ranges in which it ran
  std::int64_t kernels = 0;    ///< distinct kernels that ran
  Summary time;                ///< of each kernel in each range
};

/// Durations of kernels by name. Cleared after each group, reusing memory.
class Collector {
 public:
  /// `once`: a kernel that occurs again within a group is not counted again.
  Collector(std::size_t kernels, KernelNames& names, bool once) : names_(names), group_of_(kernels, 0), once_(once) {}

  void begin_range() { ++range_; }
  void add(std::size_t row, std::int64_t duration) {
    const std::uint32_t kernel = names_.id_of(row);
    while (kernel >= durations_.size()) {
      durations_.emplace_back();
      ranges_.emplace_back(0);
      last_range_.emplace_back(0);
      kernels_.emplace_back(0);
    }
    if (durations_[kernel].empty()) touched_.push_back(kernel);
    const bool again = group_of_[row] == group_;
    repeated_ += again ? 1 : 0;
    group_of_[row] = group_;
    kernels_[kernel] += again ? 0 : 1;
    if (!again || !once_) durations_[kernel].push_back(duration);
    if (last_range_[kernel] == range_) return;
    last_range_[kernel] = range_;
    ++ranges_[kernel];
  }
  /// The lines of the finished group: total descending, then by name.
  std::vector<Line> release() {
    std::vector<Line> lines;
    for (const std::uint32_t kernel : touched_) {
      lines.push_back({kernel, ranges_[kernel], kernels_[kernel], summarize(durations_[kernel])});
      durations_[kernel].clear();
      ranges_[kernel] = kernels_[kernel] = 0;
    }
    touched_.clear();
    ++group_;
    std::sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) {
      return a.time.total != b.time.total ? a.time.total > b.time.total : text(a) < text(b);
    });
    return lines;
  }
  [[nodiscard]] std::string_view text(const Line& line) const { return names_.text(line.kernel); }
  /// How often kernels occurred again within their group.
  [[nodiscard]] std::int64_t repeated() const { return repeated_; }

 private:
  KernelNames& names_;
  std::vector<std::uint32_t> group_of_;  ///< by kernel: the last group it was in
  std::uint32_t group_ = 1;
  bool once_;
  std::int64_t repeated_ = 0;
  std::vector<std::int64_t> kernels_;
  std::vector<std::vector<std::int64_t>> durations_;
  std::vector<std::int64_t> ranges_;
  std::vector<std::uint64_t> last_range_;
  std::vector<std::uint32_t> touched_;
  std::uint64_t range_ = 0;
};

/// The lines of all groups, as columns.
struct Columns {
  std::vector<std::string> ranges, styles, kernels;
  std::vector<std::int64_t> processes, threads, instances, counts, totals;
  std::vector<Summary> times;
};

/// Instances of each group, stored contiguously: `rows[first[g]]` to `rows[first[g + 1]]`.
struct GroupRows {
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> rows;
};

GroupRows rows_of_groups(std::span<const std::uint32_t> group_of, std::size_t groups) {
  GroupRows out{std::vector<std::size_t>(groups + 1, 0), {}};
  for (const std::uint32_t group : group_of) ++out.first[group + 1];
  for (std::size_t g = 0; g < groups; ++g) out.first[g + 1] += out.first[g];
  std::vector<std::size_t> next(out.first.begin(), out.first.end() - 1);
  out.rows.resize(group_of.size());
  for (std::uint32_t i = 0; i < group_of.size(); ++i) out.rows[next[group_of[i]]++] = i;
  return out;
}

class RangeKernels {
 public:
  RangeKernels(const Report& report, const Task& task, const Launches& launches, const RangeHits& hits,
               const RangeNames& names, KernelNames& kernel_names)
      : report_(report),
        launches_(launches),
        hits_(hits),
        names_(names),
        collector_(report.kernels->rows, kernel_names, task.corrected()),
        covered_(report.kernels->rows, 0) {}

  Columns columns() {
    std::vector<std::uint32_t> group(hits_.instances().size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Instance& instance = hits_.instances()[i];
      group[i] = groups_.id_of({instance.name, static_cast<std::uint32_t>(instance.style), instance.thread});
    }
    const GroupRows rows = rows_of_groups(group, groups_.size());
    std::vector<std::vector<Line>> lines(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      lines[g] = lines_of({rows.rows.data() + rows.first[g], rows.first[g + 1] - rows.first[g]});
    }
    Columns out;
    add_outside(out);
    std::vector<std::uint32_t> order;
    for (std::uint32_t g = 0; g < lines.size(); ++g) {
      if (!lines[g].empty()) order.push_back(g);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return before(a, b); });
    for (const std::uint32_t g : order) {
      const auto& [name, style, thread] = groups_.keys()[g];
      for (const Line& line : lines[g]) {
        add(out, names_.text(name), style_name(static_cast<Style>(style)), process_of(thread),
            id_of(*report_.threads, thread), line);
      }
    }
    return out;
  }
  [[nodiscard]] std::int64_t repeated() const { return collector_.repeated(); }

 private:
  std::int64_t process_of(std::uint32_t thread) const {
    return id_of(*report_.processes, report_.threads->process[thread]);
  }

  /// Name, style, process, thread.
  bool before(std::uint32_t a, std::uint32_t b) const {
    const auto &left = groups_.keys()[a], &right = groups_.keys()[b];
    if (left[0] != right[0]) return names_.text(left[0]) < names_.text(right[0]);
    if (left[1] != right[1]) return left[1] < right[1];
    const auto person = [&](std::uint32_t thread) {
      return std::tuple(process_of(thread), id_of(*report_.threads, thread), thread);
    };
    return person(left[2]) < person(right[2]);
  }

  std::vector<Line> lines_of(std::span<const std::uint32_t> instances) {
    const KernelTable& kernels = *report_.kernels;
    for (const std::uint32_t i : instances) {
      collector_.begin_range();
      hits_.each(i, [&](const Launch& launch) {
        if (!launches_.work().is_kernel(launch.op)) return;
        covered_[launch.op] = 1;
        collector_.add(launch.op, kernels.end[launch.op] - kernels.start[launch.op]);
      });
    }
    return collector_.release();
  }

  /// Kernels not launched inside ranges: those without a call, then those of each thread.
  void add_outside(Columns& out) {
    const KernelTable& kernels = *report_.kernels;
    const auto duration = [&](std::size_t row) { return kernels.end[row] - kernels.start[row]; };
    for (std::size_t row = 0; row < kernels.rows; ++row) {
      if (kernels.call[row] == kNone && inside(kernels, row)) collector_.add(row, duration(row));
    }
    add_lines_outside(out, kNoInteger, kNoInteger);
    std::vector<std::uint32_t> threads(report_.threads->rows);
    for (std::uint32_t t = 0; t < threads.size(); ++t) threads[t] = t;
    std::sort(threads.begin(), threads.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(process_of(a), id_of(*report_.threads, a), a) <
             std::tuple(process_of(b), id_of(*report_.threads, b), b);
    });
    for (const std::uint32_t thread : threads) {
      for (const Launch& launch : launches_.of_thread(thread)) {
        if (launches_.work().is_kernel(launch.op) && covered_[launch.op] == 0)
          collector_.add(launch.op, duration(launch.op));
      }
      add_lines_outside(out, process_of(thread), id_of(*report_.threads, thread));
    }
  }
  void add_lines_outside(Columns& out, std::int64_t process, std::int64_t thread) {
    for (Line& line : collector_.release()) {
      line.instances = 0;
      add(out, "", "", process, thread, line);
    }
  }

  void add(Columns& out, std::string_view range, std::string_view style, std::int64_t process, std::int64_t thread,
           const Line& line) const {
    out.ranges.emplace_back(range);
    out.styles.emplace_back(style);
    out.processes.push_back(process);
    out.threads.push_back(thread);
    out.instances.push_back(line.instances);
    out.counts.push_back(line.kernels);
    out.totals.push_back(line.time.total);
    out.times.push_back(line.time);
    out.kernels.emplace_back(collector_.text(line));
  }

  const Report& report_;
  const Launches& launches_;
  const RangeHits& hits_;
  const RangeNames& names_;
  TupleIds<3> groups_;
  Collector collector_;
  std::vector<char> covered_;  ///< by kernel: launched inside some range
};

}  // namespace

ReportTable range_kernel_sum(const Report& report, const Task& task, const Launches& launches) {
  if (report.ranges == nullptr && report.spans == nullptr) return lacking("the export holds no NVTX ranges");
  if (report.kernels == nullptr) return lacking("the export holds no CUDA kernels");
  KernelNames kernel_names(report, task);
  if (!kernel_names.present()) return lacking("the kernels of this export have no names");
  Instances found = all_instances(report);
  const RangeHits hits(report, launches, std::move(found.rows));
  if (hits.visits() > kMaxVisits) {
    return lacking(
        filled("its {} ranges hold {} launches in all, because they are nested very deeply; that is more than this "
               "table lists",
               {std::to_string(hits.instances().size()), std::to_string(hits.visits())}));
  }
  RangeKernels kernels(report, task, launches, hits, found.names, kernel_names);
  Columns columns = kernels.columns();
  ReportTable made{table_of(task), {}, launch_remarks(report, launches)};
  for (Remark& remark : kernel_names.remarks()) made.remarks.push_back(std::move(remark));
  if (const std::int64_t n = kernels.repeated(); n > 0 && !task.corrected()) {
    made.remarks.push_back({"ranges_in_themselves", n,
                            "Kernels in a range that lies in one of its own name count once per level in the times of "
                            "nvtx_kern_sum, as nsys counts them, which adds " +
                                std::to_string(n) + " rows that Kern Inst does not; --corrected counts them once."});
  }
  for (Remark& remark : range_remarks(report, launches, hits)) made.remarks.push_back(std::move(remark));
  Table& table = *made.table;
  table.add("NVTX Range", "", std::move(columns.ranges));
  table.add("Style", "", std::move(columns.styles));
  table.add("PID", "", std::move(columns.processes));
  table.add("TID", "", std::move(columns.threads));
  table.add("NVTX Inst", "", std::move(columns.instances));
  table.add("Kern Inst", "", std::move(columns.counts));
  table.add("Total Time", "ns", std::move(columns.totals));
  add_spread(table, "", columns.times);
  table.add("Kernel Name", "", std::move(columns.kernels));
  return made;
}

}  // namespace assay::nsys
