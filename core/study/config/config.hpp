// Stage 1, config: reads TOML files into questions.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// Reads every file; `[study] configs = [...]` names others, relative to itself. A question named twice is kept once.
/// Error for a file with neither [question] nor [study], an unknown key, a wrong type or a syntax error; the sentence
/// begins with file:line:column and offers the nearest key ("did you mean").
Result<std::vector<Question>> read_configs(std::span<const std::filesystem::path> files);

/// An installed question that a command runs, from a file below installed_questions(): it names the analyzers, so that
/// the command need not.
Result<Question> installed_question(const std::string& file);

}  // namespace assay
