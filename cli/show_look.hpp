// What reports say of themselves, without a configuration: `look`, and `init` of one profile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "load/reader.hpp"
#include "result.hpp"

namespace assay {

struct LookOptions {
  std::vector<std::filesystem::path> places;  ///< reports, or folders of reports
  std::filesystem::path out;                  ///< -o: an HTML page; empty: only the terminal
  std::vector<std::filesystem::path> plugin_paths;
  std::string sort;   ///< --sort: column by which the rows of several reports are ordered; empty: outliers
  unsigned jobs = 0;  ///< -j; 0: all cores
  Reader reader = Reader::kDirect;  ///< --reader
  bool force = false;               ///< --force: the page may replace a file
};

/// Answers the installed question look.toml over the reports and prints what the facts say: of one report a screen, of
/// several a row each. Writes nothing but the page. Exit 2 where there is no report, 3 when none could be read.
Exit show_look(const LookOptions& options);

}  // namespace assay
