// Converts reports that only NVIDIA's programs can read into files that assay can read.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "result.hpp"

namespace assay {

struct ConvertOptions {
  std::vector<std::filesystem::path> places;  ///< reports, or folders that are searched recursively
  std::filesystem::path nsys, ncu;            ///< paths of the programs; empty: from PATH
  unsigned jobs = 0;                          ///< conversions in parallel; 0: one per core
  std::chrono::seconds time_limit{600};       ///< for one report
  bool force = false;                         ///< also converts reports with an up-to-date export
};

enum class ConvertState { kConverted, kUpToDate, kFailed };

struct ConvertedReport {
  std::filesystem::path report;
  ConvertState state = ConvertState::kFailed;
  std::string reason;  ///< for kFailed, as a sentence without subject and full stop
};

struct ConvertResult {
  std::vector<ConvertedReport> reports;  ///< in the order of the places, then by path; without those that an interrupt
                                         ///< left unconverted
  std::vector<std::string> notes;        ///< folders that were not entered
  std::string no_program;                ///< set if everything to convert needs a program that is missing
  bool interrupted = false;

  [[nodiscard]] std::size_t count(ConvertState state) const;
};

/// Converts .nsys-rep and .qdrep with `nsys export --type sqlite` to STEM.sqlite, and .ncu-rep with `ncu --import` to
/// STEM.ncu.raw.csv and STEM.ncu.details.csv, next to the report. An export is up to date if it is complete and not
/// older than its report. A failed conversion is a reason in the result; an export is complete or missing. Error: a
/// place that does not exist, a program that was named or found but does not run. `progress` is called for every
/// finished report; setting `stop` ends all programs.
Result<ConvertResult> convert_reports(const ConvertOptions& options,
                                      const std::function<void(std::size_t done, std::size_t all)>& progress,
                                      const std::atomic<bool>& stop);

}  // namespace assay
