// Findings of `assay doctor` on this machine, one per row; tools add theirs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/rows.hpp"

namespace assay {

/// A program that assay starts, its purpose, and how to get it.
struct Helper {
  const char* name;
  const char* purpose;
  const char* advice;
};

/// Findings, and advice for those that are not fine.
class MachineReport {
 public:
  void found(const Helper& helper, const std::filesystem::path& program, const std::string& version);
  void missing(const Helper& helper, const std::string& why);
  void row(const std::string& what, const std::string& found, const std::string& version, const std::string& purpose);
  /// Adds advice to the last row.
  void advise(const std::string& sentence);

  /// For programs the advice is a column.
  void print(RowFormat format) const;

 private:
  struct Row {
    std::vector<std::string> cells, advice;
  };
  std::vector<Row> rows_;
};

}  // namespace assay
