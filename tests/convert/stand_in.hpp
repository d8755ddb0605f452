// Programs in the place of nsys and ncu that do what the first word of a report tells them to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "load/made_export.hpp"

namespace assay::testing {

/// Writes a program that a shell runs.
void write_program(const std::filesystem::path& file, const std::string& script);

/// All there is below a folder, sorted, by '/' paths; folders end with '/'.
std::vector<std::string> all_below(const std::filesystem::path& folder);

/// A folder of programs with `nsys` and `ncu`, and what they write and remember. A report that begins with
///   export   is converted
///   fail     ends with exit code 1 after a message
///   hang     sleeps for an hour, in a process of its own
///   half     writes half a database and reports success
///   broken   writes half a database and fails
///   crash    is ended by SIGSEGV
///   nothing  writes nothing and reports success
///   newer    is refused as nsys refuses what a newer one made
///   noisy    writes a megabyte of messages, then fails
///   touch    is converted, and the report is written again meanwhile
///   orphan   is converted, and a process that goes on is left behind; its number is in the file `process`
///   meet     is converted once four such are under way at the same time
///   alone    is converted, and fails while another such is under way
/// `hang` leaves the number of its sleeping process in `process` too.
class StandIn {
 public:
  StandIn();

  [[nodiscard]] std::filesystem::path nsys() const { return folder_.path() / "nsys"; }
  [[nodiscard]] std::filesystem::path ncu() const { return folder_.path() / "ncu"; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

  /// What nsys writes where all goes well.
  [[nodiscard]] const std::string& export_bytes() const { return export_; }

  /// How often reports were given to nsys and to pages of ncu; --version does not count.
  [[nodiscard]] std::size_t calls() const;

  /// Whether the process whose number is in `process` runs; waits for that file.
  [[nodiscard]] bool left_running() const;
  void wait_for_process() const;

 private:
  TempFolder folder_;
  std::string export_;
};

}  // namespace assay::testing
