#include <algorithm>
#include <limits>

#include "algo/replay/builder.hpp"

namespace assay::replay {

void Builder::find_wake() {
  std::vector<std::int64_t> lags;
  std::vector<std::int64_t> reach(streams_.size(), std::numeric_limits<std::int64_t>::min());
  for (const OuterCall& call : inputs_.calls) {
    for (std::uint32_t w = 0; w < call.work_count; ++w) {
      const Work& work = inputs_.work[inputs_.launched[call.first_work + w]];
      reach[work.stream] = std::max(reach[work.stream], work.end);
    }
    if ((!call.waits_for_device && !call.waits_for_stream) || inputs_.end(call) - inputs_.start(call) <= kOwnTime)
      continue;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (std::size_t s = 0; s < reach.size(); ++s) {
      if (waited(call, s) && reach[s] <= inputs_.end(call) + kClocks) last = std::max(last, reach[s]);
    }
    if (last > inputs_.start(call)) lags.push_back(std::max<std::int64_t>(0, inputs_.end(call) - last));
  }
  if (lags.empty()) return;
  const auto middle = lags.begin() + static_cast<std::ptrdiff_t>(lags.size() / 2);
  std::nth_element(lags.begin(), middle, lags.end());
  graph_.lags.wake = *middle;
}

/// Device work whose launching call is missing, without work launched before the capture began.
std::size_t Builder::cut_off() const {
  std::size_t count = 0;
  bool linked = false;
  for (const Work& work : inputs_.work) {
    linked = linked || work.call != kNoIndex;
    count += linked && work.call == kNoIndex ? 1 : 0;
  }
  return linked ? count : inputs_.work.size();
}

/// Whether a call that waits for a stream or a device waits for this stream.
bool Builder::waited(const OuterCall& call, std::size_t stream) const {
  if (inputs_.stream_process[stream] != inputs_.thread_process[call.thread]) return false;
  if (call.waits_for_device) return true;
  const std::int32_t of = inputs_.tie(call).waited_stream;
  return of == kNone || of == static_cast<std::int32_t>(stream);
}

/// The largest number of launches a stream was ahead of its work. If this is close to the usual queue depth, it is the
/// queue depth of this run.
void Builder::find_depth() {
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
      while (started[s] < starts[s].size() && starts[s][started[s]] <= inputs_.end(call)) ++started[s];
      if (launched[s] > started[s]) most = std::max(most, launched[s] - started[s]);
    }
  }
  depth_ = most >= kMinQueueDepth ? most : kQueueDepth;
}

}  // namespace assay::replay
