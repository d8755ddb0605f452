#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "algo/replay/builder.hpp"

namespace assay::replay {

Builder::Builder(const Report& report, const Inputs& inputs, std::vector<TypicalLag>* typical)
    : report_(report),
      inputs_(inputs),
      typical_(typical),
      streams_(inputs.stream_process.size()),
      recorded_(inputs.records.size(), kNoPoint) {
  graph_.lags = inputs_.lags;
  graph_.hand_overs = inputs_.hand_overs;
}

Graph Builder::build() {
  find_wake();
  find_depth();
  call_points_.resize(inputs_.calls.size(), {kNoPoint, kNoPoint});
  last_call_.resize(inputs_.thread_process.size(), kNoIndex);
  thread_mark_.resize(inputs_.thread_process.size(), kNoPoint);
  work_points_.resize(inputs_.work.size(), {kNoPoint, kNoPoint});
  plan_marks();
  const std::size_t two = inputs_.calls.size() + inputs_.work.size(), points = 2 * two + marks_.size();
  graph_.nodes.reserve(two + marks_.size());
  graph_.seen.reserve(points);
  graph_.node_of.reserve(points);
  graph_.first_edge.reserve(points + 1);
  graph_.edges.reserve(3 * two);
  std::uint32_t c = 0;
  std::size_t u = 0, m = 0;
  // Work launched before the capture began precedes all other work of its stream.
  for (const std::size_t early = inputs_.unlinked.size() - cut_off(); u < early; ++u) add_work(inputs_.unlinked[u]);
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  while (c < inputs_.calls.size() || u < inputs_.unlinked.size() || m < marks_.size()) {
    const std::int64_t call = c < inputs_.calls.size() ? inputs_.start(c) : kNever;
    const std::int64_t work = u < inputs_.unlinked.size() ? inputs_.work[inputs_.unlinked[u]].start : kNever;
    const std::int64_t mark = m < marks_.size() ? marks_[m].time : kNever;
    if (mark <= call && mark <= work)
      add_mark(marks_[m++]);
    else if (call <= work)
      add_call(c++);
    else
      add_work(inputs_.unlinked[u++]);
  }
  graph_.first_edge.push_back(static_cast<std::uint32_t>(graph_.edges.size()));
  graph_.unlinked = inputs_.unlinked.size();
  graph_.loose_waits = inputs_.loose_waits;
  graph_.event_waits = inputs_.event_waits.size();
  return std::move(graph_);
}

void Builder::add_call(std::uint32_t c) {
  const OuterCall& call = inputs_.calls[c];
  const auto n = static_cast<std::uint32_t>(graph_.nodes.size());
  node(NodeKind::kCall, call.row, call.thread);
  const Point start = point(inputs_.start(call));
  graph_.nodes[n].start = start;
  call_points_[c].start = start;
  const std::uint32_t before = last_call_[call.thread], handed_from = inputs_.tie(call).handed_from;
  if (before != kNoIndex) {
    if (handed_from == kNoIndex)
      add_host_code(before, inputs_.start(call), call.thread);
    else
      edge(call_points_[before].end, 0, EdgeKind::kThread, Part::kHost);
  }
  if (before == kNoIndex && handed_from == kNoIndex && thread_mark_[call.thread] != kNoPoint) {
    const Point mark = thread_mark_[call.thread];
    edge(mark, std::max<std::int64_t>(0, inputs_.start(call) - graph_.seen[mark]), EdgeKind::kThread, Part::kHost);
  }
  if (handed_from != kNoIndex) {
    const std::int64_t gap = std::max<std::int64_t>(0, inputs_.start(call) - inputs_.end(handed_from));
    edge(call_points_[handed_from].end, gap, EdgeKind::kHandOver, Part::kHost);
  }
  last_call_[call.thread] = c;
  if (call.waits_for_work) add_work_of(call);
  end_call(c, n);
  if (!call.waits_for_work) add_work_of(call);
  note_records(c);
  await_events(c);
}

/// From the end of a call to the next one of its thread, or to a mark.
void Builder::add_host_code(std::uint32_t before, std::int64_t until, std::uint32_t thread) {
  const std::int64_t from = inputs_.end(before);
  const std::int64_t pause = std::max<std::int64_t>(0, until - from);
  Point last = kNoPoint;
  for (std::size_t s = 0; pause >= kLongPause && s < streams_.size(); ++s) {
    if (inputs_.stream_process[s] != inputs_.thread_process[thread] || streams_[s].last == kNoIndex) continue;
    const Point end = work_points_[streams_[s].last].end;
    if (last == kNoPoint || graph_.seen[end] > graph_.seen[last]) last = end;
  }
  const bool polls = last != kNoPoint && graph_.seen[last] > from && wakes_at(graph_.seen[last], {from, until}, thread);
  edge(call_points_[before].end, polls ? 0 : pause, EdgeKind::kThread, Part::kHost);
  if (polls) edge(last, until - graph_.seen[last], EdgeKind::kWait, Part::kHost);
}

/// Whether the host goes on soon after a time in the second half of a pause.
bool Builder::wakes_at(std::int64_t time, Interval pause, std::uint32_t thread) {
  if (time > pause.end || time - pause.start < pause.end - time) return false;
  if (range_ends_.empty()) {
    range_ends_.resize(inputs_.thread_process.size());
    for (std::size_t r = 0; report_.ranges != nullptr && r < report_.ranges->rows; ++r)
      range_ends_[report_.ranges->thread[r]].push_back(report_.ranges->end[r]);
    for (std::vector<std::int64_t>& ends : range_ends_) std::ranges::sort(ends);
  }
  const std::vector<std::int64_t>& ends = range_ends_[thread];
  const auto next = std::ranges::lower_bound(ends, time);
  const std::int64_t soon = std::max(kWakes, (pause.end - pause.start) / kWakesPart);
  return std::min(next == ends.end() ? pause.end : *next, pause.end) - time <= soon;
}

void Builder::end_call(std::uint32_t c, std::uint32_t n) {
  const OuterCall& call = inputs_.calls[c];
  const std::int64_t length = std::max<std::int64_t>(0, inputs_.end(call) - inputs_.start(call));
  const Point end = point(inputs_.end(call));
  graph_.node_of[end] = n;
  graph_.nodes[n].end = end;
  call_points_[c].end = end;
  std::int64_t own = call.waits() ? std::min(length, kOwnTime) : length;
  const std::size_t duration = graph_.edges.size();
  edge(call_points_[c].start, own, EdgeKind::kDuration, Part::kHost);
  targets_.clear();
  if (call.waits_for_device || call.waits_for_stream) {
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (streams_[s].last != kNoIndex && waited(call, s)) targets_.push_back(work_points_[streams_[s].last].end);
    }
  }
  if (call.waits_for_event) {
    const std::uint32_t record = inputs_.tie(call).waited_record;
    const Point work = record == kNoIndex ? done_before(call) : recorded(record);
    if (work != kNoPoint) targets_.push_back(work);
  }
  for (std::uint32_t w = 0; call.waits_for_work && w < call.work_count; ++w)
    targets_.push_back(work_points_[inputs_.launched[call.first_work + w]].end);
  const bool waited_for_any = wait_for_targets(call);
  if (call.waits() && !waited_for_any) graph_.edges[duration].lag = length;
  add_queue(call, graph_.edges[duration].lag);
}

/// For a call that waits for an event with unknown recording: the last work finished before the call returned.
Point Builder::done_before(const OuterCall& call) const {
  Point found = kNoPoint;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (inputs_.stream_process[s] != inputs_.thread_process[call.thread]) continue;
    std::uint32_t at = streams_[s].last;
    while (at != kNoIndex && inputs_.work[at].end > inputs_.end(call) + kClocks) at = inputs_.work[at].previous;
    if (at == kNoIndex || work_points_[at].end == kNoPoint) continue;
    if (found == kNoPoint || graph_.seen[work_points_[at].end] > graph_.seen[found]) found = work_points_[at].end;
  }
  return found;
}

/// Makes the call end after its targets, the last of which gets the measured lag. Returns whether the call was seen to
/// wait.
bool Builder::wait_for_targets(const OuterCall& call) {
  std::erase_if(targets_,
                [&](Point p) { return graph_.seen[p] > inputs_.end(call) + kClocks && !call.waits_for_work; });
  const auto last = std::max_element(targets_.begin(), targets_.end(),
                                     [&](Point a, Point b) { return graph_.seen[a] < graph_.seen[b]; });
  bool waited_for_any = false;
  for (auto target = targets_.begin(); target != targets_.end(); ++target) {
    const std::int64_t lag = std::max<std::int64_t>(0, inputs_.end(call) - graph_.seen[*target]);
    // If the lag is no longer than the call itself takes, it says nothing about the delay of the wake-up.
    const bool tells = target == last && graph_.seen[*target] > inputs_.start(call) &&
                       inputs_.end(call) - inputs_.start(call) > kOwnTime;
    waited_for_any = waited_for_any || (target == last && graph_.seen[*target] > inputs_.start(call));
    const std::int64_t least = std::min(lag, graph_.lags.wake);
    edge(*target, tells ? seen_or_median(lag, graph_.lags.wake) : Lag{least, least}, EdgeKind::kWait, Part::kLaunch);
  }
  return waited_for_any;
}

/// A launch into a full queue ends when earlier work starts.
void Builder::add_queue(const OuterCall& call, std::int64_t& own) {
  if (call.work_count == 0 || call.waits()) return;
  const std::uint32_t stream = inputs_.work[inputs_.launched[call.first_work]].stream;
  const std::vector<Point>& starts = streams_[stream].starts;
  if (starts.size() < depth_) return;
  const Point room = starts[starts.size() - depth_];
  if (graph_.seen[room] > inputs_.start(call)) own = std::min(own, graph_.lags.call);
  edge(room, 0, EdgeKind::kQueue, Part::kLaunch);
}

void Builder::add_work_of(const OuterCall& call) {
  for (std::uint32_t w = 0; w < call.work_count; ++w) add_work(inputs_.launched[call.first_work + w]);
}

namespace {

/// The inputs from which the graph of a report is built. Throws if there is nothing to replay.
Inputs inputs_of(const Report& report, std::int64_t until) {
  if (report.calls == nullptr || report.calls->rows == 0)
    throw std::invalid_argument("it holds no API calls, so launch times are unknown");
  Inputs inputs(report, until);
  const std::size_t work = inputs.work.size();
  if (work == 0) throw std::invalid_argument("it holds no device work, so there is nothing to replay");
  if (inputs.calls.empty()) throw std::invalid_argument("it holds no API calls before the end of what is replayed");
  return inputs;
}

Graph built(const Report& report, const Inputs& inputs, std::vector<TypicalLag>* typical = nullptr) {
  Builder builder(report, inputs, typical);
  const std::size_t work = inputs.work.size(), unlinked = builder.cut_off();
  if (static_cast<double>(unlinked) > kMaxUnlinked * static_cast<double>(work))
    throw std::invalid_argument(std::to_string(unlinked) + " of " + std::to_string(work) +
                                " pieces of device work have no launching call in it, as in a truncated capture; "
                                "record launches and their work together");
  Graph graph = builder.build();
  if (static_cast<double>(graph.broken) > kMaxBroken * static_cast<double>(work))
    throw std::invalid_argument(
        std::to_string(graph.broken) + " of " + std::to_string(work) +
        " pieces of device work begin before their call or out of the order of their stream, so "
        "the time stamps of host and device are broken; record it again");
  return graph;
}

}  // namespace

Graph build(const Report& report, std::int64_t until) { return built(report, inputs_of(report, until)); }

GraphWithTypical build_with_typical(const Report& report, std::int64_t until) {
  GraphWithTypical out;
  std::vector<TypicalLag> lags;
  out.seen = built(report, inputs_of(report, until), &lags);
  const auto swap_lags = [&] {
    for (TypicalLag& typical : lags) std::swap(out.seen.edges[typical.edge].lag, typical.lag);
  };
  swap_lags();
  out.typical = lengths(out.seen, run(out.seen).time);
  swap_lags();
  return out;
}

std::span<const ColumnId> replay_columns() {
  static constexpr ColumnId kColumns[] = {col::kernels,
                                          col::kernel_name,
                                          col::kernel_short_name,
                                          col::kernel_op,
                                          col::graphs,
                                          col::copies,
                                          col::copy_direction,
                                          col::copy_bytes,
                                          col::copy_memory_kinds,
                                          col::sets,
                                          col::set_memory_kind,
                                          col::calls,
                                          col::call_name,
                                          col::call_op,
                                          col::syncs,
                                          col::sync_record,
                                          col::ranges,
                                          col::spans,
                                          col::steps,
                                          col::ops,
                                          col::op_sequence,
                                          col::collectives,
                                          col::devices};
  return kColumns;
}

}  // namespace assay::replay
