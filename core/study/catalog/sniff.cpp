#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "catalog/catalog.hpp"
#include "catalog/foreign.hpp"
#include "catalog/jobs.hpp"
#include "files/served.hpp"
#include "files/walk.hpp"
#include "load/format.hpp"
#include "load/ncu/sniff_ncu.hpp"
#include "load/report_names.hpp"
#include "load/rocpd/tables.hpp"
#include "sqlite/database.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRecordRocpd = "record the run with rocprofv3 --output-format rocpd.";

/// `remedy`: what to do.
void unreadable(FoundFile& found, const std::string& problem, const std::string& remedy) {
  found.kind = FileKind::kUnreadable;
  found.problem = problem + "; " + remedy;
  found.remedy = remedy;
}

/// As what it is, if it is known as a file of another tool; else with `problem`.
void unreadable_or_foreign(FoundFile& found, const std::string& problem, const std::string& remedy) {
  const ForeignName foreign = foreign_file(found.path);
  foreign.problem.empty() ? unreadable(found, problem, remedy) : unreadable(found, foreign.problem, foreign.remedy);
}

/// Says of a trace that another tool wrote, whose operators are read, what is not.
void note_partly_read(FoundFile& found) {
  const ForeignName foreign = foreign_file(found.path);
  if (!foreign.partly) return;
  found.problem = foreign.problem + "; " + foreign.remedy, found.remedy = foreign.remedy;
}

/// Whether a file is named as rocprofv3 names its databases, which no other program does.
bool named_like_rocpd(const fs::path& file) { return file.filename().native().ends_with("_results.db"); }

/// What a name lets expect, and what to do.
std::string expected_by_name(const fs::path& file) {
  if (named_like_a_trace(file)) return "a PyTorch trace, export it again";
  return named_like_rocpd(file) ? "a database of rocprofv3, copy it again" : "an nsys export, export it again";
}

/// Whether a file begins like one of the CSVs of rocprofv3 and has not the database of the same process beside it.
bool is_lone_csv_of_amd(const fs::path& path, std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\n'));
  const auto has = [&](std::string_view column) { return line.find(column) != std::string_view::npos; };
  if (!has("\"Correlation_Id\"") || !(has("\"Start_Timestamp\"") || has("\"Dispatch_Id\""))) return false;
  const std::string name = path.filename().string();
  std::error_code ignored;
  return !fs::exists(path.parent_path() / (name.substr(0, name.find('_')) + "_results.db"), ignored);
}

/// A database that no format reads.
void explain_database(FoundFile& found, const sqlite::ForeignFile& database) {
  if (found.size < sqlite::kHeaderBytes) {
    return unreadable(found, "This file ends inside the SQLite header (" + std::to_string(found.size) + " bytes)",
                      "copy or export it again.");
  }
  const sqlite::TableList& tables = database.tables();
  constexpr std::string_view kOurs[] = {"reports", "labels", "facts", "samples", "findings", "claims"};
  const bool ours = std::all_of(std::begin(kOurs), std::end(kOurs), [&](std::string_view table) {
    return std::find(tables.names.begin(), tables.names.end(), table) != tables.names.end();
  });
  if (ours) {
    found.kind = FileKind::kSidecar;
  } else if (!tables.complete) {
    unreadable(found, "This SQLite database is damaged or cut off: its list of tables cannot be read",
               "copy or export it again.");
  } else if (const ForeignName foreign = foreign_file(found.path); !foreign.problem.empty()) {
    unreadable(found, foreign.problem, foreign.remedy);
  } else if (std::ranges::any_of(tables.names, load::rocpd::is_rocpd_table)) {
    unreadable(found, "This database has tables of rocpd, but not both rocpd_metadata and kernel dispatches or regions",
               "it is damaged or was never finished, copy it again.");
  } else {
    found.kind = FileKind::kOtherSqlite;
    if (named_like_a_report(found.path)) {
      found.remedy = "remove it, or exclude it in [reports].";
      found.problem =
          std::string(named_like_rocpd(found.path) ? "This SQLite database is not one of rocprofv3 ("
                                                   : "This SQLite database is not an nsys export (") +
          (tables.names.empty() ? "it has no tables" : "its first table is '" + tables.names.front() + "'") + "); " +
          found.remedy;
    }
  }
}

bool looks_like_text(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 ? std::strchr("\t\n\r\f\x1b", c) == nullptr || c == '\0' : byte == 0x7f;
  });
}

/// A file named like a report whose bytes are not a database.
void explain(FoundFile& found, std::string_view head) {
  if (head.empty()) return unreadable(found, "This file is empty", "expected " + expected_by_name(found.path) + ".");
  if (head.starts_with("version https://git-lfs")) {
    return unreadable(found, "This file is a Git LFS pointer, not the profile itself", "fetch it with 'git lfs pull'.");
  }
  if (named_like_a_trace(found.path)) {
    return unreadable_or_foreign(found,
                                 "This file is named like a PyTorch trace but has no traceEvents near its beginning",
                                 "export the trace again.");
  }
  if (lower_extension(found.path) == kNcuReport) {
    if (load::has_ncu_csv(found.path)) {
      found.kind = FileKind::kSidecar;
      return;
    }
    return unreadable(
        found, "This file is not a readable Nsight Compute report (its first bytes are not those of one)",
        "copy it again, or run assay convert '" + found.path.string() + "', which uses ncu --import --csv.");
  }
  if (named_like_rocpd(found.path)) {
    return unreadable_or_foreign(
        found,
        "This file is named like a database of rocprofv3 but is not an SQLite database (its first bytes "
        "are not those of one)",
        "copy it again.");
  }
  if (lower_extension(found.path) != ".sqlite") {
    fs::path exported = found.path;
    exported.replace_extension(".sqlite");
    std::error_code ignored;
    if (fs::exists(exported, ignored)) {
      found.kind = FileKind::kSidecar;
      return;
    }
    return unreadable(found, "This nsys report has no SQLite export next to it",
                      "run assay convert '" + found.path.string() +
                          "', or assay run with --convert (both use nsys export --type sqlite).");
  }
  if (looks_like_text(head))
    return unreadable_or_foreign(found, "This file is text, not an SQLite database", "remove it or export it again.");
  unreadable_or_foreign(found, "This file is not an SQLite database (its first bytes are not those of one)",
                        "copy or export it again.");
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
    unreadable(found,
               link ? "This is a link to a folder that is named like a profile"
                    : "This is a folder that is named like a profile",
               "expected a file, rename or remove it.");
  } else if (status.type() == fs::file_type::not_found || (link && !fs::exists(status))) {
    unreadable(found, link ? "This is a dangling link" : "This file is gone",
               link ? "repair or remove it." : "run again.");
  } else {
    unreadable(found, "This is not a regular file (a pipe, socket or device)", "expected an nsys export, remove it.");
  }
  return true;
}

}  // namespace

Error refusal_of(const FoundFile& file) {
  const std::string place = file.path.string();
  if (!file.problem.empty()) return {file.problem, Exit::kUsage, place, file.remedy};
  return Error{"'" + place + "' is not a profile"}.at(place).advise("expected " + expected_reports());
}

FoundFile sniff(const fs::path& path, std::string name) {
  FoundFile found;
  found.name = std::move(name);
  found.path = path;
  const bool named = named_like_a_report(path);
  if (!files::may_read(path)) {
    found.kind = FileKind::kSidecar;
    return found;
  }
  if (told_by_status(found, named)) return found;
  std::error_code failed;
  found.size = fs::file_size(path, failed);
  std::array<char, load::kHeadBytes> bytes{};
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    found.kind = FileKind::kSidecar;
    if (named)
      unreadable(found, std::string("This file cannot be read (") + std::strerror(errno) + ")",
                 "check its permissions.");
    return found;
  }
  in.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(in.gcount()));
  const load::Candidate file{.path = path, .size = found.size, .head = head};
  if (const load::Format* format = load::format_of(file)) {
    found.kind = format->kind;
    found.environment = format->environment(file);
    std::sort(found.environment.begin(), found.environment.end());
    if (format->kind.framework && said(found, "device").empty()) note_partly_read(found);
  } else if (head.starts_with(sqlite::kMagic)) {
    explain_database(found, file.database);
  } else if (is_lone_csv_of_amd(path, head)) {
    unreadable(found, "This is a CSV of rocprofv3, which is not read", kRecordRocpd);
  } else if (named) {
    explain(found, head);
  } else {
    found.kind = FileKind::kSidecar;
    // "run.sqlite.xz"
    const bool asked = named_like_a_report(path.stem()) || named_like_a_foreign_profile(path);
    const ForeignName foreign = asked ? foreign_file(path) : ForeignName();
    if (!foreign.problem.empty()) unreadable(found, foreign.problem, foreign.remedy);
  }
  return found;
}

}  // namespace assay
