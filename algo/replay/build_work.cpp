#include <algorithm>

#include "algo/replay/builder.hpp"
#include "algo/replay/nodes.hpp"

namespace assay::replay {
namespace {

/// How long before the end of a kernel the next one of its stream may begin although it waited for it, in ns: with
/// programmatic launch the next kernel begins while the last blocks drain (30 to 1900 ns on an H100).
std::int64_t draining(const Work& work) {
  constexpr std::int64_t kMaxDraining = 2'000;
  return std::min(kMaxDraining, (work.end - work.start) / 4);
}

}  // namespace

void Builder::add_work(std::uint32_t w) {
  const Work& work = inputs_.work[w];
  Stream& stream = streams_[work.stream];
  bounds_.clear();
  if (work.call != kNoIndex) add_launch(work);
  if (stream.last != kNoIndex) {
    const Work& last = inputs_.work[stream.last];
    const Points points = work_points_[stream.last];
    if (work.start >= last.end - draining(last))
      bounds_.push_back({points.end, work.start - last.end, graph_.lags.dispatch, EdgeKind::kStream});
    else if (work.start >= last.start)  // runs concurrently, as branches of a graph do
      bounds_.push_back({points.start, work.start - last.start, work.start - last.start, EdgeKind::kStream});
    else
      ++graph_.broken;
  }
  add_awaited(work);
  const auto n = static_cast<std::uint32_t>(graph_.nodes.size());
  node(work.kind, work.row, work.stream).device = work.device_number;
  const Point start = point(work.start);
  add_bounds(work);
  const Point end = point(work.end);
  edge(start, std::max<std::int64_t>(0, work.end - work.start), EdgeKind::kDuration, part_of(work.kind));
  graph_.nodes[n].start = start;
  graph_.nodes[n].end = end;
  work_points_[w] = {start, end};
  stream.last = w;
  stream.starts.push_back(start);
}

void Builder::add_launch(const Work& work) {
  const OuterCall& call = inputs_.calls[work.call];
  const Points points = call_points_[work.call];
  if (call.waits_for_work) {
    if (work.start + kClocks < inputs_.start(call)) ++graph_.broken;
    bounds_.push_back({points.start, std::max<std::int64_t>(0, work.start - inputs_.start(call)), graph_.lags.staging,
                       EdgeKind::kLaunch});
  } else if (work.start >= inputs_.end(call)) {
    bounds_.push_back({points.end, work.start - inputs_.end(call), graph_.lags.launch, EdgeKind::kLaunch});
  } else {
    if (work.start + kClocks < inputs_.start(call)) ++graph_.broken;
    const std::int64_t lag = std::max<std::int64_t>(0, work.start - inputs_.start(call));
    bounds_.push_back({points.start, lag, lag, EdgeKind::kLaunch});
  }
}

/// The bound that determined the start gets the measured lag; bounds satisfied earlier get at most that.
void Builder::add_bounds(const Work& work) {
  if (bounds_.empty()) return;
  const auto holds_at = [&](const Bound& b) { return graph_.seen[b.from] + b.median; };
  const auto binding = std::max_element(bounds_.begin(), bounds_.end(),
                                        [&](const Bound& a, const Bound& b) { return holds_at(a) < holds_at(b); });
  const bool staged = binding->kind == EdgeKind::kLaunch && binding->median == graph_.lags.staging;
  const std::int64_t most = std::max(kMaxLag, kManyMedians * binding->median);
  Point shared = kNoPoint;
  if (binding->lag > most) {
    if (work.call == kNoIndex) return;  // keeps its measured start
    shared = ended_before(work);
  }
  for (const Bound& bound : bounds_) {
    const std::int64_t least = std::min(bound.lag, bound.median);
    Lag lag{least, least};
    if (&bound == &*binding && shared == kNoPoint)
      lag = staged && bound.lag <= most ? Lag{bound.lag, bound.lag} : seen_or_median(bound.lag, bound.median);
    edge(bound.from, lag, bound.kind, Part::kLaunch);
  }
  if (shared != kNoPoint)
    edge(shared, seen_or_median(work.start - graph_.seen[shared], graph_.lags.dispatch), EdgeKind::kShared,
         Part::kLaunch);
}

/// Work of another stream of the device that ended just before this work began.
Point Builder::ended_before(const Work& work) const {
  Point found = kNoPoint;
  for (const Stream& stream : streams_) {
    if (stream.last == kNoIndex) continue;
    // The last work of a stream that had ended. Work is added in launch order, so later work may already be present.
    for (std::uint32_t at = stream.last; at != kNoIndex; at = inputs_.work[at].previous) {
      const Work& other = inputs_.work[at];
      if (other.device != work.device || other.stream == work.stream) break;
      if (other.end > work.start || work_points_[at].end == kNoPoint) continue;
      if (work.start - other.end <= kMaxLag &&
          (found == kNoPoint || graph_.seen[found] < graph_.seen[work_points_[at].end]))
        found = work_points_[at].end;
      break;
    }
  }
  return found;
}

}  // namespace assay::replay
