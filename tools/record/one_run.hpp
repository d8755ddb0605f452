// One attempt at one run: staged, journaled, classified by its ending, published.
#pragma once

#include <atomic>
#include <mutex>

#include "record/recorder.hpp"

namespace assay::record {

/// State shared by all runs of a recording, including concurrent runs on other GPUs.
struct RecordContext {
  std::filesystem::path folder;
  Journal* journal;
  std::mutex* mutex;  ///< of the journal
  const Design* design;
  const std::atomic<bool>* stop;
  double timeout_seconds;                           ///< --timeout; 0: as the question says
  const std::map<std::string, std::size_t>* steps;  ///< State::steps
};

struct Turn {
  const Cell* cell;
  std::string gpu;
  std::size_t block, position, attempt, epoch, replicate;
};

/// Id of a run: "block_001/NAME".
std::string run_id(const Cell& cell, std::size_t block);

struct Attempt {
  Outcome outcome = Outcome::kOk;
  std::string error;
  double seconds = 0;
  std::size_t left_behind = 0;  ///< processes that outlived it and were ended
};

/// Error (exit 3): the journal or a folder cannot be written.
Result<Attempt> attempt(const RecordContext& shop, const Turn& turn);

/// Warm-up run: without the profiler, discarded. Its ending is journaled; only an interrupt stops the recording. `tag`
/// distinguishes it from other runs of the cell.
Result<Attempt> warm_up(const RecordContext& shop, const Cell& cell, const std::string& gpu, const std::string& tag);

/// Pilot run of so many steps: with the profiler, its profiles are left in `reports`, and it is not journaled. `tag`
/// as of warm_up.
Result<Attempt> pilot_run(const RecordContext& shop, const Cell& cell, const std::filesystem::path& reports,
                          std::size_t steps, const std::string& tag);

}  // namespace assay::record
