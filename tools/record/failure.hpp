// How a run ended, told apart from what it printed, with what to do about it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "record/process.hpp"

namespace assay::record {

enum class Outcome {
  kOk,
  kFailed,        ///< an exit code or signal of the program's own
  kTimedOut,      ///
  kOutOfMemory,   ///< of the GPU or the host
  kNoPermission,  ///< the profiler may not read counters
  kNumaRefused,   ///< numactl has no such node, or may not bind
  kNoReport,      ///< success without a report
  kDiskFull,
  kNotStarted,
  kInterrupted,
  kRejected,  ///< it ran, under conditions that the question does not accept
};

/// "ok", "failed", "timed_out", ...: as the journal has them.
std::string_view outcome_name(Outcome outcome);
/// kFailed for a name that is none.
Outcome outcome_named(std::string_view name);

/// Whether the run says something by having ended so: false where the recorder or the disk cut it off, which is neither
/// success nor failure; the run is made again.
bool counts(Outcome outcome);

struct Failure {
  Outcome outcome = Outcome::kOk;
  std::string error;   ///< one line: what happened, with the program's last words
  std::string advice;  ///< one sentence: what to do; empty where there is nothing to advise
};

/// `printed` is the end of what the program said on both streams.
Failure failure_of(const ProcessEnd& end, std::string_view printed, double timeout_seconds);

/// The advice for an outcome.
std::string_view advice_for(Outcome outcome);

/// The last bytes of a file; empty where there is none.
std::string tail_of(const std::filesystem::path& file, std::size_t most = 16384);

}  // namespace assay::record
