#include <algorithm>
#include <limits>
#include <stdexcept>

#include "assay/algo/replay.hpp"
#include "replay_inputs.hpp"

namespace assay::replay {
namespace {

/// A lag beyond this, and beyond kManyMedians times the run's median, is a wait for something that is not in the graph.
constexpr std::int64_t kMostLag = 100'000;  // ns
constexpr std::int64_t kManyMedians = 8;
/// What a call that waits takes beside waiting, at most.
constexpr std::int64_t kOwnTime = 2'000;  // ns
/// By so much may the clocks of host and device disagree about whether work had ended when a call came back.
constexpr std::int64_t kClocks = 10'000;  // ns
/// Launches that a stream takes before the next one has to wait for one to start.
constexpr std::size_t kQueueDepth = 1024, kLeastQueueDepth = 1000;
constexpr double kMostUnlinked = 0.1;

Part part_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kKernel:
    case NodeKind::kGraph:
      return Part::kKernel;
    case NodeKind::kCopy:
    case NodeKind::kSet:
      return Part::kCopy;
    case NodeKind::kCollective:
      return Part::kCommunication;
    case NodeKind::kCall:
    case NodeKind::kMark:
      break;
  }
  return Part::kHost;
}

class Builder {
 public:
  Builder(const Report& report, LagsUsed used)
      : report_(report),
        inputs_(report),
        typical_(used == LagsUsed::kTypical),
        streams_(inputs_.stream_process.size()) {
    graph_.lags = inputs_.lags;
    graph_.hand_overs = inputs_.hand_overs;
  }

  Graph build() {
    find_wake();
    find_depth();
    const std::size_t nodes = inputs_.calls.size() + inputs_.work.size();
    graph_.nodes.reserve(nodes), graph_.seen.reserve(2 * nodes), graph_.node_of.reserve(2 * nodes);
    graph_.first_edge.reserve(2 * nodes), graph_.edges.reserve(3 * nodes);
    call_points_.resize(inputs_.calls.size(), {kNoPoint, kNoPoint});
    last_call_.resize(inputs_.thread_process.size(), kNoIndex);
    thread_mark_.resize(inputs_.thread_process.size(), kNoPoint);
    work_points_.resize(inputs_.work.size(), {kNoPoint, kNoPoint});
    plan_marks();
    std::size_t c = 0, u = 0, m = 0;
    // What was launched before the capture began stands before everything of its stream.
    for (const std::size_t early = inputs_.unlinked.size() - cut_off(); u < early; ++u) add_work(inputs_.unlinked[u]);
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    while (c < inputs_.calls.size() || u < inputs_.unlinked.size() || m < marks_.size()) {
      const std::int64_t call = c < inputs_.calls.size() ? inputs_.calls[c].start : kNever;
      const std::int64_t work = u < inputs_.unlinked.size() ? inputs_.work[inputs_.unlinked[u]].start : kNever;
      const std::int64_t mark = m < marks_.size() ? marks_[m].time : kNever;
      if (mark <= call && mark <= work)
        add_mark(marks_[m++]);
      else if (call <= work)
        add_call(static_cast<std::uint32_t>(c++));
      else
        add_work(inputs_.unlinked[u++]);
    }
    graph_.first_edge.push_back(static_cast<std::uint32_t>(graph_.edges.size()));
    graph_.unlinked = inputs_.unlinked.size();
    graph_.loose_waits = inputs_.stream_waits;
    return std::move(graph_);
  }

 private:
  struct Points {
    Point start, end;
  };
  struct Stream {
    std::uint32_t last = kNoIndex;  ///< work added last
    std::vector<Point> starts;      ///< of its work, in the order of launches
  };
  struct Mark {
    std::int64_t time;
    std::int64_t number;
    std::uint32_t thread;
    bool closes;  ///< waits for all work launched before
  };

  // The points.
  Point point(std::int64_t seen) {
    graph_.first_edge.push_back(static_cast<std::uint32_t>(graph_.edges.size()));
    graph_.seen.push_back(seen);
    graph_.node_of.push_back(static_cast<std::uint32_t>(graph_.nodes.size() - 1));
    return static_cast<Point>(graph_.seen.size() - 1);
  }
  void edge(Point from, std::int64_t lag, EdgeKind kind, Part part) { graph_.edges.push_back({lag, from, kind, part}); }
  Node& node(NodeKind kind, Row row, std::uint32_t thread) {
    graph_.nodes.push_back({kind, row, thread, kNoPoint, kNoPoint});
    return graph_.nodes.back();
  }

  /// A lag as it was seen, or the run's median where it is too long to be one.
  std::int64_t seen_or_median(std::int64_t lag, std::int64_t median) {
    if (lag <= std::max(kMostLag, kManyMedians * median)) return typical_ ? median : lag;
    graph_.unexplained += lag - median;
    ++graph_.unexplained_count;
    return median;
  }

  void find_wake() {
    std::vector<std::int64_t> lags;
    std::vector<std::int64_t> reach(streams_.size(), std::numeric_limits<std::int64_t>::min());
    for (const OuterCall& call : inputs_.calls) {
      for (std::uint32_t w = 0; w < call.work_count; ++w) {
        const Work& work = inputs_.work[inputs_.launched[call.first_work + w]];
        reach[work.stream] = std::max(reach[work.stream], work.end);
      }
      if ((!call.waits_for_device && !call.waits_for_stream) || call.end - call.start <= kOwnTime) continue;
      std::int64_t last = std::numeric_limits<std::int64_t>::min();
      for (std::size_t s = 0; s < reach.size(); ++s) {
        if (waited(call, s) && reach[s] <= call.end + kClocks) last = std::max(last, reach[s]);
      }
      if (last > call.start) lags.push_back(std::max<std::int64_t>(0, call.end - last));
    }
    if (lags.empty()) return;
    const auto middle = lags.begin() + static_cast<std::ptrdiff_t>(lags.size() / 2);
    std::nth_element(lags.begin(), middle, lags.end());
    graph_.lags.wake = *middle;
  }

  /// Device work whose launching call should be there: not what was launched before the capture began.
  [[nodiscard]] std::size_t cut_off() const {
    std::size_t count = 0;
    bool linked = false;
    for (const Work& work : inputs_.work) {
      linked = linked || work.call != kNoIndex;
      count += linked && work.call == kNoIndex ? 1 : 0;
    }
    return linked ? count : inputs_.work.size();
  }

  /// Whether a call that waits for a stream or a device waits for this stream.
  [[nodiscard]] bool waited(const OuterCall& call, std::size_t stream) const {
    if (inputs_.stream_process[stream] != inputs_.thread_process[call.thread]) return false;
    if (call.waits_for_device) return true;
    return call.waited_stream == kNone || call.waited_stream == static_cast<std::int32_t>(stream);
  }

  /// How many launches of a stream were ahead of their work at most: where that comes near what a queue holds, it is
  /// what this one held.
  void find_depth() {
    std::vector<std::vector<std::int64_t>> starts(streams_.size());
    std::vector<std::size_t> started(streams_.size(), 0);
    for (const Work& work : inputs_.work) {
      if (work.call != kNoIndex) starts[work.stream].push_back(work.start);
    }
    std::vector<std::size_t> launched(streams_.size(), 0);
    std::size_t most = 0;
    for (const OuterCall& call : inputs_.calls) {
      for (std::uint32_t w = 0; w < call.work_count; ++w) {
        const std::uint32_t s = inputs_.work[inputs_.launched[call.first_work + w]].stream;
        ++launched[s];
        while (started[s] < starts[s].size() && starts[s][started[s]] <= call.end) ++started[s];
        if (launched[s] > started[s]) most = std::max(most, launched[s] - started[s]);
      }
    }
    depth_ = most >= kLeastQueueDepth ? most : kQueueDepth;
  }

  void add_call(std::uint32_t c) {
    const OuterCall& call = inputs_.calls[c];
    const auto n = static_cast<std::uint32_t>(graph_.nodes.size());
    node(NodeKind::kCall, call.row, call.thread);
    const Point start = point(call.start);
    graph_.nodes[n].start = start;
    call_points_[c].start = start;
    const std::uint32_t before = last_call_[call.thread];
    if (before != kNoIndex) {
      const std::int64_t gap = std::max<std::int64_t>(0, call.start - inputs_.calls[before].end);
      edge(call_points_[before].end, call.handed_from == kNoIndex ? gap : 0, EdgeKind::kThread, Part::kHost);
    }
    if (before == kNoIndex && call.handed_from == kNoIndex && thread_mark_[call.thread] != kNoPoint) {
      const Point mark = thread_mark_[call.thread];
      edge(mark, std::max<std::int64_t>(0, call.start - graph_.seen[mark]), EdgeKind::kThread, Part::kHost);
    }
    if (call.handed_from != kNoIndex) {
      const std::int64_t gap = std::max<std::int64_t>(0, call.start - inputs_.calls[call.handed_from].end);
      edge(call_points_[call.handed_from].end, gap, EdgeKind::kHandOver, Part::kHost);
    }
    last_call_[call.thread] = c;
    if (call.waits_for_work) add_work_of(call);
    end_call(c, n);
    if (!call.waits_for_work) add_work_of(call);
  }

  void end_call(std::uint32_t c, std::uint32_t n) {
    const OuterCall& call = inputs_.calls[c];
    const std::int64_t length = std::max<std::int64_t>(0, call.end - call.start);
    const Point end = point(call.end);
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
      if (const Point work = done_before(call); work != kNoPoint) targets_.push_back(work);
    }
    for (std::uint32_t w = 0; call.waits_for_work && w < call.work_count; ++w)
      targets_.push_back(work_points_[inputs_.launched[call.first_work + w]].end);
    const bool waited_for_any = wait_for_targets(call);
    if (call.waits() && !waited_for_any) graph_.edges[duration].lag = length;
    add_queue(call, graph_.edges[duration].lag);
  }

  /// Of a call that waits for an event the work that was done last before it came back: profiles do not say where the
  /// event was recorded.
  [[nodiscard]] Point done_before(const OuterCall& call) const {
    Point found = kNoPoint;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (inputs_.stream_process[s] != inputs_.thread_process[call.thread]) continue;
      std::uint32_t at = streams_[s].last;
      while (at != kNoIndex && inputs_.work[at].end > call.end + kClocks) at = inputs_.work[at].previous;
      if (at == kNoIndex || work_points_[at].end == kNoPoint) continue;
      if (found == kNoPoint || graph_.seen[work_points_[at].end] > graph_.seen[found]) found = work_points_[at].end;
    }
    return found;
  }

  /// Lets the call end after its targets; of those the last one has the lag that was seen. Whether it was seen to wait.
  bool wait_for_targets(const OuterCall& call) {
    std::erase_if(targets_, [&](Point p) { return graph_.seen[p] > call.end + kClocks && !call.waits_for_work; });
    const auto last = std::max_element(targets_.begin(), targets_.end(),
                                       [&](Point a, Point b) { return graph_.seen[a] < graph_.seen[b]; });
    bool waited_for_any = false;
    for (auto target = targets_.begin(); target != targets_.end(); ++target) {
      const std::int64_t lag = std::max<std::int64_t>(0, call.end - graph_.seen[*target]);
      // What took no longer than the call does anyway does not tell how long the way back takes.
      const bool tells = target == last && graph_.seen[*target] > call.start && call.end - call.start > kOwnTime;
      waited_for_any = waited_for_any || (target == last && graph_.seen[*target] > call.start);
      edge(*target, tells ? seen_or_median(lag, graph_.lags.wake) : std::min(lag, graph_.lags.wake), EdgeKind::kWait,
           Part::kLaunch);
    }
    return waited_for_any;
  }

  /// A launch beyond what the queue holds ends when earlier work starts.
  void add_queue(const OuterCall& call, std::int64_t& own) {
    if (call.work_count == 0 || call.waits()) return;
    const std::uint32_t stream = inputs_.work[inputs_.launched[call.first_work]].stream;
    const std::vector<Point>& starts = streams_[stream].starts;
    if (starts.size() < depth_) return;
    const Point room = starts[starts.size() - depth_];
    if (graph_.seen[room] > call.start) own = std::min(own, graph_.lags.call);
    edge(room, 0, EdgeKind::kQueue, Part::kLaunch);
  }

  void add_work_of(const OuterCall& call) {
    for (std::uint32_t w = 0; w < call.work_count; ++w) add_work(inputs_.launched[call.first_work + w]);
  }

  /// A bound of when work can start.
  struct Bound {
    Point from;
    std::int64_t lag, median;
    EdgeKind kind;
  };

  void add_work(std::uint32_t w) {
    const Work& work = inputs_.work[w];
    Stream& stream = streams_[work.stream];
    bounds_.clear();
    if (work.call != kNoIndex) add_launch(work);
    if (stream.last != kNoIndex) {
      const Work& last = inputs_.work[stream.last];
      const Points points = work_points_[stream.last];
      if (work.start >= last.end)
        bounds_.push_back({points.end, work.start - last.end, graph_.lags.dispatch, EdgeKind::kStream});
      else if (work.start >= last.start)  // beside it, as branches of a graph run
        bounds_.push_back({points.start, work.start - last.start, work.start - last.start, EdgeKind::kStream});
      else
        ++graph_.broken;
    }
    const std::uint32_t n = static_cast<std::uint32_t>(graph_.nodes.size());
    node(work.kind, work.row, work.stream);
    const Point start = point(work.start);
    add_bounds(work, w);
    const Point end = point(work.end);
    edge(start, std::max<std::int64_t>(0, work.end - work.start), EdgeKind::kDuration, part_of(work.kind));
    graph_.nodes[n].start = start, graph_.nodes[n].end = end;
    work_points_[w] = {start, end};
    stream.last = w;
    stream.starts.push_back(start);
  }

  void add_launch(const Work& work) {
    const OuterCall& call = inputs_.calls[work.call];
    const Points points = call_points_[work.call];
    if (call.waits_for_work) {
      if (work.start < call.start) ++graph_.broken;
      bounds_.push_back(
          {points.start, std::max<std::int64_t>(0, work.start - call.start), graph_.lags.staging, EdgeKind::kLaunch});
    } else if (work.start >= call.end) {
      bounds_.push_back({points.end, work.start - call.end, graph_.lags.launch, EdgeKind::kLaunch});
    } else {
      if (work.start < call.start) ++graph_.broken;
      const std::int64_t lag = std::max<std::int64_t>(0, work.start - call.start);
      bounds_.push_back({points.start, lag, lag, EdgeKind::kLaunch});
    }
  }

  /// The bound that work was seen to start by has the lag that was seen; those that held before have less than that.
  void add_bounds(const Work& work, std::uint32_t w) {
    if (bounds_.empty()) return;
    const auto holds_at = [&](const Bound& b) { return graph_.seen[b.from] + b.median; };
    const auto binding = std::max_element(bounds_.begin(), bounds_.end(),
                                          [&](const Bound& a, const Bound& b) { return holds_at(a) < holds_at(b); });
    const bool staged = binding->kind == EdgeKind::kLaunch && binding->median == graph_.lags.staging;
    const std::int64_t most = std::max(kMostLag, kManyMedians * binding->median);
    Point shared = kNoPoint;
    if (binding->lag > most) {
      if (work.call == kNoIndex) return;  // it starts when it was seen to
      shared = ended_before(work, w);
    }
    for (const Bound& bound : bounds_) {
      std::int64_t lag = std::min(bound.lag, bound.median);
      if (&bound == &*binding && shared == kNoPoint)
        lag = staged && bound.lag <= most ? bound.lag : seen_or_median(bound.lag, bound.median);
      edge(bound.from, lag, bound.kind, Part::kLaunch);
    }
    if (shared != kNoPoint)
      edge(shared, seen_or_median(work.start - graph_.seen[shared], graph_.lags.dispatch), EdgeKind::kShared,
           Part::kLaunch);
  }

  /// Work of another stream of the device that had just ended when this began.
  [[nodiscard]] Point ended_before(const Work& work, std::uint32_t /*w*/) const {
    Point found = kNoPoint;
    for (const Stream& stream : streams_) {
      if (stream.last == kNoIndex) continue;
      // Of a stream's work the last that had ended: work is added by launch, so later work may be there already.
      for (std::uint32_t at = stream.last; at != kNoIndex; at = inputs_.work[at].previous) {
        const Work& other = inputs_.work[at];
        if (other.device != work.device || other.stream == work.stream) break;
        if (other.end > work.start || work_points_[at].end == kNoPoint) continue;
        if (work.start - other.end <= kMostLag &&
            (found == kNoPoint || graph_.seen[found] < graph_.seen[work_points_[at].end]))
          found = work_points_[at].end;
        break;
      }
    }
    return found;
  }

  // Iterations.
  void plan_marks() {
    const IterationTable* iterations = report_.iterations;
    const std::size_t rows = iterations == nullptr ? 0 : static_cast<std::size_t>(iterations->rows);
    if (rows == 0) {
      std::int64_t first = inputs_.calls.front().start;
      for (const Work& work : inputs_.work) first = std::min(first, work.start);
      marks_.push_back({first, 0, inputs_.calls.front().thread, false});
      marks_.push_back({std::numeric_limits<std::int64_t>::max() - 1, 0, inputs_.calls.front().thread, true});
    }
    std::vector<std::uint8_t> calls(inputs_.thread_process.size(), 0);
    for (const OuterCall& call : inputs_.calls) calls[call.thread] = 1;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::uint32_t thread = iterations->thread.present() ? iterations->thread[i] : inputs_.calls.front().thread;
      if (calls[thread] == 0)
        throw std::invalid_argument(
            "the thread of the iterations makes no calls, so their waits are unknown; name ranges of the thread that "
            "launches");
      marks_.push_back({iterations->start[i], iterations->number[i], thread, false});
    }
    if (rows == 1) marks_.push_back({iterations->end[0], iterations->number[0], marks_.front().thread, true});
    std::vector<std::uint32_t> last(inputs_.thread_process.size(), kNoIndex);
    next_call_.resize(inputs_.calls.size(), kNoIndex);
    for (std::uint32_t c = 0; c < inputs_.calls.size(); ++c) {
      std::uint32_t& before = last[inputs_.calls[c].thread];
      if (before != kNoIndex) next_call_[before] = c;
      before = c;
    }
  }

  void add_mark(const Mark& mark) {
    const auto n = static_cast<std::uint32_t>(graph_.nodes.size());
    node(NodeKind::kMark, static_cast<Row>(mark.number), mark.thread);
    std::int64_t seen = mark.time;
    if (mark.closes) seen = closing_time(mark);
    const Point at = point(seen);
    graph_.nodes[n].start = graph_.nodes[n].end = at;
    thread_mark_[mark.thread] = at;
    const std::uint32_t before = last_call_[mark.thread];
    if (before != kNoIndex) {
      const OuterCall& call = inputs_.calls[before];
      const std::uint32_t next = next_call_[before];
      const std::uint32_t from = next == kNoIndex ? kNoIndex : inputs_.calls[next].handed_from;
      if (mark.closes)
        edge(call_points_[before].end, 0, EdgeKind::kThread, Part::kHost);
      else if (from != kNoIndex && call_points_[from].end != kNoPoint && inputs_.calls[from].end <= mark.time)
        edge(call_points_[from].end, mark.time - inputs_.calls[from].end, EdgeKind::kHandOver, Part::kHost);
      else if (mark.time >= call.end)
        edge(call_points_[before].end, mark.time - call.end, EdgeKind::kThread, Part::kHost);
      else
        edge(call_points_[before].start, mark.time - call.start, EdgeKind::kThread, Part::kHost);
    }
    for (std::size_t s = 0; mark.closes && s < streams_.size(); ++s) {
      if (streams_[s].last != kNoIndex) edge(work_points_[streams_[s].last].end, 0, EdgeKind::kWait, Part::kLaunch);
    }
    if (last_mark_ != kNoPoint) graph_.iterations.push_back({last_number_, last_mark_, at});
    last_mark_ = at;
    last_number_ = mark.number;
  }

  [[nodiscard]] std::int64_t closing_time(const Mark& mark) const {
    std::int64_t seen = std::numeric_limits<std::int64_t>::min();
    if (last_call_[mark.thread] != kNoIndex) seen = inputs_.calls[last_call_[mark.thread]].end;
    for (const Stream& stream : streams_) {
      if (stream.last != kNoIndex) seen = std::max(seen, inputs_.work[stream.last].end);
    }
    return seen;
  }

  const Report& report_;
  Inputs inputs_;
  bool typical_;
  Graph graph_;
  std::size_t depth_ = kQueueDepth;
  std::vector<Stream> streams_;
  std::vector<Points> call_points_, work_points_;
  std::vector<std::uint32_t> last_call_, next_call_;
  std::vector<Point> thread_mark_;  ///< the last mark of each thread
  std::vector<Bound> bounds_;
  std::vector<Point> targets_;
  std::vector<Mark> marks_;
  Point last_mark_ = kNoPoint;
  std::int64_t last_number_ = 0;

  friend Graph assay::replay::build(const Report& report, LagsUsed lags);
};

}  // namespace

Graph build(const Report& report, LagsUsed lags) {
  if (report.calls == nullptr || report.calls->rows == 0)
    throw std::invalid_argument("it holds no API calls, so launch times are unknown");
  Builder builder(report, lags);
  const std::size_t work = builder.inputs_.work.size(), unlinked = builder.cut_off();
  if (work == 0) throw std::invalid_argument("it holds no device work, so there is nothing to replay");
  if (static_cast<double>(unlinked) > kMostUnlinked * static_cast<double>(work))
    throw std::invalid_argument(std::to_string(unlinked) + " of " + std::to_string(work) +
                                " pieces of device work have no launching call in it, as in a truncated capture; "
                                "record launches and their work together");
  return builder.build();
}

std::span<const ColumnId> replay_columns() {
  static constexpr ColumnId kColumns[] = {col::kernels,        col::kernel_name,     col::kernel_short_name,
                                          col::kernel_op,      col::graphs,          col::copies,
                                          col::copy_direction, col::copy_bytes,      col::copy_memory_kinds,
                                          col::sets,           col::set_memory_kind, col::calls,
                                          col::call_name,      col::call_op,         col::syncs,

                                          col::ranges,         col::iterations,      col::ops,

                                          col::collectives,    col::devices};
  return kColumns;
}

}  // namespace assay::replay
