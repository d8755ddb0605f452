// Classifies how a run ended by its output, with advice.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "record/process.hpp"

namespace assay::record {

enum class Outcome {
  kOk,
  kFailed,        ///< exit code or signal of the program itself
  kTimedOut,      ///
  kOutOfMemory,   ///< of the GPU or the host
  kNoPermission,  ///< the profiler may not read counters
  kNumaRefused,   ///< numactl: no such node, or binding not permitted
  kNoReport,      ///< success without a report
  kDiskFull,
  kNotStarted,
  kInterrupted,
  kRejected,  ///< it ran under conditions that the question does not accept
};

/// "ok", "failed", "timed_out", ...: as in the journal.
std::string_view outcome_name(Outcome outcome);
/// kFailed for an unknown name.
Outcome outcome_named(std::string_view name);

/// Whether this ending counts: false if the recorder or the disk caused it, which is neither success nor failure; the
/// run is repeated.
bool counts(Outcome outcome);

struct Failure {
  Outcome outcome = Outcome::kOk;
  std::string error;             ///< one line: what happened, with the program's last output
  std::string advice;            ///< one sentence: what to do; empty: no advice
  std::string rejected_by = {};  ///< the mark, with kRejected
};

/// `printed`: end of the program's output on both streams.
Failure failure_of(const ProcessEnd& end, std::string_view printed, double timeout_seconds);

/// The advice for an outcome.
std::string_view advice_for(Outcome outcome);

/// Last bytes of a file; empty if there is none.
std::string tail_of(const std::filesystem::path& file, std::size_t most = 16384);

}  // namespace assay::record
