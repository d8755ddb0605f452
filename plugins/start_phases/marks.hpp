// What a profile that begins with its process shows of the start: when the GPU is first used, when the host first waits
// for it, when a graph is captured, and when the first step or result is there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/sdk.hpp"

namespace assay::start_phases {

/// What ends the start.
enum class ReadyKind : std::uint8_t { kStep, kResult, kEnd };

/// ns of the report's clock, kNone: there is none; of one process and, on the host, of the thread that launches first.
struct StartMarks {
  std::int64_t process = kNone, origin = kNone;     ///< origin: ns since the epoch
  std::int64_t begin = 0;                           ///< first event of the process
  std::int64_t driver = kNone;                      ///< first call of the driver
  std::int64_t first_copy = kNone, copied = kNone;  ///< copies to the device before the first kernel; their end
  std::int64_t copied_bytes = 0;                    ///< of these
  std::int64_t first_launch = kNone, first_wait_end = kNone;  ///< of a kernel; of the wait for it
  std::int64_t first_capture = kNone, capture_end = kNone;    ///< of CUDA graphs
  std::int64_t captures = 0;
  std::int64_t ready = 0;  ///< the first step begins, or the first result is on the host
  std::int64_t ready_kind = std::int64_t(ReadyKind::kEnd);
  std::int64_t end = 0;                                        ///< of the profile
  std::int64_t generated = kNone;                              ///< first launch of a kernel that Triton generated
  std::int64_t read_ns = 0, read_count = 0, opened_count = 0;  ///< file calls before the GPU is first used
  std::int64_t opened_later_count = 0;  ///< and from the first wait to the capture, or to the end of the start
  std::string step;                     ///< name of the first step
};

/// Time of the launching thread in a range, without that in ranges inside; `name` empty: the profiler's own work.
struct StartRange {
  std::string name;
  std::int64_t start = 0, end = 0;
};

/// A compilation that a log states; ns since the epoch.
struct StartCompilation {
  std::int64_t process = kNone, start = 0, end = 0;
  std::int64_t backend = kNoCell, triton = kNoCell, autotuning = kNoCell;  ///< ns; the last comes after it
  std::string function, place, cache;
};

struct Start {
  StartMarks marks;
  std::vector<StartRange> ranges;
  std::vector<StartRange> overheads;    ///< of the profiler; they do not overlap
  std::vector<std::int64_t> wait_ends;  ///< of the launching thread, sorted
};

/// The start, or why a profile shows none and what to record for it. Both empty if it has no device work at all.
struct FoundStart {
  std::optional<Start> start;
  std::string missing;
};
FoundStart start_of(const Report& report);
/// Compilations in a log of torch.compile; empty for other reports.
std::vector<StartCompilation> compilations_of(const Report& report);

void emit_rows(const FoundStart& found, ReportSink& sink);
void emit_rows(const std::vector<StartCompilation>& compilations, ReportSink& sink);
FoundStart start_from_rows(const StudyView& view, std::size_t report);
std::vector<StartCompilation> compilations_from_rows(const StudyView& view, std::size_t report);

}  // namespace assay::start_phases
