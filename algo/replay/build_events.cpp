// Events: what a recording stands for, and what waits for it.
#include <algorithm>

#include "algo/replay/builder.hpp"

namespace assay::replay {

/// An event stands for all work that its stream had been given when it was recorded, so for the last of it.
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

/// The first work after the wait; what comes later on the stream follows it.
void Builder::add_awaited(const Work& work) {
  for (const Point from : streams_[work.stream].awaited) {
    const std::int64_t lag = work.start - graph_.seen[from];
    if (lag + kClocks < 0)
      ++graph_.broken;  // it had begun before: the export names another recording than the one that it waited for
    else
      bounds_.push_back({from, std::max<std::int64_t>(0, lag), graph_.lags.dispatch, EdgeKind::kEvent});
  }
  streams_[work.stream].awaited.clear();
}

}  // namespace assay::replay
