// What `assay run` knows of folders that `assay record` made.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "conclude/conclude.hpp"
#include "config/question.hpp"

namespace assay {

/// Recordings at or below the folders: where a journal stands, sorted.
std::vector<std::filesystem::path> recordings_in(std::span<const std::filesystem::path> folders);

/// Where there are recordings every question knows the labels block, replicate and twin, which results.json gives and
/// which only describe, and leaves out what failed and what was not finished.
void declare_recorded(std::vector<Question>& questions, std::span<const std::filesystem::path> folders);

/// How the runs were recorded, said before all else of the question: design, conditions, what came of each look, and
/// what it cost. One finding a recording.
std::vector<OwnedFinding> recording_findings(const std::string& question,
                                             std::span<const std::filesystem::path> folders);

}  // namespace assay
