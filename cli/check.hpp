// `assay check`: how a plugin handles hostile input.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "process/contained.hpp"
#include "render/rows.hpp"
#include "result.hpp"

namespace assay {

struct CheckOptions {
  std::string plugin;                               ///< an id, or the file of a plugin
  std::vector<std::filesystem::path> plugin_paths;  ///< of analyzers whose metrics it reads
  std::filesystem::path config;                     ///< whose options it is checked with; empty: its defaults
  std::vector<std::filesystem::path> reports;       ///< folders whose reports must have what it reads; none: not asked
  RowFormat format = RowFormat::kTable;
  process::Limits limits{std::chrono::minutes(1), std::uint64_t{4096} << 20};  ///< of one case
};

/// Prints a row a check. Exit 0: all passed; 3: one did not, or no check could be made because the plugin refuses its
/// options; 2: it is not a plugin.
Exit check_plugin(const CheckOptions& options);

}  // namespace assay
