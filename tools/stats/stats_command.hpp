// The command `stats`: the tables of nsys stats, through the analyzer that makes them and the stages of every run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/question.hpp"
#include "load/reader.hpp"
#include "result.hpp"
#include "stats/stats_text.hpp"

namespace assay {

struct StatsOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path over;        ///< --over; empty: `files`, each by itself
  std::string pace_name;             ///< --name
  std::vector<std::string> reports;  ///< --report; none: the analyzer's default
  std::optional<RowFormat> format;   ///< --format; none: a table on the terminal, CSV in files
  std::string window;                ///< --window; empty: the whole capture
  std::filesystem::path out;         ///< -o; empty: standard output
  bool corrected = false;            ///< --corrected: what nsys counts twice counts once
  std::vector<std::filesystem::path> plugin_paths;
  unsigned jobs = 0;                ///< -j; 0: all cores
  Reader reader = Reader::kDirect;  ///< --reader
};

/// Where options of the command line stand, for sentences about them.
inline const SourcePos kStatsPlace{"assay stats", 1, 1};

/// An installed question with what all of `stats` takes from the command line: window, reports, corrections.
Result<Question> stats_question(const std::string& config, const StatsOptions& options);

/// Prints or writes the tables of every file; what nsys leaves out or counts twice is said on standard error. Exit 3
/// when a file gave no table at all.
Exit stats(const StatsOptions& options);

}  // namespace assay
