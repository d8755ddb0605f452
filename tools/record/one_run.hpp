// One attempt at one run: staged, journaled, judged by its ending, published.
#pragma once

#include <atomic>
#include <mutex>

#include "record/recorder.hpp"

namespace assay::record {

/// What all runs of a recording share, those of other GPUs at the same time too.
struct Workshop {
  std::filesystem::path folder;
  Journal* journal;
  std::mutex* mutex;  ///< of the journal
  const Observer* observer;
  const Design* design;
  const std::atomic<bool>* stop;
  double timeout_seconds;  ///< --timeout; 0: as the question says
  std::string reports;     ///< folder of the profiles in `folder`
};

struct Turn {
  const Cell* cell;
  std::string gpu;
  std::size_t block, position, attempt, epoch, replicate;
};

/// The id of a run: "block_001/NAME".
std::string run_id(const Cell& cell, std::size_t block);

struct Attempt {
  Outcome outcome = Outcome::kOk;
  std::string error;
  double seconds = 0;
  std::size_t left_behind = 0;  ///< processes that outlived it and were ended
};

/// Errors (exit 3): the journal or a folder cannot be written.
Result<Attempt> attempt(const Workshop& shop, const Turn& turn);

/// A warm-up run: without the profiler, thrown away. Its ending is journaled and stops nothing but an interruption.
/// `tag` tells it from others of the cell.
Result<Attempt> warm_up(const Workshop& shop, const Cell& cell, const std::string& gpu, const std::string& tag);

}  // namespace assay::record
