// Asks profiles a question for a terminal: with progress, until interrupted.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"

namespace assay {

/// Errors: those of `answer`, and ranges of --steps that no profile has.
Result<RequestResult> answered(Question question, Catalog catalog, PipelineSettings settings);

/// Why there is no answer; empty: there is one.
std::optional<Error> without_answer(const RunResult& result);

/// Rows of a table of the result as objects; empty if there is no such table.
nlohmann::ordered_json rows_of(const QuestionResult& result, std::string_view table);

/// Profiles left out of the answer, each with the reason.
std::vector<std::string> left_out_of(const RunResult& result);

}  // namespace assay
