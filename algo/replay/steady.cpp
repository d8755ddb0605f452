// Device time per iteration, and from it the duration of an iteration in steady state.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

#include "algo/replay/nodes.hpp"
#include "assay/algo/summary.hpp"

namespace assay::replay {
namespace {

/// Ratio of the duration of a piece of device work in the graph to its measured duration.
double stretch_of(const Graph& graph, const Node& node) {
  const std::int64_t seen = graph.seen[node.end] - graph.seen[node.start];
  for (const Edge& edge : graph.edges_to(node.end)) {
    if (edge.kind == EdgeKind::kDuration && seen > 0) return static_cast<double>(edge.lag) / static_cast<double>(seen);
  }
  return 0;
}

/// Device work of one iteration on one device.
struct DeviceTime {
  std::uint16_t device = 0;
  std::array<double, kParts> time{};
  [[nodiscard]] double sum() const {
    double all = 0;
    for (const double part : time) all += part;
    return all;
  }
};

/// Accumulates the union of work. An instant at which several pieces ran is stretched by the largest factor among them
/// and attributed to that piece.
class WorkUnion {
 public:
  explicit WorkUnion(const Graph& graph) : graph_(graph) {}

  std::vector<DeviceTime> times_of(const Iteration& iteration) {
    collect(iteration);
    std::vector<DeviceTime> out;
    for (std::size_t first = 0, last = 0; first < work_.size(); first = last) {
      const Work& work = work_[first];
      std::int64_t reach = work.end;
      for (last = first + 1; last < work_.size() && work_[last].device == work.device && work_[last].start < reach;
           ++last)
        reach = std::max(reach, work_[last].end);
      if (out.empty() || out.back().device != work.device) out.push_back({work.device, {}});
      if (last == first + 1)  // in most programs, most work runs alone
        add(work.running, work.end - work.start, out.back());
      else
        add_overlapping(std::span(work_).subspan(first, last - first), out.back());
    }
    return out;
  }

 private:
  struct Running {
    double stretch;
    Part part;
    auto operator<=>(const Running&) const = default;
  };
  struct Work {
    std::uint16_t device;
    std::int64_t start, end;
    Running running;
  };
  struct End {
    std::int64_t at;
    bool starts;
    Running running;
  };

  /// Sorted by device, then start.
  void collect(const Iteration& iteration) {
    work_.clear();
    const std::uint32_t last = graph_.node_of[iteration.end];
    for (std::uint32_t n = graph_.node_of[iteration.begin] + 1; n < last; ++n) {
      const Node& node = graph_.nodes[n];
      if (node.kind == NodeKind::kCall || node.kind == NodeKind::kMark) continue;
      const double stretch = stretch_of(graph_, node);
      if (stretch > 0)
        work_.push_back({node.device, graph_.seen[node.start], graph_.seen[node.end], {stretch, part_of(node.kind)}});
    }
    const auto before = [](const Work& a, const Work& b) {
      return a.device != b.device ? a.device < b.device : a.start < b.start;
    };
    if (!std::is_sorted(work_.begin(), work_.end(), before)) std::sort(work_.begin(), work_.end(), before);
  }

  static void add(const Running& running, std::int64_t time, DeviceTime& to) {
    to.time[static_cast<std::size_t>(running.part)] += running.stretch * static_cast<double>(time);
  }

  void add_overlapping(std::span<const Work> some, DeviceTime& to) {
    ends_.clear();
    for (const Work& work : some) {
      ends_.push_back({work.start, true, work.running});
      ends_.push_back({work.end, false, work.running});
    }
    std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) { return a.at < b.at; });
    std::multiset<Running> running;
    for (std::size_t e = 0; e < ends_.size(); ++e) {
      const End& end = ends_[e];
      if (!running.empty()) add(*running.rbegin(), end.at - ends_[e - 1].at, to);
      if (end.starts)
        running.insert(end.running);
      else if (const auto at = running.find(end.running); at != running.end())
        running.erase(at);
    }
  }

  const Graph& graph_;
  std::vector<Work> work_;
  std::vector<End> ends_;
};

/// Without paths, an iteration does not need to be walked along its edges.
enum class Paths : std::uint8_t { kFound, kLeftOut };

SteadyIterations steady(const Graph& graph, const ReplayTimes& replayed, Paths paths) {
  SteadyIterations out;
  WorkUnion work(graph);
  std::vector<double> done;  // by device: when it has finished the iterations so far
  double before = 0;         // end of the previous iteration over host and devices
  Point last = kNoPoint;
  for (const Iteration& iteration : graph.iterations) {
    const auto begin = static_cast<double>(replayed.time[iteration.begin]);
    const auto end = static_cast<double>(replayed.time[iteration.end]);
    if (iteration.begin != last) {
      done.clear();
      before = begin;
    }
    last = iteration.end;
    double over = std::max(end, before);
    DeviceTime most;
    for (const DeviceTime& one : work.times_of(iteration)) {
      if (done.size() <= one.device) done.resize(one.device + 1U, begin);
      const double time = one.sum();
      double& until = done[one.device];
      until = std::max(until, begin) + time;
      if (until > over) {
        over = until;
        most = one;
      }
    }
    const double length = over - before;
    out.lengths.push_back(static_cast<std::int64_t>(std::llround(length)));
    before = over;
    if (paths == Paths::kLeftOut) continue;
    if (const double time = most.sum(); time > 0) {
      for (std::size_t p = 0; p < kParts; ++p) out.on_path[p] += most.time[p] * length / time;
    } else if (end > begin) {
      std::array<std::int64_t, kParts> on_path{};
      each_piece_backwards(graph, replayed, iteration, [&](const Piece& piece) {
        on_path[static_cast<std::size_t>(piece.part)] += piece.end - piece.start;
      });
      for (std::size_t p = 0; p < kParts; ++p)
        out.on_path[p] += static_cast<double>(on_path[p]) * length / (end - begin);
    }
  }
  return out;
}

}  // namespace

SteadyIterations steady_iterations(const Graph& graph, const ReplayTimes& replayed) {
  return steady(graph, replayed, Paths::kFound);
}

std::vector<std::int64_t> steady_lengths(const Graph& graph, const ReplayTimes& replayed) {
  return steady(graph, replayed, Paths::kLeftOut).lengths;
}

double gain_share(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& after) {
  const auto sum = [](const std::vector<std::int64_t>& lengths) {
    return static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
  };
  return sum(before) > 0 ? 1 - sum(after) / sum(before) : 0;
}

}  // namespace assay::replay
