// Device allocations as counter tracks of a Chrome trace.
#pragma once

#include <cstdint>
#include <functional>

#include "assay/report.hpp"
#include "timeline/chrome_trace.hpp"
#include "timeline/trace_events.hpp"
#include "timeline/trace_tracks.hpp"

namespace assay {

/// Writes the allocator's memory per device, in use and free, as one stacked counter. `on_trace` converts a time of the
/// report to the clock of the trace.
void write_allocations(const AllocationTable& allocations, const TraceRange& range,
                       const std::function<std::int64_t(std::int64_t)>& on_trace, TraceTracks& tracks, TraceEvents& to);

}  // namespace assay
