// Events: which work a recording covers, and what waits for it.
#include <algorithm>

#include "replay_builder.hpp"

namespace assay::replay {

/// An event covers all work submitted to its stream before it was recorded, so it is reached when the last of that work
/// ends.
void Builder::note_records(std::uint32_t c) {
  for (; next_record_ < inputs_.records.size() && inputs_.records[next_record_].call <= c; ++next_record_) {
    const Record& record = inputs_.records[next_record_];
    const std::uint32_t last = record.stream == kNoIndex ? kNoIndex : streams_[record.stream].last;
    if (record.call == c && last != kNoIndex) recorded_[next_record_] = work_points_[last].end;
  }
}

Point Builder::recorded(std::uint32_t record) const { return recorded_[record]; }

void Builder::await_events(std::uint32_t c) {
  for (; next_wait_ < inputs_.event_waits.size() && inputs_.event_waits[next_wait_].call <= c; ++next_wait_) {
    const EventWait& wait = inputs_.event_waits[next_wait_];
    const Point work = recorded(wait.record);
    if (wait.call == c && work != kNoPoint) streams_[wait.stream].awaited.push_back(work);
  }
}

/// The first work after the wait; later work follows it in stream order.
void Builder::add_awaited(const Work& work) {
  for (const Point from : streams_[work.stream].awaited) {
    const std::int64_t lag = work.start - graph_.seen[from];
    if (lag + kClocks < 0)
      ++graph_.broken;  // It started before the event: the export names the wrong recording for this wait.
    else
      bounds_.push_back({from, std::max<std::int64_t>(0, lag), graph_.lags.dispatch, EdgeKind::kEvent});
  }
  streams_[work.stream].awaited.clear();
}

}  // namespace assay::replay
