#include "difference/asked_profiles.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/interrupt.hpp"
#include "cli/terminal.hpp"
#include "pipeline/outcome.hpp"

namespace assay {

Result<RequestResult> answered(Question question, Catalog catalog, PipelineSettings settings) {
  settings.progress = progress_bars(true);
  settings.stop = &stop_on_signals();
  Request request{.questions = {},
                  .catalog = std::move(catalog),
                  .windows_must_exist = true,
                  .tables = nullptr,
                  .settings = std::move(settings)};
  request.questions.push_back(std::move(question));
  return answer(std::move(request));
}

std::optional<Error> without_answer(const RunResult& result) {
  if (const auto why = total_failure(result)) return Error{*why, Exit::kFailed};
  const QuestionResult& question = result.questions.front();
  const auto answers = [](const OwnedFinding& finding) { return finding.role == FindingRole::kAnswer; };
  if (std::ranges::any_of(question.findings, answers)) return std::nullopt;
  for (const Skip& skip : question.skips) {
    if (!skip.report.empty() || skip.hint) continue;
    const std::vector<std::string> left_out = left_out_of(result);
    return Error{skip.reason + (left_out.empty() ? "" : "; " + left_out.front()), Exit::kFailed};
  }
  return Error{"nothing could be compared", Exit::kFailed};
}

nlohmann::ordered_json rows_of(const QuestionResult& result, std::string_view id) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto table = std::ranges::find(result.tables, id, &OwnedTable::id);
  for (std::size_t r = 0; table != result.tables.end() && r < table->rows(); ++r) {
    nlohmann::ordered_json& row = rows.emplace_back();
    for (const OwnedTable::Column& column : table->columns) {
      if (column.type == CellType::kText)
        row[column.name] = column.texts[r];
      else if (column.type == CellType::kInteger)
        row[column.name] = column.integers[r];
      else
        row[column.name] = column.numbers[r];  // not a number is null
    }
  }
  return rows;
}

std::vector<std::string> left_out_of(const RunResult& result) {
  std::vector<std::string> left_out;
  for (const Skip& skip : result.questions.front().skips) {
    if (!skip.report.empty() && !skip.hint) left_out.push_back(skip.report + ": " + skip.reason);
  }
  return left_out;
}

}  // namespace assay
