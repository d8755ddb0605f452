// `[analyzers.ID]`: enabled analyzers with their options.
#pragma once

#include <filesystem>

#include "config/section.hpp"

namespace assay {

/// All keys that have not been read, as options.
std::vector<RawOption> read_options(Section& section);

/// Analyzers that the sections enable. A section may import options from files: from = "data/rules.toml" (or a list),
/// relative to the question's `file`, else to installed_questions(); for an option given twice the later file wins, and
/// the section over all files.
std::vector<AnalyzerConfig> read_analyzers(Section section, const std::filesystem::path& file);

/// Reads a section `[id]`: it enables the analyzer of that name with these options, plus the names installed for it
/// (data/serving_names.toml).
void read_named_section(const std::string& id, Section section, const std::filesystem::path& file,
                        std::vector<AnalyzerConfig>& analyzers);

}  // namespace assay
