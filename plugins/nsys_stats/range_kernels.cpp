// nvtx_kern_sum: kernels by the ranges around their launch.
#include <algorithm>

#include "groups.hpp"
#include "range_reports.hpp"
#include "remarks.hpp"

namespace assay::nsys {
namespace {

/// Kernels of one name within ranges of one name on one thread.
struct Line {
  std::uint32_t kernel = 0;    ///< dense number of its name
  std::int64_t instances = 0;  ///< ranges that it ran in
  Summary time;
};

/// Durations of kernels by name, emptied after each group but keeping their memory.
class Collector {
 public:
  explicit Collector(std::size_t strings) : names_(strings) {}

  void begin_range() { ++range_; }
  void add(StringId name, std::int64_t duration) {
    const std::uint32_t kernel = names_.of(name);
    if (kernel == durations_.size()) durations_.emplace_back(), ranges_.emplace_back(0), last_range_.emplace_back(0);
    if (durations_[kernel].empty()) touched_.push_back(kernel);
    durations_[kernel].push_back(duration);
    if (last_range_[kernel] == range_) return;
    last_range_[kernel] = range_;
    ++ranges_[kernel];
  }
  /// The lines of the group that ends here: total descending, then by name.
  std::vector<Line> take(const Report& report) {
    std::vector<Line> lines;
    for (const std::uint32_t kernel : touched_) {
      lines.push_back({kernel, ranges_[kernel], summarize(durations_[kernel])});
      durations_[kernel].clear();
      ranges_[kernel] = 0;
    }
    touched_.clear();
    std::sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) {
      return a.time.total != b.time.total ? a.time.total > b.time.total : text(report, a) < text(report, b);
    });
    return lines;
  }
  [[nodiscard]] std::string_view text(const Report& report, const Line& line) const {
    return report.string(names_.ids()[line.kernel]);
  }

 private:
  DenseIds names_;
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

/// Instances of each group side by side: `rows[first[g]]` to `rows[first[g + 1]]`.
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
  RangeKernels(const Report& report, const Launches& launches, const RangeHits& hits, const RangeNames& names)
      : report_(report),
        launches_(launches),
        hits_(hits),
        names_(names),
        collector_(report.strings.size),
        covered_(report.kernels->rows, 0) {}

  Columns columns() {
    std::vector<std::uint32_t> group(hits_.instances().size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Instance& instance = hits_.instances()[i];
      group[i] = groups_.of({instance.name, static_cast<std::uint32_t>(instance.style), instance.thread});
    }
    const GroupRows rows = rows_of_groups(group, groups_.size());
    std::vector<std::vector<Line>> lines(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      lines[g] = lines_of({rows.rows.data() + rows.first[g], rows.first[g + 1] - rows.first[g]});
    }
    Columns out;
    for (const Line& line : lines_outside()) add(out, "", "", kNoInteger, kNoInteger, line);
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
        collector_.add(kernels.name[launch.op], kernels.end[launch.op] - kernels.start[launch.op]);
      });
    }
    return collector_.take(report_);
  }

  /// Kernels that no range launched.
  std::vector<Line> lines_outside() {
    const KernelTable& kernels = *report_.kernels;
    for (std::size_t row = 0; row < kernels.rows; ++row) {
      if (covered_[row] == 0 && inside(kernels, row))
        collector_.add(kernels.name[row], kernels.end[row] - kernels.start[row]);
    }
    std::vector<Line> lines = collector_.take(report_);
    for (Line& line : lines) line.instances = 0;
    return lines;
  }

  void add(Columns& out, std::string_view range, std::string_view style, std::int64_t process, std::int64_t thread,
           const Line& line) const {
    out.ranges.emplace_back(range);
    out.styles.emplace_back(style);
    out.processes.push_back(process);
    out.threads.push_back(thread);
    out.instances.push_back(line.instances);
    out.counts.push_back(line.time.count);
    out.totals.push_back(line.time.total);
    out.times.push_back(line.time);
    out.kernels.emplace_back(collector_.text(report_, line));
  }

  const Report& report_;
  const Launches& launches_;
  const RangeHits& hits_;
  const RangeNames& names_;
  TupleIds<3> groups_;
  Collector collector_;
  std::vector<char> covered_;  ///< by kernel: some range launched it
};

}  // namespace

Made range_kernel_sum(const Report& report, const Launches& launches) {
  if (report.ranges == nullptr && report.spans == nullptr) return lacking("the export holds no NVTX ranges");
  if (report.kernels == nullptr || !report.kernels->name.present()) return lacking("the export holds no CUDA kernels");
  Instances found = all_instances(report);
  const RangeHits hits(report, launches, std::move(found.rows));
  if (hits.visits() > kMostVisits) {
    return lacking("its " + std::to_string(hits.instances().size()) + " ranges hold " + std::to_string(hits.visits()) +
                   " launches in all, because they are nested very deeply; that is more than this report lists");
  }
  Columns columns = RangeKernels(report, launches, hits, found.names).columns();
  Made made{table_of("nvtx_kern_sum"), {}, launch_remarks(report, launches)};
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
