// Shows profiles without a configuration: `look`, and `init` for a single profile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "result.hpp"
#include "runs/configurations.hpp"

namespace assay {

struct LookOptions {
  std::vector<std::filesystem::path> places;  ///< reports, or folders of reports
  std::filesystem::path out;                  ///< -o: an HTML page or a folder; empty: terminal only
  std::vector<std::filesystem::path> plugin_paths;
  std::string sort;       ///< --sort: column that orders the rows of several reports; empty: outliers first
  std::size_t top = 0;    ///< --top: rows of a table; 0: 12
  bool all = false;       ///< --all: all rows
  RunChoice choice;       ///< --label, --repeats, --by: what names say
  unsigned jobs = 0;      ///< -j; 0: all cores
  bool start = false;     ///< --start: asks cold_start.toml instead of look.toml
  bool force = false;     ///< --force: the page may replace any file
  bool no_cache = false;  ///< --no-cache
};

/// Runs the installed question look.toml over the reports and prints its facts: a screen for one report, a row each for
/// several. Writes nothing but the page and the cache. Exit 2 if there is no report, 3 if none could be read.
Exit show_look(const LookOptions& options);

}  // namespace assay
