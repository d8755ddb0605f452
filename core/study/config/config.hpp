// Stage 1, config: TOML files to questions.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// Reads every file; `[study] configs = [...]` names others, relative to itself. A question named twice is kept once.
/// A file with neither [question] nor [study], an unknown key, a wrong type or a syntax error is an error whose
/// sentence begins with file:line:column and, for unknown keys, offers the nearest known one ("did you mean").
Result<std::vector<Question>> read_configs(std::span<const std::filesystem::path> files);

/// The question that a command asks, from a file below installed_questions(): it names the analyzers, not the command.
Result<Question> installed_question(const std::string& file);

}  // namespace assay
