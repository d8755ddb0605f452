// The commands beside `run`; each prints to standard output and stands in a file of its name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "result.hpp"

namespace assay {

/// What is in a folder: kind of each file, rows of each table, labels (when `configs` declare some), problems.
Exit list_reports(const std::vector<std::filesystem::path>& folders, const std::vector<std::filesystem::path>& configs);

/// The effective configuration and the order of work; with `reports` also what would be skipped.
Exit show_plan(const std::vector<std::filesystem::path>& configs, const std::vector<std::filesystem::path>& reports,
               const std::vector<std::filesystem::path>& plugin_paths);

/// All analyzers in a line each, or everything about one.
Exit describe_analyzers(const std::optional<std::string>& id, const std::vector<std::filesystem::path>& plugin_paths);

/// Prints again what a finished run printed; `whole`: of several questions too.
Exit show_results(const std::filesystem::path& out, bool whole);

/// Plugins found and refused, and where they were looked for.
Exit show_plugins(const std::vector<std::filesystem::path>& plugin_paths);

}  // namespace assay
