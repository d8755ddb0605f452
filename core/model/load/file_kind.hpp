// Kinds of files.
#pragma once

#include <string_view>

namespace assay {

/// Kind of a file by content, not by name: that of a format (load/format.hpp), or one of those that are not reports.
/// Kinds are equal if their words are.
struct FileKind {
  std::string_view word;   ///< as printed by `assay list`; static
  bool report = false;     ///< is read as a report
  bool framework = false;  ///< from a framework's profiler, which records operators and allocations
  bool counters = false;   ///< counters of kernels, which are joined to the profile of the same run

  friend constexpr bool operator==(const FileKind& a, const FileKind& b) { return a.word == b.word; }

  static const FileKind kOtherSqlite;  ///< an SQLite database that is not a report
  static const FileKind kSidecar;      ///< results.json, CSVs, READMEs, assay's own results: not expected to be reports
  static const FileKind kUnreadable;   ///< cannot be opened or read, or is named like a report without being one
};

inline constexpr FileKind FileKind::kOtherSqlite{"other sqlite"};
inline constexpr FileKind FileKind::kSidecar{"sidecar"};
inline constexpr FileKind FileKind::kUnreadable{"unreadable"};

/// Whether files of that kind are read as reports.
constexpr bool is_report(FileKind kind) { return kind.report; }

}  // namespace assay
