// Reports that only NVIDIA's programs can read become files that this program can.
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
  std::vector<std::filesystem::path> places;  ///< reports, or folders that are read with all below them
  std::filesystem::path nsys, ncu;            ///< the programs; empty: from PATH
  unsigned jobs = 0;                          ///< reports converted at a time; 0: one a core
  std::chrono::seconds time_limit{600};       ///< for one report
  bool force = false;                         ///< also convert what has an up-to-date export
};

enum class ConvertState { kConverted, kUpToDate, kFailed };

struct ConvertedReport {
  std::filesystem::path report;
  ConvertState state = ConvertState::kFailed;
  std::string reason;  ///< for kFailed, as a sentence without a subject or full stop
};

struct ConvertResult {
  std::vector<ConvertedReport> reports;  ///< in the order of the places, below each by path; not those that an
                                         ///< interruption left unconverted
  std::vector<std::string> notes;        ///< folders that were not entered
  std::string no_program;                ///< set when all that was to be converted needs a program that is not there
  bool interrupted = false;

  [[nodiscard]] std::size_t count(ConvertState state) const;
};

/// Converts .nsys-rep and .qdrep with `nsys export --type sqlite` to STEM.sqlite, and .ncu-rep with `ncu --import` to
/// STEM.ncu.raw.csv and STEM.ncu.details.csv, beside the report. An export is up to date when it is whole and not older
/// than its report. What one report's conversion does wrong is its reason; an export is there whole or not at all.
/// Error: a place that is not there, a program that was named or found and does not run. `progress` hears of every
/// report that is done, of those to convert; raising `stop` ends all programs.
Result<ConvertResult> convert_reports(const ConvertOptions& options,
                                      const std::function<void(std::size_t done, std::size_t all)>& progress,
                                      const std::atomic<bool>& stop);

}  // namespace assay
