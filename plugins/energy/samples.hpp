// Samples of GPUs from sheets: power.csv of a recording, CSVs of nvidia-smi and amd-smi.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/sheets.hpp"
#include "course.hpp"

namespace assay::energy {

/// Begin and end of the measured part of a run, s since the epoch.
struct Window {
  double begin = 0, end = 0;
};

/// Samples from all sheets, by run.
class Courses {
 public:
  /// Times are in the column `time` ([[sheet]] time), else `time_ns` or `timestamp`. Sheets without times or readings
  /// are skipped.
  void add(const Sheet& sheet);
  /// Leaves out samples and readings that cannot be, sorts the rest and converts local times to the zone in which they
  /// cover the windows: nvidia-smi writes local time. Call once.
  void assign_windows(const std::vector<Window>& windows);

  [[nodiscard]] bool empty() const { return courses_.empty(); }
  /// Which readings were left out, and how many: "3 of 120 samples come out of order"; one clause a kind.
  [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }
  /// Samples for the run of a report: "block_001/run_a" for ".../block_001/run_a.sqlite". If the sheet names no runs,
  /// those of the only GPU. Null: none.
  [[nodiscard]] const std::vector<PowerSample>* samples_of(std::string_view path) const;
  /// Number of GPUs in a sheet with several, none of which can be matched to a run; 0: no such sheet.
  [[nodiscard]] std::size_t rival_gpus() const;

 private:
  struct Course {
    std::vector<PowerSample> samples;
    bool is_local = false;      ///< times without a zone
    bool is_momentary = false;  ///< power readings are instantaneous rather than averages of a second
  };
  std::size_t without_time_ = 0;  ///< rows
  std::vector<std::string> doubts_;
  std::map<std::string, Course> courses_;  ///< by run, or by GPU ("gpu 0") if a sheet names no runs
};

/// Seconds since the epoch from a number or a date ("2026/11/27 05:30:00.123", "2026-11-27T05:30:00Z"). `is_local`: set
/// if it is a date without a zone. `per_second`: units per second of a number; 0: s, ms, us or ns according to its
/// size.
std::optional<double> seconds_of(std::string_view text, bool& is_local, double per_second = 0);

}  // namespace assay::energy
