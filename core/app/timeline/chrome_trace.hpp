// A report as a Chrome trace, the JSON that ui.perfetto.dev and chrome://tracing open.
#pragma once

#include <limits>
#include <ostream>
#include <span>
#include <string>

#include "analyze/facts.hpp"
#include "assay/report.hpp"

namespace assay {

/// Tables of idle time with the columns device, start, end, gaps, idle and cause, as the analyzer idle_causes gives
/// them; null: no such track.
struct IdleTables {
  const OwnedTable* gaps = nullptr;
  const OwnedTable* stretches = nullptr;
};

/// What of a report is shown: whatever overlaps it, in ns of the report.
struct TraceRange {
  std::int64_t start = std::numeric_limits<std::int64_t>::min(), end = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] bool shows(std::int64_t from, std::int64_t to) const { return from <= end && to >= start; }
};

/// Writes device work by stream, NVTX ranges, API calls and operators by thread, iterations, and idle time by device;
/// an arrow from each launching call to its kernel. Times are microseconds with three places: whole ns, exactly. Events
/// that overlap on one track without nesting go to further tracks of its name. Tables and columns that the report lacks
/// are left out.
void write_chrome_trace(const Report& report, const IdleTables& idle, std::ostream& to, const TraceRange& range = {});

}  // namespace assay
