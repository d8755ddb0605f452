// Shows the progress of a recording.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <map>
#include <string>

#include "record/one_run.hpp"
#include "render/status_line.hpp"

namespace assay::record {

/// State of a recording.
struct Moment {
  std::size_t block = 0, blocks = 0;  ///< the current one, and how many there are at most
  std::size_t run = 0, runs = 0;      ///< ended ones of the block, and all of it
  double seconds_left =
      0;                  ///< of the blocks that are asked for, or that open claims need by the last look; 0: not known
  bool at_least = false;  ///< more blocks than those may be needed, and no look has estimated how many
  bool at_most = false;   ///< it may end before the last block
};

/// "2 processes running, which assay ended".
std::string left_behind_text(std::size_t processes);

/// A single updated line on a terminal, one line per block elsewhere. Failures, looks and remarks have their own lines.
/// Called under the recorder's lock.
class ProgressLine {
 public:
  /// `live`: the terminal, so wide; null: none.
  ProgressLine(std::ostream& out, std::ostream* live, std::size_t columns, bool quiet)
      : out_(out), live_(live), is_live_(live != nullptr), columns_(columns), quiet_(quiet) {}

  /// Call after each attempt at a run. `now`: state after it.
  void run_ended(const std::string& id, const Attempt& made, const Moment& now);
  /// Result of the last look: "1 of 3 claims decided; graph 7.4x faster".
  void set_standing(std::string standing) { standing_ = std::move(standing); }
  /// Prints a line of its own; with `always` also if quiet.
  void print(const std::string& line, bool always = false);
  /// Erases the progress line, before other output.
  void clear() { live_.erase(); }
  /// Call after the last run: reports once what runs left behind.
  void end();

 private:
  std::ostream& out_;
  StatusLine live_;
  bool is_live_;
  std::size_t columns_;
  bool quiet_;
  std::size_t failures_ = 0, left_behind_ = 0, leaving_runs_ = 0;
  std::string standing_;
  std::map<std::size_t, double> seconds_;  ///< of the runs of unfinished blocks
};

}  // namespace assay::record
