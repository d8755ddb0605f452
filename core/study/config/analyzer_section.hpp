// `[analyzers.ID]`: which analyzers run, with which options.
#pragma once

#include <filesystem>

#include "config/section.hpp"

namespace assay {

/// All keys that nobody asked for, as options.
std::vector<RawOption> read_options(Section& section);

/// The analyzers that the sections enable. A section may take over options from files: from = "data/rules.toml" (or a
/// list), relative to the question's `file`, else to installed_questions(); of an option given twice a later file wins,
/// and the section itself last.
std::vector<AnalyzerConfig> read_analyzers(Section section, const std::filesystem::path& file);

/// A section `[id]` of its own: the options of the analyzer of that name, which it enables, beside the names that are
/// installed for it (data/serving_names.toml).
void read_named_section(const std::string& id, Section section, const std::filesystem::path& file,
                        std::vector<AnalyzerConfig>& analyzers);

}  // namespace assay
