// Destination of tables of `stats`: standard output, or files that are complete or missing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "files/staged_file.hpp"
#include "stats/stats_command.hpp"

namespace assay {

/// A file that is written under another name and renamed, so that a table is complete or missing.
class TableFile {
 public:
  /// Also creates the folder.
  TableFile(const std::filesystem::path& file, const files::OutputKind& kind) : staged_(make(file, kind)) {}
  std::ostream& out() { return staged_ ? staged_->stream() : nowhere_; }
  Status finish() { return staged_ ? staged_->publish() : Status(staged_.error()); }

 private:
  /// Folders that were created for the file, the innermost first; removed again if nothing was written to them.
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

/// Output kind for a table with these column titles, by which an earlier file of it is recognized.
files::OutputKind kind_of_table(const std::vector<std::string>& titles, RowFormat format);

/// File of a table below -o.
std::filesystem::path file_of(const StatsOptions& options, const std::string& name);

/// Prints the line above a table, for people if there are several.
void print_heading(std::string_view title, std::string_view report);

/// Prints all remarks on one file to standard error.
void print_remarks(const std::string& file, const ReportResult& result);

/// Prints or writes tables that are in memory.
class TablePrinter {
 public:
  TablePrinter(const StatsOptions& options, bool headings);

  /// Prints a table to the file of that name, or under the heading `asked` to standard output.
  [[nodiscard]] Status print(const std::string& name, const OwnedTable& table, std::string_view asked) const;

 private:
  const StatsOptions& options_;
  bool headings_;
  std::size_t width_;
};

}  // namespace assay
