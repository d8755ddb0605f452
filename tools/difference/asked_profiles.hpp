// Profiles that the commands of this tool ask a question: all stages of the line but the last.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"

namespace assay {

/// --steps, for every analyzer that asks which ranges are steps.
void set_steps(const std::vector<std::string>& steps, Question& question);

/// What is analyzed and gathered. Errors: as those of the stages, and ranges of --steps that no profile has.
Result<std::unique_ptr<Pipeline>> analyzed_line(Question question, Catalog catalog, Settings settings);

/// Why there is no answer; nothing: there is one.
std::optional<Error> without_answer(const RunResult& result);

/// Rows of a table of the result as objects; none: there is no such table.
nlohmann::ordered_json rows_of(const QuestionResult& result, std::string_view table);

/// Profiles that are not in the answer, each with the reason.
std::vector<std::string> left_out_of(const RunResult& result);

}  // namespace assay
