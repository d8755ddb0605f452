#include "algo/paths/path_times.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "assay/algo/intervals.hpp"
#include "assay/algo/summary.hpp"

namespace assay::ranges {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

std::size_t index(Row row) { return static_cast<std::size_t>(row); }

/// Pieces of device work, at most.
std::size_t work_of(const Report& report) {
  const auto rows = [](const auto* table) { return table == nullptr ? 0 : static_cast<std::size_t>(table->rows); };
  return rows(report.kernels) + rows(report.graphs) + rows(report.copies) + rows(report.sets);
}

/// How long a device had run by a given time: its work in normal form, with prefix sums.
class BusyTime {
 public:
  void reserve(std::size_t parts) { parts_.reserve(parts); }
  void add(std::int64_t start, std::int64_t end) {
    if (end <= start) return;
    if (!parts_.empty() && start <= end_) {
      end_ = std::max(end_, end);
      return;
    }
    if (!parts_.empty()) ran_ += end_ - parts_.back().start;
    parts_.push_back({start, ran_});
    end_ = end;
  }
  /// Galloping search from the last answer: ranges arrive in order of time.
  [[nodiscard]] std::int64_t until(std::int64_t time) {
    std::size_t step = 1, low = 0, high = parts_.size();
    if (last_ > 0 && parts_[last_ - 1].start > time) {
      high = last_ - 1;
    } else {
      for (low = last_; low + step < parts_.size() && parts_[low + step].start <= time; step *= 2) low += step;
      high = std::min(parts_.size(), low + step + 1);
    }
    const auto begin = parts_.begin();
    const auto after =
        std::partition_point(begin + static_cast<std::ptrdiff_t>(low), begin + static_cast<std::ptrdiff_t>(high),
                             [&](const Part& part) { return part.start <= time; });
    last_ = static_cast<std::size_t>(after - begin);
    if (last_ == 0) return 0;
    const Part& part = parts_[last_ - 1];
    const std::int64_t length = last_ < parts_.size() ? parts_[last_].before - part.before : end_ - part.start;
    return part.before + std::min(time - part.start, length);
  }

 private:
  struct Part {
    std::int64_t start, before;  ///< before: ns that the device ran before it
  };
  std::vector<Part> parts_;
  std::int64_t end_ = 0, ran_ = 0;  ///< of the last part; before it
  std::size_t last_ = 0;            ///< parts that started by the last query
};

/// Device time of each node and of each device.
class DeviceTimes {
 public:
  DeviceTimes(const Report& report, const LaunchPaths& launches, std::vector<PathTimes>& of_node, bool idle) {
    each_device_work(report, [&](const DeviceWorkItem& work) {
      const auto [at, fresh] = devices_.try_emplace(work.device, busy_.size());
      if (fresh) {
        busy_.emplace_back();
        if (idle) busy_.back().reserve(work_of(report));
        unions_.emplace_back(of_node.size());
      }
      if (idle) busy_[at->second].add(work.start, work.end);
      for (const Row node : launches.path_of(work.call)) {
        unions_[at->second][index(node)].add(work.start, work.end);
        of_node[index(node)].kernels += work.kernel ? 1 : 0;
      }
    });
    const GraphTable* whole = report.graphs;  // hide their kernels
    for (std::size_t g = 0; whole != nullptr && whole->call.present() && g < whole->rows; ++g) {
      for (const Row node : launches.path_of(whole->call[g])) of_node[index(node)].kernels = kNotKnown;
    }
  }

  /// Idle time in [from, to) in ns, averaged over the devices.
  [[nodiscard]] double idle(std::int64_t from, std::int64_t to) {
    if (busy_.empty()) return static_cast<double>(to - from);
    std::int64_t busy = 0;
    for (BusyTime& device : busy_) busy += device.until(to) - device.until(from);
    return static_cast<double>(to - from) - static_cast<double>(busy) / static_cast<double>(busy_.size());
  }

  /// Sum over the devices that ran work of the node, and their number.
  void sum(Row node, double& time, double& devices) const {
    for (const std::vector<UnionMeasure>& device : unions_) {
      const auto own = static_cast<double>(device[index(node)].total());
      time += own;
      devices += own > 0 ? 1 : 0;
    }
  }

 private:
  std::map<std::int32_t, std::size_t> devices_;
  std::vector<BusyTime> busy_;
  std::vector<std::vector<UnionMeasure>> unions_;
};

/// Host times of all nodes, stored node after node.
class HostTimes {
 public:
  HostTimes(const PathTree& tree, std::vector<PathTimes>& of_node) : first_(of_node.size() + 1, 0) {
    tree.each([&](const Occurrence& range) { ++of_node[index(range.node)].count; });
    for (std::size_t n = 0; n < of_node.size(); ++n)
      first_[n + 1] = first_[n] + static_cast<std::size_t>(of_node[n].count);
    times_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    tree.each([&](const Occurrence& range) {
      times_[next[index(range.node)]++] = static_cast<double>(range.time.end - range.time.start);
    });
  }
  /// Reorders the times of the node in place.
  void summarize(PathTimes& row) {
    const std::span<double> times(times_.data() + first_[index(row.node)], static_cast<std::size_t>(row.count));
    for (const double time : times) row.total += time;
    row.median = quantile_in_place(times, 0.5);
    row.p95 = row.count < kMinP95 ? kNotKnown : quantile_in_place(times, 0.95);
    row.p99 = row.count < kMinP99 ? kNotKnown : quantile_in_place(times, 0.99);
    row.max = *std::ranges::max_element(times);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<double> times_;
};

/// Adds the times during which ranges of a node are open, on the host and including their device work. Neighbouring
/// ranges touch at most. `devices`: null if their idle time is not asked for.
void add_extents(const PathTree& tree, const LaunchPaths& launches, DeviceTimes* devices,
                 std::vector<PathTimes>& of_node, std::vector<double>& open, std::vector<double>& projected) {
  std::vector<UnionMeasure> host(of_node.size());
  std::vector<std::int64_t> reach(of_node.size(), std::numeric_limits<std::int64_t>::min());
  tree.each([&](const Occurrence& range) {
    const std::size_t n = index(range.node);
    host[n].add(range.time.start, range.time.end);
    const std::int64_t from = std::max(range.time.start, reach[n]), to = launches.projected_end(range);
    if (to <= from) return;
    projected[n] += static_cast<double>(to - from);
    if (devices != nullptr) of_node[n].idle += devices->idle(from, to);
    reach[n] = to;
  });
  for (std::size_t n = 0; n < of_node.size(); ++n) open[n] = static_cast<double>(host[n].total());
}

/// Absent is not 0: without tables of device work or of calls, the corresponding times are unknown.
void forget_unknown(const Report& report, PathTimes& row) {
  const auto captured = [](const auto* table) { return table != nullptr; };
  const bool calls = report.calls != nullptr && report.calls->rows > 0;
  const bool devices =
      captured(report.kernels) || captured(report.graphs) || captured(report.copies) || captured(report.sets);
  if (!devices) row.idle = kNotKnown;
  if (!devices || !calls) row.gpu = row.busy_ratio = row.kernels = kNotKnown;
  if (!calls) row.launches = kNotKnown;
}

/// Children after their parent, longest first.
std::vector<PathTimes> in_tree_order(const PathTree& tree, const std::vector<PathTimes>& of_node) {
  std::vector<std::vector<Row>> children(of_node.size() + 1);
  for (std::size_t n = 0; n < of_node.size(); ++n)
    children[index(tree.nodes()[n].parent + 1)].push_back(static_cast<Row>(n));
  std::vector<PathTimes> out;
  std::vector<Row> waiting{kNone};
  while (!waiting.empty()) {
    const Row node = waiting.back();
    waiting.pop_back();
    if (node != kNone && of_node[index(node)].count > 0) out.push_back(of_node[index(node)]);
    std::vector<Row>& below = children[index(node + 1)];
    std::ranges::stable_sort(below, [&](Row a, Row b) { return of_node[index(a)].total < of_node[index(b)].total; });
    waiting.insert(waiting.end(), below.begin(), below.end());
  }
  return out;
}

}  // namespace

Row step_node(const Report& report, const PathTree& tree) {
  Row found = kNone;
  const StepTable* const steps = report.steps;
  if (steps == nullptr || steps->rows == 0) return found;
  tree.each([&](const Occurrence& range) {
    if (found == kNone && range.thread == steps->thread[0] && range.time.start == steps->host_start[0] &&
        range.overlaps == (steps->range[0] == kNone) &&
        (range.overlaps || range.number == static_cast<std::size_t>(steps->range[0])))
      found = range.node;
  });
  return found;
}

std::vector<PathTimes> path_times(const Report& report, const PathTree& tree, const LaunchPaths& launches, bool idle) {
  std::vector<PathTimes> of_node(tree.nodes().size());
  HostTimes host(tree, of_node);
  DeviceTimes devices(report, launches, of_node, idle);
  std::vector<double> open(of_node.size()), projected(of_node.size());
  add_extents(tree, launches, idle ? &devices : nullptr, of_node, open, projected);
  const auto window = static_cast<double>(report.window->end - report.window->start);
  const Row step = step_node(report, tree);
  std::vector<bool> in_step(of_node.size(), false);
  for (std::size_t n = 0; n < of_node.size(); ++n) {
    PathTimes& row = of_node[n];
    const Row parent = tree.nodes()[n].parent;  // has a lower number
    row.node = static_cast<Row>(n);
    in_step[n] = row.node == step || (parent != kNone && in_step[index(parent)]);
    if (row.count == 0) continue;
    host.summarize(row);
    double ran = 0;
    devices.sum(row.node, row.gpu, ran);
    row.launches = static_cast<double>(launches.launches(row.node));
    row.capture_ratio = window > 0 ? std::min(1.0, open[n] / window) : kNotKnown;
    row.step_ratio = in_step[n] && open[index(step)] > 0 ? open[n] / open[index(step)] : kNotKnown;
    row.busy_ratio = projected[n] > 0 ? row.gpu / std::max(1.0, ran) / projected[n] : kNotKnown;
    forget_unknown(report, row);
  }
  return in_tree_order(tree, of_node);
}

std::vector<std::vector<double>> host_times(const PathTree& tree, std::span<const PathTimes> rows) {
  std::vector<std::vector<double>> times(rows.size());
  std::vector<Row> place(tree.nodes().size(), kNone);
  for (std::size_t r = 0; r < rows.size(); ++r) place[index(rows[r].node)] = static_cast<Row>(r);
  tree.each([&](const Occurrence& range) {
    const Row row = place[index(range.node)];
    if (row != kNone) times[index(row)].push_back(static_cast<double>(range.time.end - range.time.start));
  });
  return times;
}

}  // namespace assay::ranges
