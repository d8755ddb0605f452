// Where tables of `stats` go: standard output, or files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/stats.hpp"
#include "files/staged_file.hpp"

namespace assay {

/// A file that is written beside and renamed, so that a table is there whole or not at all.
class TableFile {
 public:
  /// Makes the folder too.
  TableFile(const std::filesystem::path& file, const files::OutputKind& kind) : staged_(make(file, kind)) {}
  std::ostream& out() { return staged_ ? staged_->stream() : nowhere_; }
  Status finish() { return staged_ ? staged_->publish() : Status(staged_.error()); }

 private:
  /// Folders that were made for the file, the innermost first; they go again where nothing was written to them.
  struct CreatedFolders {
    std::vector<std::filesystem::path> all;
    ~CreatedFolders();
  };
  Result<files::StagedFile> make(const std::filesystem::path& file, const files::OutputKind& kind);

  CreatedFolders made_;  // destroyed after staged_
  Result<files::StagedFile> staged_;
  std::ostream nowhere_{nullptr};
};

RowFormat format_of(const StatsOptions& options);

/// A table with these column titles: they are how an earlier one is known again.
files::OutputKind kind_of_table(const std::vector<std::string>& titles, RowFormat format);

/// The file of a table below -o.
std::filesystem::path file_of(const StatsOptions& options, const std::string& name);

/// Prints the line above a table: for people, and where there are several.
void print_heading(std::string_view title, std::string_view report);

/// Everything that is said of one file beside its tables, on standard error.
void print_remarks(const std::string& file, const ReportResult& result);

/// Writes tables that were held.
class TablePrinter {
 public:
  TablePrinter(const StatsOptions& options, bool headings);

  /// To the file of that name, or under the heading `asked` to standard output.
  [[nodiscard]] Status print(const std::string& name, const OwnedTable& table, std::string_view asked) const;

 private:
  const StatsOptions& options_;
  bool headings_;
  std::size_t width_;
};

}  // namespace assay
