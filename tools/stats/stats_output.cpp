#include "stats/stats_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "cli/json_document.hpp"
#include "cli/terminal.hpp"
#include "render/hidden_characters.hpp"
#include "render/text.hpp"

namespace assay {

Result<files::StagedFile> TableFile::make(const std::filesystem::path& file, const files::OutputKind& kind) {
  std::error_code failed;
  const auto is_new = [&](const std::filesystem::path& folder) {  // a dangling link is the user's
    return !folder.empty() && !std::filesystem::exists(std::filesystem::symlink_status(folder, failed));
  };
  for (std::filesystem::path folder = file.parent_path(); is_new(folder); folder = folder.parent_path())
    made_.all.push_back(folder);
  std::filesystem::create_directories(file.parent_path(), failed);
  if (failed) return files::not_written(file.parent_path(), failed.message());
  return files::StagedFile::make(file, kind);
}

TableFile::CreatedFolders::~CreatedFolders() {
  std::error_code failed;
  for (const std::filesystem::path& folder : all) std::filesystem::remove(folder, failed);  // fails if it is not empty
}

RowFormat format_of(const StatsOptions& options) {
  return options.format.value_or(options.out.empty() ? RowFormat::kTable : RowFormat::kCsv);
}

files::OutputKind kind_of_table(const std::vector<std::string>& titles, RowFormat format) {
  files::OutputKind kind{.name = "the same table of an earlier run", .in_folder = true};
  if (format == RowFormat::kJson)
    kind.begins = titles.empty() ? "[" : "[{\"" + titles.front() + "\":";
  else
    kind.begins = fmt::format("{}", fmt::join(titles, format == RowFormat::kCsv ? "," : " "));
  return kind;
}

std::filesystem::path file_of(const StatsOptions& options, const std::string& name) {
  return options.out / (name + extension_of(format_of(options)));
}

void print_heading(std::string_view title, std::string_view report) {
  std::cout << " ** " << title << " (" << report << "):\n\n";
}

void print_remarks(const std::string& file, const ReportResult& result) {
  for (const Skip& skip : result.skips) std::cerr << one_line(file) << ": skipped " << one_line(skip.reason) << "\n";
  for (const OwnedIssue& issue : result.issues) {
    const bool said = std::ranges::any_of(result.skips, [&](const Skip& skip) { return skip.reason == issue.text; });
    if (!said) std::cerr << one_line(file) << ": " << one_line(issue.text) << "\n";
  }
}

TablePrinter::TablePrinter(const StatsOptions& options, bool headings)
    : options_(options), headings_(headings), width_(table_width()) {}

Status TablePrinter::print(const std::string& name, const OwnedTable& table, std::string_view asked) const {
  if (!options_.out.empty()) {
    std::vector<std::string> titles;
    for (const OwnedTable::Column& column : table.columns) titles.push_back(stats_title(column.name, column.unit));
    TableFile file(file_of(options_, name), kind_of_table(titles, format_of(options_)));
    write_stats(file.out(), table, format_of(options_), 0, true);
    return file.finish();
  }
  if (document::wanted()) {
    write_stats(std::cout, table, RowFormat::kJson, 0);
    document::end_table(name);
    return ok();
  }
  if (headings_) print_heading(table.title, asked);
  if (width_ == 0) {
    write_stats(std::cout, table, format_of(options_), width_);
  } else {  // a terminal
    std::ostringstream text;
    write_stats(text, table, format_of(options_), width_);
    std::cout << visible(text.str());
  }
  return ok();
}

}  // namespace assay
