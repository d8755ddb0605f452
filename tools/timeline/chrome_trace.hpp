// A report as a Chrome trace, the JSON that ui.perfetto.dev and chrome://tracing open.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analyze/facts.hpp"
#include "assay/report.hpp"
#include "timeline/path_track.hpp"

namespace assay {

/// What is shown beside the report's own rows.
struct DerivedTracks {
  /// Tables of idle time with the columns device, start, end, gaps, idle and cause, as the analyzer idle_causes gives
  /// them; null: no such track.
  const OwnedTable* gaps = nullptr;
  const OwnedTable* stretches = nullptr;
  const PathTrack* path = nullptr;  ///< null: no such track
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
void write_chrome_trace(const Report& report, const DerivedTracks& derived, std::ostream& to,
                        const TraceRange& range = {});

/// What turns times of one file into those of a trace.
struct TraceClock {
  std::int64_t base = 0, offset = 0;  ///< ns that are added
  double slope = 0;                   ///< ns added more with every ns
  std::int64_t pivot = 0;             ///< since then, base included
  [[nodiscard]] std::int64_t aligned(std::int64_t time) const {
    const std::int64_t own = time + base;
    return own + offset + (slope == 0 ? 0 : std::llround(slope * static_cast<double>(own - pivot)));
  }
};

enum class ArrowPart : std::uint8_t { kBegin, kThrough, kEnd };

/// A collective of one rank that others have too.
struct SharedCollective {
  std::int64_t start = 0, end = 0;     ///< of its kernel, in the rank's file
  std::int64_t number = 0;             ///< equal on all ranks, from 1
  ArrowPart part = ArrowPart::kBegin;  ///< the rank that came first, one between, the last
  std::int64_t wait = -1;              ///< ns in it beyond the rank that took least; negative: it tells of none
};

/// One rank of a job in a trace of all.
struct RankInTrace {
  std::int64_t process = 0;  ///< pid in the trace
  std::string name;          ///< of that process
  TraceClock clock;
  std::string alignment;  ///< how far that clock can be trusted
  std::vector<SharedCollective> collectives;
};

class TraceEvents;

/// Writes the ranks of a job into one trace, one after the other, each a process: as write_chrome_trace, with an arrow
/// through each collective from the rank that came first to the one that came last.
class JobTrace {
 public:
  /// `collectives`: the greatest number of one.
  JobTrace(std::ostream& to, std::int64_t collectives);
  ~JobTrace();
  JobTrace(const JobTrace&) = delete;
  JobTrace& operator=(const JobTrace&) = delete;
  void add(const Report& report, const DerivedTracks& derived, const RankInTrace& rank);
  /// Closes the document.
  void finish();

 private:
  std::unique_ptr<TraceEvents> events_;
};

}  // namespace assay
