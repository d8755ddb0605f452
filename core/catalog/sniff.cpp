#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "catalog/catalog.hpp"
#include "catalog/environment.hpp"
#include "files/walk.hpp"
#include "load/ncu/sniff_ncu.hpp"
#include "load/nsys/immutable_database.hpp"
#include "load/trace/sniff_trace.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};
constexpr std::size_t kSqliteHeader = 100;
/// What takes the place of ".ncu-rep" in the names of CSVs that are joined by stem.
constexpr const char* kNcuCsvs[] = {".ncu.raw.csv", ".ncu.details.csv", ".ncu.csv", ".csv"};

struct Schema {
  bool complete = false;  ///< read to its end
  bool nsys = false;      ///< has a table that only nsys writes
  bool ours = false;      ///< is a results.sqlite of assay
  std::vector<std::string> tables;
};

bool is_nsys_table(std::string_view name) {
  constexpr std::string_view kNames[] = {"StringIds",
                                         "META_DATA_EXPORT",
                                         "EXPORT_META_DATA",
                                         "META_DATA_CAPTURE",
                                         "ANALYSIS_DETAILS",
                                         "NVTX_EVENTS",
                                         "OSRT_API",
                                         "PROFILER_OVERHEAD",
                                         "TARGET_INFO_GPU",
                                         "DIAGNOSTIC_EVENT",
                                         "SCHED_EVENTS",
                                         "COMPOSITE_EVENTS",
                                         "TARGET_INFO_SYSTEM_ENV",
                                         "TARGET_INFO_SESSION_START_TIME"};
  return name.starts_with("CUPTI_ACTIVITY_KIND_") ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

Schema read_schema(const fs::path& file) {
  Schema schema;
  const auto db = open_immutable(file);
  if (db == nullptr) return schema;
  sqlite3_stmt* raw = nullptr;
  sqlite3_prepare_v2(db.get(), "SELECT name FROM sqlite_schema WHERE type = 'table'", -1, &raw, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  int outcome = SQLITE_ERROR;
  while (raw != nullptr && (outcome = sqlite3_step(raw)) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(raw, 0));
    if (name != nullptr) schema.tables.emplace_back(name);
  }
  schema.complete = outcome == SQLITE_DONE;
  schema.nsys = std::any_of(schema.tables.begin(), schema.tables.end(), is_nsys_table);
  constexpr std::string_view kOurs[] = {"reports", "labels", "facts", "samples", "findings", "claims"};
  schema.ours = std::all_of(std::begin(kOurs), std::end(kOurs), [&](std::string_view table) {
    return std::find(schema.tables.begin(), schema.tables.end(), table) != schema.tables.end();
  });
  return schema;
}

/// Whether the beginning of a file holds the text by which nsys makes a table. For databases whose list of tables
/// cannot be followed: its pages lie near the front, in any order.
bool mentions_nsys_table(const fs::path& file) {
  constexpr std::size_t kBytes = 1U << 20;
  constexpr std::string_view kCreate = "CREATE TABLE ";
  std::string bytes(kBytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(kBytes));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  for (std::size_t at = bytes.find(kCreate); at != std::string::npos; at = bytes.find(kCreate, at + 1)) {
    const std::string_view rest = std::string_view(bytes).substr(at + kCreate.size(), 100);
    if (is_nsys_table(rest.substr(0, rest.find_first_of(" (\n")))) return true;
  }
  return false;
}

fs::path beside(const fs::path& file, const char* suffix) { return {file.native() + suffix}; }

bool has_bytes(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  return !failed && size > 0;
}

void unreadable(FoundFile& found, std::string sentence) {
  found.kind = FileKind::kUnreadable;
  found.problem = std::move(sentence);
}

void sniff_sqlite(FoundFile& found) {
  if (found.size < kSqliteHeader) {
    return unreadable(found, "This file ends inside the SQLite header (" + std::to_string(found.size) +
                                 " bytes); copy or export it again.");
  }
  const Schema schema = read_schema(found.path);
  const fs::path log = beside(found.path, "-wal");
  const bool being_written = has_bytes(log) || has_bytes(beside(found.path, "-journal"));
  const bool doubtful = !schema.complete || being_written;
  if (schema.nsys || (doubtful && (mentions_nsys_table(found.path) || mentions_nsys_table(log)))) {
    found.kind = FileKind::kNsysSqlite;
  } else if (schema.ours) {
    found.kind = FileKind::kSidecar;
  } else if (!schema.complete) {
    unreadable(
        found,
        "This SQLite database is damaged or cut off, its list of tables cannot be read; copy or export it again.");
  } else {
    found.kind = FileKind::kOtherSqlite;
    if (named_like_a_report(found.path)) {
      found.problem =
          "This SQLite database is no nsys export (" +
          (schema.tables.empty() ? "it has no tables" : "its first table is '" + schema.tables.front() + "'") +
          "); remove it, or exclude it in [reports].";
    }
  }
}

bool looks_like_text(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 ? std::strchr("\t\n\r\f\x1b", c) == nullptr || c == '\0' : byte == 0x7f;
  });
}

/// Whether what ncu printed of a report lies beside it, under any of the names that are joined by stem.
bool has_ncu_csv(const fs::path& report) {
  return std::any_of(std::begin(kNcuCsvs), std::end(kNcuCsvs), [&](const char* extension) {
    fs::path csv = report;
    std::error_code ignored;
    return fs::exists(csv.replace_extension(extension), ignored);
  });
}

/// A file named like a report whose bytes are not a database.
void explain(FoundFile& found, std::string_view head) {
  if (head.empty())
    return unreadable(found, named_like_a_trace(found.path)
                                 ? "This file is empty; expected a PyTorch trace, export it again."
                                 : "This file is empty; expected an nsys export, export it again.");
  if (head.starts_with("version https://git-lfs")) {
    return unreadable(found, "This file is a Git LFS pointer and not the report itself; fetch it with 'git lfs pull'.");
  }
  if (named_like_a_trace(found.path)) {
    return unreadable(found,
                      "This file is named like a PyTorch trace and holds no traceEvents near its beginning; "
                      "export the trace again.");
  }
  if (lower_extension(found.path) == kNcuReport) {
    if (has_ncu_csv(found.path)) {
      found.kind = FileKind::kSidecar;
      return;
    }
    return unreadable(found, "This Nsight Compute report has no CSV beside it; run assay convert '" +
                                 found.path.string() + "', or assay run with --convert (both use ncu --import --csv).");
  }
  if (lower_extension(found.path) != ".sqlite") {
    fs::path exported = found.path;
    exported.replace_extension(".sqlite");
    std::error_code ignored;
    if (fs::exists(exported, ignored)) {
      found.kind = FileKind::kSidecar;
      return;
    }
    return unreadable(found, "This nsys report has no SQLite export beside it; run assay convert '" +
                                 found.path.string() +
                                 "', or assay run with --convert (both use nsys export --type sqlite).");
  }
  if (looks_like_text(head))
    return unreadable(found, "This file is text and no SQLite database; remove it or export it again.");
  unreadable(found, "This file is no SQLite database (its first bytes are not those of one); copy or export it again.");
}

/// What can be told without opening the file; true when that is all.
bool told_by_status(FoundFile& found, bool named) {
  std::error_code failed;
  const fs::file_status status = fs::status(found.path, failed);
  const bool link = fs::is_symlink(fs::symlink_status(found.path, failed));
  if (fs::is_regular_file(status)) return false;
  found.kind = FileKind::kSidecar;
  if (!named) return true;
  if (fs::is_directory(status)) {
    unreadable(found, link ? "This is a link to a folder; expected a file, links to folders are not followed."
                           : "This is a folder named like a report; expected a file, rename or remove it.");
  } else if (status.type() == fs::file_type::not_found || (link && !fs::exists(status))) {
    unreadable(found, link ? "This is a link to nothing; repair or remove it." : "This file is gone; run again.");
  } else {
    unreadable(found, "This is not a regular file (a pipe, socket or device); expected an nsys export, remove it.");
  }
  return true;
}

}  // namespace

FoundFile sniff(const fs::path& path, std::string name) {
  FoundFile found;
  found.name = std::move(name);
  found.path = path;
  const bool named = named_like_a_report(path);
  if (told_by_status(found, named)) return found;
  std::error_code failed;
  found.size = fs::file_size(path, failed);
  std::array<char, 512> bytes{};
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    found.kind = FileKind::kSidecar;
    if (named)
      unreadable(found, std::string("This file cannot be read (") + std::strerror(errno) + "); allow reading it.");
    return found;
  }
  in.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(in.gcount()));
  if (head.starts_with(kSqliteMagic))
    sniff_sqlite(found);
  else if (is_ncu_csv(path))
    found.kind = FileKind::kNcuCsv;
  else if (is_trace(path, head))
    found.kind = FileKind::kTorchTrace;
  else if (named)
    explain(found, head);
  else
    found.kind = FileKind::kSidecar;
  if (is_report(found.kind)) found.environment = read_environment(path, found.kind);
  return found;
}

}  // namespace assay
