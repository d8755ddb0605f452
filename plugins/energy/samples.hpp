// Samples of GPUs from sheets: power.csv of a recording, CSVs of nvidia-smi and of amd-smi.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/sheets.hpp"
#include "course.hpp"

namespace assay::energy {

/// Begin and end of what was measured in a run, s since the epoch.
struct Window {
  double begin = 0, end = 0;
};

/// What sheets say, by run.
class Courses {
 public:
  /// `time`: column of the times; empty: that of [[sheet]] time, else time_ns or timestamp. A sheet without times or
  /// readings is passed over.
  void add(const Sheet& sheet, std::string_view time);
  /// Sorts the samples, and moves times without a zone to the one in which they cover the windows: nvidia-smi writes
  /// the local time of its machine.
  void settle(const std::vector<Window>& windows);

  [[nodiscard]] bool empty() const { return courses_.empty(); }
  /// Samples of the run that a report is of: "block_001/run_a" of ".../block_001/run_a.sqlite". Without names of runs
  /// those of the only GPU. Null: none.
  [[nodiscard]] const std::vector<PowerSample>* of(std::string_view path) const;
  /// GPUs named by a sheet of several, none of which can be matched to a run; 0: no such sheet.
  [[nodiscard]] std::size_t rival_gpus() const;

 private:
  struct Course {
    std::vector<PowerSample> samples;
    bool is_local = false;      ///< times without a zone
    bool is_momentary = false;  ///< power readings are of the moment, not averages of a second
  };
  std::map<std::string, Course> courses_;  ///< by run; by GPU ("gpu 0") if a sheet names no runs
};

/// Seconds since the epoch, of a number or a date ("2026/11/27 05:30:00.123", "2026-11-27T05:30:00Z"). `is_local`: set
/// if it is a date without a zone. `per_second`: units of a number in a second; 0: s, ms, us or ns by its size.
std::optional<double> seconds_of(std::string_view text, bool& is_local, double per_second = 0);

}  // namespace assay::energy
