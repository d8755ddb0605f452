// The loop: block after block, run after run, each journaled before and after.
#pragma once

#include <atomic>
#include <functional>
#include <iosfwd>
#include <string>

#include "record/conditions.hpp"
#include "record/design.hpp"
#include "record/look.hpp"
#include "record/recording.hpp"
#include "render/rows.hpp"

namespace assay::record {

struct RecordOptions {
  std::filesystem::path root = "recordings";
  bool retry_failed = false, fresh = false, new_epoch = false, until_decided = false, quiet = false;
  double budget_seconds = 0;     ///< of the clock, looks included; 0: none
  std::size_t block = 0;         ///< record only this block of the design, from its beginning; 0: all
  std::ostream* live = nullptr;  ///< the terminal that shows one line, written anew; null: none
  std::size_t columns = 80;      ///< of it
  std::string version;           ///< of this program
  /// Judges the recording so far; called after the first block for what no further one changes, from `replicates` on
  /// after every block with --until-decided, and without it for what the traces contradict, while blocks are still to
  /// come. It leaves no child of this process.
  std::function<Result<Look>(const std::filesystem::path& folder)> judge;
};

struct RecordResult {
  std::filesystem::path folder;
  std::size_t made = 0;    ///< runs made now, repeated ones included
  std::size_t failed = 0;  ///< runs that are failed for good, of all
  std::string ended;       ///< why it ended: "all blocks are recorded", "every claim is decided", ...
};

/// Records until the design is done. Errors: what check_programs and choose_folder refuse, a recording whose conditions
/// have changed, a disk that is full (exit 3), interruption (exit 130). Whatever happens, what was recorded stays, and
/// the same call goes on.
Result<RecordResult> record(const Design& design, const RecordOptions& options, const std::atomic<bool>& stop,
                            std::ostream& out);

/// The design as the journal keeps it.
event::Design design_event(const Design& design, const RecordOptions& options);

/// Every command in its order with the expected time; runs nothing and writes nothing. CSV and JSON have one row per
/// run and no text around them.
void print_dry_run(const Design& design, const RecordOptions& options, RowFormat format, std::ostream& out);

/// What the claims said at the last look of a recording; empty: there was none.
std::string last_answer(const std::filesystem::path& folder);

/// By cell: runs, failures, time.
void print_summary(const Design& design, const std::filesystem::path& folder, std::ostream& out);

}  // namespace assay::record
