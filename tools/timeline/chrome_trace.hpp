// Writes a report as a Chrome trace, the JSON format of ui.perfetto.dev and chrome://tracing.
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

/// Tracks besides the report's own rows.
struct DerivedTracks {
  /// Idle-time tables with the columns device, start, end, gaps, idle and cause, as emitted by the analyzer
  /// idle_causes; null: no such track.
  const OwnedTable* gaps = nullptr;
  const OwnedTable* stretches = nullptr;
  const PathTrack* path = nullptr;  ///< null: no such track
};

/// Time range to show: everything that overlaps it, in ns of the report.
struct TraceRange {
  std::int64_t start = std::numeric_limits<std::int64_t>::min(), end = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] bool shows(std::int64_t from, std::int64_t to) const { return from <= end && to >= start; }
};

/// Writes device work by stream, NVTX ranges, API calls and operators by thread, iterations, and idle time by device,
/// with an arrow from each launching call to its kernel. Times are microseconds with three decimal places, exact to the
/// ns. Events that overlap on one track without nesting go to further tracks of that name. Leaves out tables and
/// columns that the report lacks.
void write_chrome_trace(const Report& report, const DerivedTracks& derived, std::ostream& to,
                        const TraceRange& range = {});

/// Converts times of one file to the clock of the trace.
struct TraceClock {
  std::int64_t base = 0, offset = 0;  ///< added, in ns
  double slope = 0;                   ///< ns added per ns
  std::int64_t pivot = 0;             ///< origin of `slope`, including base
  [[nodiscard]] std::int64_t aligned(std::int64_t time) const {
    const std::int64_t own = time + base;
    return own + offset + (slope == 0 ? 0 : std::llround(slope * static_cast<double>(own - pivot)));
  }
};

enum class ArrowPart : std::uint8_t { kBegin, kThrough, kEnd };

/// A collective of one rank that other ranks have too.
struct SharedCollective {
  std::int64_t start = 0, end = 0;     ///< of its kernel, in the rank's file
  std::int64_t number = 0;             ///< equal on all ranks, from 1
  ArrowPart part = ArrowPart::kBegin;  ///< whether the rank came first, last, or in between
  std::int64_t wait = -1;              ///< ns in it beyond the fastest rank; negative: not recorded
};

/// One rank of a job in a common trace.
struct RankInTrace {
  std::int64_t process = 0;  ///< pid in the trace
  std::string name;          ///< of that process
  TraceClock clock;
  std::string alignment;  ///< accuracy of that clock
  std::vector<SharedCollective> collectives;
};

class TraceEvents;

/// Writes the ranks of a job into one trace, each as a process like write_chrome_trace, with an arrow through each
/// collective from the rank that arrived first to the last one.
class JobTrace {
 public:
  /// `collectives`: max number of a collective.
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
