#include <algorithm>
#include <limits>
#include <stdexcept>

#include "algo/replay/builder.hpp"
#include "algo/replay/path.hpp"

namespace assay::replay {

void Builder::plan_marks() {
  const IterationTable* iterations = report_.iterations;
  std::size_t rows = iterations == nullptr ? 0 : static_cast<std::size_t>(iterations->rows);
  while (rows > 0 && iterations->start[rows - 1] >= inputs_.until) --rows;
  if (rows == 0) {
    std::int64_t first = inputs_.start(0);
    for (const Work& work : inputs_.work) first = std::min(first, work.start);
    marks_.push_back({first, 0, inputs_.calls.front().thread, Mark::Kind::kBegin});
    marks_.push_back(
        {std::numeric_limits<std::int64_t>::max() - 1, 0, inputs_.calls.front().thread, Mark::Kind::kCloses});
  }
  std::vector<std::uint8_t> calls(inputs_.thread_process.size(), 0);
  for (const OuterCall& call : inputs_.calls) calls[call.thread] = 1;
  // With concurrent processes, the iterations of the first: no time passes between the iterations of two processes.
  const auto thread_of = [&](std::size_t i) {
    return iterations->thread.present() ? iterations->thread[i] : inputs_.calls.front().thread;
  };
  const bool has_ends =
      rows > 0 && std::ranges::find(iterations->number.view().first(rows), StepIterations::kEndOfStep) !=
                      iterations->number.view().begin() + static_cast<std::ptrdiff_t>(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint32_t thread = thread_of(i);
    if (inputs_.thread_process[thread] != inputs_.thread_process[thread_of(0)]) continue;
    if (calls[thread] == 0)
      throw std::invalid_argument(
          "the thread of the iterations makes no calls, so their waits are unknown; name ranges of the "
          "thread that launches");
    const bool end = iterations->number[i] == StepIterations::kEndOfStep;
    const bool first = has_ends && (marks_.empty() || marks_.back().kind == Mark::Kind::kEnd);
    marks_.push_back({iterations->start[i], iterations->number[i], thread,
                      end     ? Mark::Kind::kEnd
                      : first ? Mark::Kind::kFirst
                              : Mark::Kind::kBegin});
  }
  if (rows > 0 && marks_.size() == 1)
    marks_.push_back({iterations->end[0], iterations->number[0], marks_.front().thread, Mark::Kind::kCloses});
  std::vector<std::uint32_t> last(inputs_.thread_process.size(), kNoIndex);
  next_call_.resize(inputs_.calls.size(), kNoIndex);
  for (std::uint32_t c = 0; c < inputs_.calls.size(); ++c) {
    std::uint32_t& before = last[inputs_.calls[c].thread];
    if (before != kNoIndex) next_call_[before] = c;
    before = c;
  }
}

void Builder::add_mark(const Mark& mark) {
  const auto n = static_cast<std::uint32_t>(graph_.nodes.size());
  node(NodeKind::kMark, static_cast<Row>(mark.number), mark.thread);
  std::int64_t seen = mark.time;
  const bool waits = mark.kind != Mark::Kind::kBegin;
  if (waits) seen = closing_time(mark);
  const Point at = point(seen);
  graph_.nodes[n].start = graph_.nodes[n].end = at;
  thread_mark_[mark.thread] = at;
  const std::uint32_t before = last_call_[mark.thread];
  if (before != kNoIndex) {
    const OuterCall& call = inputs_.calls[before];
    const std::uint32_t next = next_call_[before];
    const std::uint32_t from = next == kNoIndex ? kNoIndex : inputs_.tie(inputs_.calls[next]).handed_from;
    if (mark.kind == Mark::Kind::kCloses)
      edge(call_points_[before].end, 0, EdgeKind::kThread, Part::kHost);
    else if (from != kNoIndex && call_points_[from].end != kNoPoint && inputs_.end(from) <= mark.time)
      edge(call_points_[from].end, mark.time - inputs_.end(from), EdgeKind::kHandOver, Part::kHost);
    else if (mark.time >= inputs_.end(call))
      add_host_code(before, mark.time, mark.thread);
    else
      edge(call_points_[before].start, mark.time - inputs_.start(call), EdgeKind::kThread, Part::kHost);
  }
  for (std::size_t s = 0; waits && s < streams_.size(); ++s) {
    if (streams_[s].last != kNoIndex) edge(work_points_[streams_[s].last].end, 0, EdgeKind::kWait, Part::kLaunch);
  }
  if (last_mark_ != kNoPoint) graph_.iterations.push_back({last_number_, last_mark_, at});
  last_mark_ = mark.kind == Mark::Kind::kEnd ? kNoPoint : at;
  last_number_ = mark.number;
}

std::int64_t Builder::closing_time(const Mark& mark) const {
  std::int64_t seen = std::numeric_limits<std::int64_t>::min();
  if (mark.kind != Mark::Kind::kCloses)
    seen = mark.time;
  else if (last_call_[mark.thread] != kNoIndex)
    seen = inputs_.end(last_call_[mark.thread]);
  for (const Stream& stream : streams_) {
    if (stream.last != kNoIndex) seen = std::max(seen, inputs_.work[stream.last].end);
  }
  return seen;
}

}  // namespace assay::replay
