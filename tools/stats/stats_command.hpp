// The command `stats`: tables of nsys stats, through the analyzer nsys_stats and the stages of every run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"
#include "stats/stats_text.hpp"

namespace assay {

struct StatsOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path over;        ///< --over; empty: `files`, each separately
  std::string pace_name;             ///< --name
  std::vector<std::string> reports;  ///< --report; empty: the analyzer's default
  std::optional<RowFormat> format;   ///< --format; empty: a table on the terminal, CSV in files
  std::string window;                ///< --window; empty: the whole capture
  std::filesystem::path out;         ///< -o; empty: standard output
  bool corrected = false;            ///< --corrected: counts once what nsys counts twice
  std::vector<std::filesystem::path> plugin_paths;
  unsigned jobs = 0;  ///< -j; 0: all cores
};

/// Source position of command-line options, for messages.
inline const SourcePos kStatsPlace{"assay stats", 1, 1};

/// An installed question with the settings common to all of `stats`: window, reports, corrections.
Result<Question> stats_question(const std::string& config, const StatsOptions& options);

/// Prints or writes the tables of every file; prints to standard error what nsys leaves out or counts twice. Exit 3 if
/// a file produced no table.
Exit stats(const StatsOptions& options);

}  // namespace assay
