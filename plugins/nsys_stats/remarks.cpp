#include "remarks.hpp"

#include <algorithm>

#include "assay/algo/intervals.hpp"
#include "assay/words.hpp"
#include "rows.hpp"
#include "summary.hpp"

namespace assay::nsys {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

/// Whether each launch (in the order of Launches::all) is inside a range of its own thread.
std::vector<char> covered(const Launches& launches, const RangeHits& hits) {
  std::vector<std::int32_t> change(launches.all().size() + 1, 0);
  for (std::size_t i = 0; i < hits.instances().size(); ++i) {
    const std::size_t offset = launches.offset(hits.instances()[i].thread);
    ++change[offset + hits.slices()[i].first];
    --change[offset + hits.slices()[i].last];
  }
  std::vector<char> out(launches.all().size());
  std::int64_t open = 0;
  for (std::size_t l = 0; l < out.size(); ++l) {
    open += change[l];
    out[l] = open > 0 ? 1 : 0;
  }
  return out;
}

/// When some thread of a process had an open range, by process.
std::vector<Intervals> range_times(const Report& report, const RangeHits& hits) {
  std::vector<Intervals> times(report.processes->rows);
  for (const Instance& i : hits.instances()) {
    const std::uint32_t process = report.threads->process[i.thread];
    if (process < times.size()) times[process].push_back({i.start, i.end});
  }
  for (Intervals& of_process : times) of_process = merge(of_process);
  return times;
}

}  // namespace

namespace {

/// Launches of graphs traced as a whole, and their time.
std::pair<std::int64_t, WideSum> whole_graphs(const Report& report) {
  std::pair<std::int64_t, WideSum> found{};
  if (report.graphs == nullptr) return found;
  for (std::size_t row = 0; row < report.graphs->rows; ++row) {
    if (!inside(*report.graphs, row)) continue;
    ++found.first;
    found.second.add(report.graphs->end[row] - report.graphs->start[row]);
  }
  return found;
}

std::string launches_traced_whole(std::int64_t count) {
  return number(count) + (count == 1 ? " CUDA graph launch was" : " CUDA graph launches were") + " traced as a whole: ";
}

}  // namespace

std::vector<Remark> use_remarks(const Report& report, Mode mode) {
  const auto [count, time] = whole_graphs(report);
  if (count == 0) return {};
  const std::string said = launches_traced_whole(count);
  if (mode == Mode::kCorrected) {
    return {{"graphs_counted_whole", count,
             said + "each counts as work from its start to its end, though the device may have waited inside."}};
  }
  return {{"graphs_left_out", count,
           filled("{}as nsys does, their {} ns on the GPU count as unused; --corrected counts them as work.",
                  {said, number(time.value())})}};
}

std::vector<Remark> graph_remarks(const Report& report) {
  const auto [count, time] = whole_graphs(report);
  if (count == 0) return {};
  return {
      {"graphs_left_out", count,
       filled(
           "{}their {} ns on the GPU are in no report of kernels, gaps or projected ranges, because the export does "
           "not hold what ran inside. Capture with --cuda-graph-trace=node to see it, which adds about 2 us a kernel.",
           {launches_traced_whole(count), number(time.value())})}};
}

std::vector<Remark> launch_remarks(const Report& report, const Launches& launches) {
  std::vector<Remark> remarks =
      launches.work().counts_graphs() ? use_remarks(report, Mode::kCorrected) : graph_remarks(report);
  if (const std::int64_t n = launches.unlinked_kernels(); n > 0) {
    remarks.push_back({"kernels_without_call", n,
                       number(n) + " kernels have no launching API call in the export; nsys leaves them out of reports "
                                   "that join kernels with calls, and so does this one."});
  }
  if (const std::int64_t n = launches.repeated(); n > 0) {
    remarks.push_back({"shared_correlation", n,
                       "API calls of one process share correlation ids; as nsys does, GPU work counts once for each of "
                       "them, which adds " +
                           number(n) + " rows that did not run."});
  }
  if (launches.too_many_repeated()) {
    remarks.push_back({"shared_correlation", 0,
                       "So many API calls of one process share correlation ids that GPU work counts only for the call "
                       "that launched it; nsys would count it once for each of them."});
  }
  std::int64_t from_graphs = 0, graph_calls = 0;
  Row last = kNone;
  for (const Launch& launch : launches.all()) {
    if (!launches.work().is_kernel(launch.op) || report.calls->kind[at(launch.call)] != CallKind::kGraphLaunch)
      continue;
    ++from_graphs;
    graph_calls += launch.call != last ? 1 : 0;
    last = launch.call;
  }
  if (from_graphs > 0) {
    remarks.push_back(
        {"graph_kernels", from_graphs,
         filled("{} kernels ran from {} CUDA graph launches; as nsys does, the API time of a launch counts once for "
                "each of its kernels, and their queue time includes the kernels before them in the graph.",
                {number(from_graphs), number(graph_calls)})});
  }
  return remarks;
}

std::vector<Remark> range_remarks(const Report& report, const Launches& launches, const RangeHits& hits) {
  std::vector<Remark> remarks;
  if (const std::int64_t n = hits.ended_elsewhere(); n > 0) {
    remarks.push_back({"ranges_end_elsewhere", n,
                       number(n) + " ranges end on another thread than they began on; nsys leaves them out of "
                                   "projections, and so does this report."});
  }
  const std::vector<char> in_range = covered(launches, hits);
  const std::vector<Intervals> times = range_times(report, hits);
  std::int64_t elsewhere = 0;
  WideSum time;
  for (std::size_t l = 0; l < in_range.size(); ++l) {
    if (in_range[l] != 0) continue;
    const Launch& launch = launches.all()[l];
    const std::uint32_t process = report.threads->process[report.calls->thread[at(launch.call)]];
    if (process >= times.size()) continue;
    const std::int64_t start = report.calls->start[at(launch.call)];
    const Intervals& open = times[process];
    const auto after = std::upper_bound(open.begin(), open.end(), start,
                                        [](std::int64_t t, const Interval& i) { return t < i.start; });
    if (after == open.begin() || std::prev(after)->end < report.calls->end[at(launch.call)]) continue;
    ++elsewhere;
    time.add(launches.work().end(launch.op) - launches.work().start(launch.op));
  }
  if (elsewhere > 0) {
    remarks.push_back({"launched_by_other_threads", elsewhere,
                       filled("{} pieces of GPU work ({} ns) were launched while a range was open on another thread of "
                              "the process, as autograd does, and from no range of their own thread; nsys counts them "
                              "for no range, and so does this report.",
                              {number(elsewhere), number(time.value())})});
  }
  return remarks;
}

}  // namespace assay::nsys
