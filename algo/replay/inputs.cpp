#include "algo/replay/inputs.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "algo/communicating.hpp"
#include "algo/replay/nodes.hpp"
#include "assay/detail/device_clock.hpp"

namespace assay::replay {
namespace {

/// Share of a gap between two calls of a thread during which another thread must work for the gap to count as a
/// hand-over.
constexpr double kHandedOver = 0.5;
/// The gap must also be this many times longer than the thread's median gap.
constexpr std::int64_t kLongGap = 10;

class Reader {
 public:
  Reader(const Report& report, Inputs& to) : report_(report), to_(to), late_(detail::device_lateness(report)) {}

  void read() {
    for (std::size_t t = 0; t < report_.threads->rows; ++t) to_.thread_process.push_back(report_.threads->process[t]);
    read_calls();
    read_work();
    link();
    read_syncs();
    find_autograd();
    find_hand_overs();
    find_lags();
  }

 private:
  /// The outermost call that contains a row of `calls`, possibly the row itself.
  [[nodiscard]] std::uint32_t outer(Row row) const {
    return row < 0 || static_cast<std::size_t>(row) >= outer_of_.size() ? kNoIndex
                                                                        : outer_of_[static_cast<std::size_t>(row)];
  }

  void read_calls() {
    const CallTable& calls = *report_.calls;
    const std::vector<idle::WaitKind> waits = idle::waits_of_calls(report_);
    const auto in_time = static_cast<std::size_t>(std::lower_bound(calls.start.begin(), calls.start.end(), to_.until) -
                                                  calls.start.begin());
    outer_of_.reserve(in_time);
    to_.calls.reserve(in_time);
    std::vector<std::uint32_t> last(report_.threads->rows, kNoIndex);
    for (std::size_t c = 0; c < in_time; ++c) {
      const std::uint32_t thread = calls.thread[c];
      std::uint32_t& open = last[thread];
      if (open == kNoIndex || calls.end[c] > to_.end(open)) {
        open = static_cast<std::uint32_t>(to_.calls.size());
        // A call that begins before the previous one of its thread has ended is still placed after it.
        to_.calls.push_back({.row = static_cast<Row>(c), .thread = thread});
      }
      outer_of_.push_back(open);
      note(waits[c], to_.calls[open]);
    }
  }

  static void note(idle::WaitKind wait, OuterCall& call) {
    switch (wait) {
      case idle::WaitKind::kDeviceSync:
        call.waits_for_device = true;
        break;
      case idle::WaitKind::kStreamSync:
        call.waits_for_stream = true;
        break;
      case idle::WaitKind::kEventSync:
        call.waits_for_event = true;
        break;
      case idle::WaitKind::kPageableCopy:
      case idle::WaitKind::kBlockingCopy:
      case idle::WaitKind::kBlockingSet:
        call.waits_for_work = true;
        break;
      case idle::WaitKind::kNone:
        break;
    }
  }

  std::uint32_t stream_of(std::uint32_t process, std::int32_t device, std::int32_t stream) {
    const auto [at, added] = streams_.try_emplace({process, device, stream}, streams_.size());
    if (added) to_.stream_process.push_back(process);
    return at->second;
  }

  /// Keeps the work sorted by start.
  template <class Table, class Kind>
  void add(const Table* table, Kind&& kind) {
    if (table == nullptr) return;
    const std::size_t known = to_.work.size();
    to_.work.reserve(known + table->rows);
    for (std::size_t r = 0; r < table->rows; ++r) {
      const Row by = table->call[r];
      if ((by < 0 ? table->start[r] : report_.calls->start[by]) >= to_.until) continue;
      Work work;
      work.start = table->start[r] - late_[table->process[r]];
      work.end = table->end[r] - late_[table->process[r]];
      work.kind = kind(r);
      work.row = static_cast<Row>(r);
      work.device = table->device[r];
      work.device_number = devices_.try_emplace({table->process[r], work.device}, devices_.size()).first->second;
      work.stream = stream_of(table->process[r], table->device[r], table->stream[r]);
      work.call = outer(by);
      to_.work.push_back(work);
    }
    const auto before = [](const Work& a, const Work& b) { return a.start < b.start; };
    const auto added = to_.work.begin() + static_cast<std::ptrdiff_t>(known);
    if (!std::is_sorted(added, to_.work.end(), before)) std::stable_sort(added, to_.work.end(), before);
    std::inplace_merge(to_.work.begin(), added, to_.work.end(), before);
  }

  void read_work() {
    const std::vector<std::uint8_t> communicates = communicating_kernels(report_);
    add(report_.kernels,
        [&](std::size_t r) { return communicates[r] != 0 ? NodeKind::kCollective : NodeKind::kKernel; });
    add(report_.graphs, [](std::size_t) { return NodeKind::kGraph; });
    add(report_.copies, [](std::size_t) { return NodeKind::kCopy; });
    add(report_.sets, [](std::size_t) { return NodeKind::kSet; });
    std::vector<std::uint32_t> last(streams_.size(), kNoIndex);
    for (std::uint32_t w = 0; w < to_.work.size(); ++w) {
      Work& work = to_.work[w];
      work.previous = last[work.stream];
      last[work.stream] = w;
    }
  }

  void link() {
    for (const Work& work : to_.work) {
      if (work.call != kNoIndex) ++to_.calls[work.call].work_count;
    }
    std::uint32_t first = 0;
    for (OuterCall& call : to_.calls) {
      call.first_work = first;
      first += call.work_count;
      call.work_count = 0;
    }
    to_.launched.resize(first);
    for (std::uint32_t w = 0; w < to_.work.size(); ++w) {
      const Work& work = to_.work[w];
      if (work.call == kNoIndex) {
        to_.unlinked.push_back(w);
        continue;
      }
      OuterCall& call = to_.calls[work.call];
      to_.launched[call.first_work + call.work_count++] = w;
    }
    // A call that returned before its work began did not wait for it.
    for (OuterCall& call : to_.calls) {
      if (call.waits_for_work &&
          (call.work_count == 0 || to_.work[to_.launched[call.first_work]].start > to_.end(call)))
        call.waits_for_work = false;
    }
  }

  void read_syncs() {
    const SyncTable* syncs = report_.syncs;
    if (syncs == nullptr || !syncs->call.present() || !syncs->stream.present() || !syncs->process.present()) return;
    constexpr std::int32_t kStreamWaitsForEvent = 2;
    struct AwaitedEvent {
      std::uint32_t call, stream;  ///< stream: kNoIndex if the host waits
      Record record;
    };
    std::vector<AwaitedEvent> awaited;
    for (std::size_t s = 0; s < syncs->rows; ++s) {
      const std::uint32_t c = outer(syncs->call[s]);
      if (c == kNoIndex) continue;
      OuterCall& call = to_.calls[c];
      const std::int32_t device = syncs->device.present() ? syncs->device[s] : kNone;
      const auto stream = [&](std::int32_t number) {
        const auto at = streams_.find({syncs->process[s], device, number});
        return at == streams_.end() ? kNoIndex : at->second;
      };
      if (call.waits_for_stream && to_.tie(call).waited_stream == kNone) {
        const std::uint32_t known = stream(syncs->stream[s]);
        if (known != kNoIndex)
          to_.tied(call).waited_stream = static_cast<std::int32_t>(known);
        else if (syncs->stream[s] != kNone)
          call.waits_for_stream = false;  // no work ever ran on that stream
        continue;
      }
      const bool of_stream = syncs->type.present() && syncs->type[s] == kStreamWaitsForEvent && !call.waits();
      if (!of_stream && !call.waits_for_event) continue;
      const bool known = syncs->record.present() && syncs->record_stream.present() && outer(syncs->record[s]) < c;
      if (!known) {
        to_.loose_waits += of_stream ? 1 : 0;
        continue;
      }
      const Record record{outer(syncs->record[s]), stream(syncs->record_stream[s])};
      const std::uint32_t waiting = of_stream ? stream(syncs->stream[s]) : kNoIndex;
      if (of_stream && (waiting == kNoIndex || waiting == record.stream))
        continue;  // no work there, or already
                   // ordered by the stream
      awaited.push_back({c, waiting, record});
      to_.records.push_back(record);
    }
    std::sort(to_.records.begin(), to_.records.end());
    to_.records.erase(std::unique(to_.records.begin(), to_.records.end()), to_.records.end());
    std::stable_sort(awaited.begin(), awaited.end(), [](const auto& a, const auto& b) { return a.call < b.call; });
    for (const AwaitedEvent& one : awaited) {
      const auto at = std::lower_bound(to_.records.begin(), to_.records.end(), one.record);
      const auto record = static_cast<std::uint32_t>(at - to_.records.begin());
      if (one.stream == kNoIndex)
        to_.tied(to_.calls[one.call]).waited_record = record;
      else
        to_.event_waits.push_back({one.call, one.stream, record});
    }
  }

  /// For each operator, the thread that ran the forward pass it belongs to; kNoIndex: it is not a backward operator.
  [[nodiscard]] std::vector<std::uint32_t> forward_threads() const {
    const OpTable& ops = *report_.ops;
    std::unordered_map<std::int64_t, std::uint32_t> forward;  // by sequence number
    for (std::size_t op = 0; op < ops.rows; ++op) {
      if (ops.sequence[op] >= 0 && ops.forward_thread[op] <= 0) forward[ops.sequence[op]] = ops.thread[op];
    }
    std::vector<std::uint32_t> out(ops.rows, kNoIndex);
    for (std::size_t op = 0; op < ops.rows; ++op) {
      const auto at = ops.forward_thread[op] > 0 ? forward.find(ops.sequence[op]) : forward.end();
      if (at != forward.end())
        out[op] = at->second;
      else if (const Row around = ops.parent[op]; around >= 0 && static_cast<std::size_t>(around) < op)
        out[op] = out[static_cast<std::size_t>(around)];
    }
    return out;
  }

  [[nodiscard]] std::uint32_t handed_from(std::uint32_t call) const { return to_.tie(to_.calls[call]).handed_from; }
  void note_hand_over(std::uint32_t from, std::uint32_t to) { to_.tied(to_.calls[to]).handed_from = from; }

  /// Autograd runs the backward pass on a thread of its own while the first thread waits. Where the trace links
  /// backward to forward operators, backward calls begin after the last call of the first thread, and the next call of
  /// the first thread begins after them.
  void find_autograd() {
    if (report_.ops == nullptr || !report_.ops->sequence.present() || !report_.ops->forward_thread.present() ||
        !report_.calls->op.present())
      return;
    const std::vector<std::uint32_t> forward = forward_threads();
    struct Open {
      std::uint32_t waiting = kNoIndex;  ///< the waiting thread
      std::uint32_t last = kNoIndex;     ///< last call of the backward pass
    };
    std::vector<Open> open(report_.threads->rows);
    std::size_t running = 0;
    std::vector<std::uint32_t> last(report_.threads->rows, kNoIndex);
    for (std::uint32_t c = 0; c < to_.calls.size(); ++c) {
      OuterCall& call = to_.calls[c];
      for (std::size_t t = 0; running > 0 && t < open.size(); ++t) {
        Open& backward = open[t];
        if (backward.waiting != call.thread) continue;
        if (to_.end(backward.last) <= to_.start(call) &&
            (handed_from(c) == kNoIndex || to_.end(handed_from(c)) < to_.end(backward.last)))
          note_hand_over(backward.last, c);
        backward = {};
        --running;
      }
      Open& own = open[call.thread];
      const Row op = report_.calls->op[call.row];
      const std::uint32_t waiting = op < 0 ? kNoIndex : forward[static_cast<std::size_t>(op)];
      if (own.waiting != kNoIndex) {
        own.last = c;
      } else if (waiting != kNoIndex && waiting != call.thread && last[waiting] != kNoIndex &&
                 to_.end(last[waiting]) <= to_.start(call)) {
        note_hand_over(last[waiting], c);
        own = {waiting, c};
        ++running;
        ++to_.hand_overs;
      }
      last[call.thread] = c;
    }
  }

  /// A series of calls of one thread between two calls of another launching thread: the other thread waited for the
  /// series if it fills most of a gap that is unusually long for that thread. Autograd hands over the backward pass
  /// like this.
  void find_hand_overs() {
    std::vector<std::uint8_t> launches(report_.threads->rows, 0);
    for (const OuterCall& call : to_.calls) launches[call.thread] |= call.work_count > 0 ? 1 : 0;
    if (std::count(launches.begin(), launches.end(), 1) < 2) return;
    struct Run {
      std::uint32_t first, last, thread;
      std::size_t calls;
    };
    std::map<std::uint32_t, std::vector<Run>> of_process;
    std::vector<std::vector<std::int64_t>> gaps(report_.threads->rows);
    std::vector<std::uint32_t> last_call(report_.threads->rows, kNoIndex);
    for (std::uint32_t c = 0; c < to_.calls.size(); ++c) {
      const OuterCall& call = to_.calls[c];
      if (launches[call.thread] == 0) continue;
      if (last_call[call.thread] != kNoIndex)
        gaps[call.thread].push_back(to_.start(call) - to_.end(last_call[call.thread]));
      last_call[call.thread] = c;
      std::vector<Run>& runs = of_process[to_.thread_process[call.thread]];
      if (runs.empty() || runs.back().thread != call.thread) runs.push_back({c, c, call.thread, 0});
      runs.back().last = c;
      ++runs.back().calls;
    }
    std::vector<std::int64_t> usual(gaps.size(), 0);
    for (std::size_t t = 0; t < gaps.size(); ++t) usual[t] = middle(gaps[t]);
    for (const auto& [process, runs] : of_process) {
      for (std::size_t r = 1; r < runs.size(); ++r) {
        const Run &run = runs[r], &before = runs[r - 1];
        if (run.calls < 2 || handed_from(run.first) != kNoIndex) continue;
        const std::int64_t from = to_.end(before.last);
        const bool returns = r + 1 < runs.size() && runs[r + 1].thread == before.thread;
        if (r + 1 < runs.size() && !returns) continue;
        const std::int64_t until = returns ? to_.start(runs[r + 1].first) : to_.end(run.last);
        const std::int64_t worked = to_.end(run.last) - to_.start(run.first), gap = until - from;
        if (gap < kLongGap * usual[before.thread] ||
            static_cast<double>(worked) < kHandedOver * static_cast<double>(gap))
          continue;
        if (to_.start(run.first) < from || until < to_.end(run.last)) continue;
        note_hand_over(before.last, run.first);
        if (returns && handed_from(runs[r + 1].first) == kNoIndex) note_hand_over(run.last, runs[r + 1].first);
        ++to_.hand_overs;
      }
    }
  }

  /// For each piece of work, whether its stream waited for an event before it. If so, its start says nothing about
  /// launch latency or about the delay between two pieces of work.
  [[nodiscard]] std::vector<std::uint8_t> awaiting_events() const {
    std::vector<std::uint8_t> out(to_.work.size(), 0), waits(streams_.size(), 0);
    std::size_t next = 0;
    for (std::uint32_t c = 0; c < to_.calls.size() && !to_.event_waits.empty(); ++c) {
      const OuterCall& call = to_.calls[c];
      for (std::uint32_t w = 0; w < call.work_count; ++w) {
        const std::uint32_t work = to_.launched[call.first_work + w];
        out[work] = std::exchange(waits[to_.work[work].stream], std::uint8_t{0});
      }
      for (; next < to_.event_waits.size() && to_.event_waits[next].call <= c; ++next)
        waits[to_.event_waits[next].stream] = 1;
    }
    return out;
  }

  void find_lags() {
    const std::vector<std::uint8_t> awaiting = awaiting_events();
    std::vector<std::int64_t> launch, staging, dispatch, call_times;
    const auto before = [&](const Work& work) { return to_.work[work.previous].end; };
    for (std::size_t w = 0; w < to_.work.size(); ++w) {
      const Work& work = to_.work[w];
      if (work.call == kNoIndex || awaiting[w] != 0) continue;
      const OuterCall& call = to_.calls[work.call];
      if (work.previous != kNoIndex && before(work) > to_.start(call)) continue;
      if (call.waits_for_work)
        staging.push_back(std::max<std::int64_t>(0, work.start - to_.start(call)));
      else
        launch.push_back(std::max<std::int64_t>(0, work.start - to_.end(call)));
    }
    to_.lags.launch = middle(launch);
    // Only where earlier work ended too late for the work to have waited for its launch.
    for (std::size_t w = 0; w < to_.work.size(); ++w) {
      const Work& work = to_.work[w];
      if (work.call == kNoIndex || work.previous == kNoIndex || awaiting[w] != 0) continue;
      if (to_.calls[work.call].waits_for_work) continue;
      if (before(work) >= to_.end(work.call) + to_.lags.launch)
        dispatch.push_back(std::max<std::int64_t>(0, work.start - before(work)));
    }
    for (const OuterCall& call : to_.calls) {
      if (call.work_count > 0 && !call.waits()) call_times.push_back(to_.end(call) - to_.start(call));
    }
    to_.lags.dispatch = middle(dispatch);
    to_.lags.call = middle(call_times);
    to_.lags.staging = staging.empty() ? to_.lags.launch + to_.lags.call : middle(staging);
  }

  const Report& report_;
  Inputs& to_;
  std::vector<std::int64_t> late_;  ///< ns that the device's clock is behind the host's, by process
  std::vector<std::uint32_t> outer_of_;
  std::map<std::tuple<std::uint32_t, std::int32_t, std::int32_t>, std::uint32_t> streams_;
  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint16_t> devices_;
};

}  // namespace

Inputs::Inputs(const Report& report, std::int64_t last) : until(last), table(report.calls) {
  Reader(report, *this).read();
}

}  // namespace assay::replay
