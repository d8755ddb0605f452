#include "algo/paths/launch_paths.hpp"

#include <algorithm>
#include <map>

namespace assay::ranges {
namespace {

/// A range that may still contain the next call.
struct OpenRange {
  Row node;
  std::size_t number;
  std::int64_t end;
};

/// The open ranges per thread, sorted by start, while iterating over the calls.
class OpenRanges {
 public:
  explicit OpenRanges(const ThreadTable& threads)
      : of_thread_(static_cast<std::size_t>(threads.rows)), threads_of_(of_thread_.size()) {}

  void add(const Occurrence& range, std::uint32_t process) {
    std::vector<OpenRange>& open = of_thread_[range.thread];
    std::vector<std::uint32_t>& threads = threads_of_[process];
    if (std::ranges::find(threads, range.thread) == threads.end()) threads.push_back(range.thread);
    const OpenRange added{range.node, range.number, range.time.end};
    if (range.overlaps) {  // On one path, the range that ends last contains everything the others contain from here on.
      const auto same = std::ranges::find(open, range.node, &OpenRange::node);
      if (same == open.end())
        open.push_back(added);
      else if (same->end < added.end)
        *same = added;
      return;
    }
    while (!open.empty() && open.back().end <= range.time.start) open.pop_back();
    open.push_back(added);
  }

  /// Calls `use(OpenRange, thread)` for each range of the process that contains a call.
  template <class Use>
  void for_each_around(std::uint32_t process, std::int64_t start, std::int64_t end, Use&& use) {
    for (const std::uint32_t thread : threads_of_[process]) {
      std::vector<OpenRange>& open = of_thread_[thread];
      std::erase_if(open, [&](const OpenRange& range) { return range.end < start; });
      for (const OpenRange& range : open) {
        if (range.end >= end) use(range, thread);
      }
    }
  }

 private:
  std::vector<std::vector<OpenRange>> of_thread_;
  std::vector<std::vector<std::uint32_t>> threads_of_;  ///< per process: the threads that had a range
};

bool is_launch(CallKind kind) { return kind == CallKind::kKernelLaunch || kind == CallKind::kGraphLaunch; }

}  // namespace

LaunchPaths::LaunchPaths(const Report& report, const PathTree& tree, std::int32_t device)
    : launching_(report), launches_(tree.nodes().size(), 0), overlaps_(tree.nodes().size(), false) {
  if (report.calls == nullptr || report.calls->rows == 0) return;
  find_overlaps(report, tree);
  Intervals work_of_call(launching_.size(), Interval{kAlways, kNever});
  each_device_work(report, [&](const DeviceWorkItem& work) {
    if (work.call == kNone || (device != kNone && work.device != device)) return;
    Interval& time = work_of_call[launching_.number(work.call)];
    time = {std::min(time.start, work.start), std::max(time.end, work.end)};
  });
  assign(report, tree, work_of_call);
}

void LaunchPaths::find_overlaps(const Report& report, const PathTree& tree) {
  struct Last {
    std::int64_t end = kNever;
    std::uint32_t thread = 0;
  };
  std::map<std::uint32_t, std::vector<Last>> of_process;
  tree.each([&](const Occurrence& range) {
    std::vector<Last>& ends = of_process[report.threads->process[range.thread]];
    ends.resize(tree.nodes().size());
    Last& last = ends[static_cast<std::size_t>(range.node)];
    if (last.thread != range.thread && range.time.start < last.end)
      overlaps_[static_cast<std::size_t>(range.node)] = true;
    if (range.time.end > last.end) last = {range.time.end, range.thread};
  });
}

void LaunchPaths::assign(const Report& report, const PathTree& tree, const Intervals& work_of_call) {
  const CallTable& calls = *report.calls;
  OpenRanges open(*report.threads);
  std::map<std::vector<Row>, std::uint32_t> known{{{}, 0}};
  std::vector<Row> nodes;
  set_of_call_.assign(work_of_call.size(), 0);
  work_start_.assign(tree.numbers(), kAlways);
  work_end_.assign(tree.numbers(), kNever);
  std::size_t next = 0, launched = 0;
  const auto assign_call = [&] {
    const std::size_t c = next++;
    const bool launch = is_launch(calls.kind[c]), launching = launching_.contains(static_cast<Row>(c));
    const std::size_t number = launched;
    launched += launching ? 1 : 0;
    const Interval work = launching ? work_of_call[number] : Interval{kAlways, kNever};
    if (!launch && work.end == kNever) return;
    nodes.clear();
    const std::uint32_t thread = calls.thread[c];
    open.for_each_around(report.threads->process[thread], calls.start[c], calls.end[c],
                         [&](const OpenRange& range, std::uint32_t of_range) {
                           if (of_range != thread && overlaps(range.node)) return;
                           nodes.push_back(range.node);
                           work_start_[range.number] = std::min(work_start_[range.number], work.start);
                           work_end_[range.number] = std::max(work_end_[range.number], work.end);
                         });
    if (nodes.empty()) return;
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const Row node : nodes) launches_[static_cast<std::size_t>(node)] += launch ? 1 : 0;
    const auto [at, fresh] = known.try_emplace(nodes, static_cast<std::uint32_t>(sets_.size()));
    if (fresh) sets_.push_back(nodes);
    if (launching) set_of_call_[number] = at->second;
  };
  tree.each([&](const Occurrence& range) {
    while (next < calls.rows && calls.start[next] < range.time.start) assign_call();
    open.add(range, report.threads->process[range.thread]);
  });
  while (next < calls.rows) assign_call();
}

}  // namespace assay::ranges
