#include "sheets/sheets.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "config/label_value.hpp"
#include "config/runner_section.hpp"
#include "files/read_file.hpp"

namespace assay {
namespace {

SheetCell number_cell(const std::optional<double>& number) {
  return number ? SheetCell{shortest(*number), {*number}} : SheetCell{};
}

SheetCell text_cell(const std::string& text) { return {text, {}}; }

/// One row per profile and runner file: report, run, source, process_s, pass_s, throughput, batches (empty if missing)
/// and failure. A run of the question without a report has a row with an empty report. Empty if there are no rows.
std::optional<OwnedSheet> runner_sheet(const Catalog& catalog, const QuestionCatalog& found) {
  OwnedSheet sheet{std::string(kRunnerSheet), {}, {}, {}};
  for (const char* name : {"report", "run", "source", "process_s", "pass_s", "throughput", "batches", "failure"}) {
    sheet.table.columns.push_back({name, {}});
  }
  for (const RunnerRun& run : found.runs) {
    std::vector<std::string> reports;
    for (const std::size_t file : run.files) reports.push_back(catalog.files[file].name);
    if (reports.empty() && run.own) reports.emplace_back();  // a run of the question that left no report
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

/// Renames the column in `spec.time` to `time`, the name under which analyzers look for it. Returns why that is
/// impossible; empty: renamed, or the sheet names no such column.
std::string rename_times(const SheetSpec& spec, SheetTexts& table) {
  constexpr std::string_view kTime = "time";
  if (spec.time.empty()) return {};
  const auto column = [&](std::string_view name) {
    return std::ranges::find(table.columns, name, &SheetTexts::NamedColumn::name);
  };
  const std::string asked = fmt::format("[[sheet]] {} names '{}' as its times", spec.id, spec.time);
  const auto times = column(spec.time);
  if (times == table.columns.end()) return asked + ", a column that this file does not have.";
  if (spec.time != kTime && column(kTime) != table.columns.end())
    return asked + ", but this file also has a column 'time'; leave one of them out.";
  times->name = kTime;
  return {};
}

constexpr std::uint64_t kLargest = 256U << 20;

Result<SheetTexts> read(const FoundFile& file) {
  const Result<std::string> bytes = files::read_file(file.path, kLargest, files::NamedBy::kFolder);
  if (!bytes) return bytes.error();
  return file.path.extension() == ".csv" ? csv_table(*bytes) : json_table(*bytes);
}

}  // namespace

Sheets read_sheets(const Question& question, const Catalog& catalog, const QuestionCatalog& found) {
  Sheets sheets;
  for (const FoundSheet& sheet : found.sheets) {
    const FoundFile& file = catalog.files[sheet.file];
    for (const std::string& problem : sheet.problems) sheets.problems.push_back({file.name, problem});
    Result<SheetTexts> table = read(file);
    if (!table) {
      sheets.problems.push_back({file.name, "This file " + table.error().sentence + "."});
      continue;
    }
    for (const std::string& problem : table->problems)
      sheets.problems.push_back({file.name, "Of this file " + problem + "."});
    const SheetSpec& spec = question.sheets[sheet.spec];
    if (const std::string problem = rename_times(spec, *table); !problem.empty()) {
      sheets.problems.push_back({file.name, problem});
      continue;
    }
    sheets.read.push_back({spec.id, file.name, sheet.labels, std::move(*table)});
  }
  if (std::optional<OwnedSheet> runner = runner_sheet(catalog, found)) sheets.read.push_back(*std::move(runner));
  std::ranges::sort(sheets.read, [](const OwnedSheet& a, const OwnedSheet& b) {
    return std::tie(a.id, a.path) < std::tie(b.id, b.path);
  });
  return sheets;
}

}  // namespace assay
