// `assay bench`: what an analyzer costs a report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/rows.hpp"
#include "result.hpp"

namespace assay {

struct BenchOptions {
  std::string analyzer;                             ///< an id, or the file of a plugin
  std::vector<std::filesystem::path> reports;       ///< folders; none: synthetic profiles
  std::filesystem::path config;                     ///< whose options, window and iterations hold; empty: defaults
  std::vector<std::filesystem::path> plugin_paths;  ///< --plugin-path
  bool trust_plugins = false;                       ///< --trust-plugins
  RowFormat format = RowFormat::kTable;
  unsigned runs = 5;  ///< of each report
};

/// Prints one row per profile: time of `analyze` and memory beyond the report's, for the report and for a million of
/// its kernels, beside a plain pass over the kernel table; then rows of `gather` and `conclude`. Exit 3 when nothing
/// could be measured.
Exit bench_analyzer(const BenchOptions& options);

}  // namespace assay
