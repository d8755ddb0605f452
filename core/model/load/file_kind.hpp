// What a file is.
#pragma once

#include <string_view>

namespace assay {

/// What a file is, by content and not by name: the kind of a format (load/format.hpp), or one of those that are no
/// report. Two kinds are equal when their words are.
struct FileKind {
  std::string_view word;   ///< as `assay list` says it; static
  bool report = false;     ///< read as a report
  bool framework = false;  ///< of a framework's profiler, which records operators and allocations
  bool counters = false;   ///< counters of kernels, which join the profile of the same run

  friend constexpr bool operator==(const FileKind& a, const FileKind& b) { return a.word == b.word; }

  static const FileKind kOtherSqlite;  ///< a SQLite database that is no report
  static const FileKind kSidecar;     ///< results.json, CSVs, READMEs, assay's own results: not expected to be a report
  static const FileKind kUnreadable;  ///< could not be opened or read, or is named like a report and is not one
};

inline constexpr FileKind FileKind::kOtherSqlite{"other sqlite"};
inline constexpr FileKind FileKind::kSidecar{"sidecar"};
inline constexpr FileKind FileKind::kUnreadable{"unreadable"};

/// Whether files of that kind are read as reports.
constexpr bool is_report(FileKind kind) { return kind.report; }

}  // namespace assay
