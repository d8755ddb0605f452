// The recording loop: block by block, run by run, each journaled before and after.
#pragma once

#include <array>
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

/// Of a run, by the profiles that it left.
struct PilotProfile {
  double measured_seconds = 0;  ///< of a profile, the median; 0: not known
  double within = 0;  ///< standard error of the log of a claimed metric by the steps, the largest; 0: not known
};

/// Of two runs of one cell, the shorter first.
struct PilotProfiles {
  std::array<PilotProfile, 2> runs;
  double between = 0;  ///< spread of the log of a claimed metric between the runs, the largest; 0: not known
};

struct RecordOptions {
  std::filesystem::path root = "recordings";
  bool retry_failed = false, fresh = false, new_epoch = false, until_decided = false, quiet = false;
  double budget_seconds = 0;     ///< of the clock, looks included; 0: none
  std::size_t block = 0;         ///< record only this block of the design, from its beginning; 0: all
  std::ostream* live = nullptr;  ///< the terminal whose last line is rewritten; null: none
  std::size_t columns = 80;      ///< of it
  std::string version;           ///< of this program
  /// Judges the recording so far. Called after the first block for what further blocks do not change, from `replicates`
  /// on after every block with --until-decided, and without it, while blocks remain, for contradictions by traces. Must
  /// leave no child process.
  std::function<Result<InterimLook>(const std::filesystem::path& folder)> judge;
  /// What the profiles of pilot runs below a folder say. Called before the first block if a question leaves its steps
  /// open.
  std::function<Result<PilotProfiles>(const std::filesystem::path& folder)> pilot;
};

struct RecordResult {
  std::filesystem::path folder;
  std::size_t made = 0;    ///< runs made now, including repeated ones
  std::size_t failed = 0;  ///< runs that finally failed, of all
  std::string ended;       ///< reason for the end: "all blocks are recorded", "every claim is decided", ...
};

/// Records until the design is done. Errors: those of check_programs and choose_folder, changed conditions, a full disk
/// (exit 3), an interrupt (exit 130). Recorded runs are kept in any case, and the same call continues.
Result<RecordResult> record(const Design& design, const RecordOptions& options, const std::atomic<bool>& stop,
                            std::ostream& out);

/// The design as stored in the journal.
event::Design design_event(const Design& design, const RecordOptions& options);

/// What a block costs, by the last recording, and how many of them effects of 5, 20 and 100 % will need where runs
/// differ by 2 %: "A block is 3 runs, about 2 min by the last recording. Where runs ..."; the latter if a claim is
/// about a ratio.
std::string forecast_text(const Design& design, const RecordOptions& options);

/// Prints every command in order with its expected time; runs and writes nothing. CSV and JSON have one row per run.
void print_dry_run(const Design& design, const RecordOptions& options, RowFormat format, std::ostream& out);

/// Result of the last look of a recording; empty: there was none.
std::string last_answer(const std::filesystem::path& folder);

/// Runs, failures and time per cell.
void print_summary(const Design& design, const std::filesystem::path& folder, std::ostream& out);

}  // namespace assay::record
