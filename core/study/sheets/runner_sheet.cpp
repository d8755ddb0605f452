#include "sheets/runner_sheet.hpp"

#include <algorithm>

#include "config/label_value.hpp"
#include "config/runner_section.hpp"

namespace assay {
namespace {

SheetCell number_cell(const std::optional<double>& number) {
  return number ? SheetCell{shortest(*number), {*number}} : SheetCell{};
}

SheetCell text_cell(const std::string& text) { return {text, {}}; }

}  // namespace

std::optional<OwnedSheet> runner_sheet(const Catalog& catalog, const QuestionCatalog& found) {
  OwnedSheet sheet{std::string(kRunnerSheet), {}, {}, {}};
  for (const char* name : {"report", "run", "source", "process_s", "pass_s", "throughput", "batches", "failure"}) {
    sheet.table.columns.push_back({name, {}});
  }
  for (const RunnerRun& run : found.runs) {
    std::vector<std::string> reports;
    for (const std::size_t file : run.files) reports.push_back(catalog.files[file].name);
    if (reports.empty() && run.own) reports.emplace_back();  // it left no report, and is a run of the question
    for (const std::string& report : reports) {
      const SheetCell cells[] = {
          text_cell(report),          text_cell(run.name),     text_cell(catalog.files[run.source].name),
          number_cell(run.process_s), number_cell(run.pass_s), number_cell(run.per_second),
          number_cell(run.batches),   text_cell(run.failure)};
      for (std::size_t c = 0; c < std::size(cells); ++c) sheet.table.columns[c].cells.push_back(cells[c]);
      if (sheet.path.empty()) sheet.path = catalog.files[run.source].name;
      ++sheet.table.rows;
    }
  }
  if (sheet.table.rows == 0) return std::nullopt;
  return sheet;
}

}  // namespace assay
