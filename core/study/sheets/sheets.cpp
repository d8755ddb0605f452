#include "sheets/sheets.hpp"

#include <algorithm>
#include <tuple>

#include "files/read_file.hpp"
#include "sheets/runner_sheet.hpp"

namespace assay {
namespace {

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
    sheets.read.push_back({question.sheets[sheet.spec].id, file.name, sheet.labels, std::move(*table)});
  }
  if (std::optional<OwnedSheet> runner = runner_sheet(catalog, found)) sheets.read.push_back(*std::move(runner));
  std::sort(sheets.read.begin(), sheets.read.end(),
            [](const OwnedSheet& a, const OwnedSheet& b) { return std::tie(a.id, a.path) < std::tie(b.id, b.path); });
  return sheets;
}

}  // namespace assay
