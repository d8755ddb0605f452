// Asks profiles a question: all stages of the pipeline but the last.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"

namespace assay {

/// Passes --steps to every analyzer with such an option.
void set_steps(const std::vector<std::string>& steps, Question& question);

/// Analyzes and gathers. Errors: those of the stages, and ranges of --steps that no profile has.
Result<std::unique_ptr<Pipeline>> analyzed_line(Question question, Catalog catalog, PipelineSettings settings);

/// Why there is no answer; empty: there is one.
std::optional<Error> without_answer(const RunResult& result);

/// Rows of a table of the result as objects; empty if there is no such table.
nlohmann::ordered_json rows_of(const QuestionResult& result, std::string_view table);

/// Profiles left out of the answer, each with the reason.
std::vector<std::string> left_out_of(const RunResult& result);

}  // namespace assay
