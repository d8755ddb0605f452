#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "assay/words.hpp"
#include "catalog/catalog.hpp"
#include "catalog/foreign.hpp"
#include "files/served.hpp"
#include "files/walk.hpp"
#include "load/format.hpp"
#include "load/report_names.hpp"
#include "sqlite/database.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

/// `remedy`: what to do.
void unreadable(FoundFile& found, const std::string& problem, const std::string& remedy) {
  found.kind = FileKind::kUnreadable;
  found.problem = problem + "; " + remedy;
  found.remedy = remedy;
}

/// Marks a file as that of another tool if it is known, else with `problem`. Not mentioned if the file to read instead
/// is next to it.
void unreadable_or_foreign(FoundFile& found, const std::string& problem, const std::string& remedy) {
  const ForeignName foreign = foreign_file(found.path);
  found.kind = FileKind::kSidecar;
  if (!foreign.beside)
    foreign.problem.empty() ? unreadable(found, problem, remedy) : unreadable(found, foreign.problem, foreign.remedy);
}

/// Notes what is not read of a trace by another tool whose operators are read.
void note_partly_read(FoundFile& found) {
  const ForeignName foreign = foreign_file(found.path);
  if (!foreign.partly) return;
  found.problem = foreign.problem + "; " + foreign.remedy;
  found.remedy = foreign.remedy;
}

/// What a name suggests, and what to do.
std::string expected_by_name(const fs::path& file) {
  const load::Format* format = format_by_name(file);
  return format == nullptr ? expected_reports() : fmt::format("{}, {}", format->names.one, format->names.again);
}

/// The first explanation that a format has, in the order in which they are asked for their files.
std::optional<load::Explanation> explanation_of(const load::Candidate& file) {
  for (const bool last : {false, true}) {
    for (const load::Format* format : load::formats()) {
      if (format->asked_last != last) continue;
      if (std::optional<load::Explanation> explanation = format->explain(file)) return explanation;
    }
  }
  return std::nullopt;
}

/// Whether a format explains a file that it would read if it were intact.
bool explained_by_a_format(FoundFile& found, const load::Candidate& file) {
  if (const std::optional<load::Explanation> explanation = explanation_of(file)) {
    if (explanation->problem.empty())
      found.kind = FileKind::kSidecar;
    else if (explanation->certain)
      unreadable(found, explanation->problem, explanation->remedy);
    else
      unreadable_or_foreign(found, explanation->problem, explanation->remedy);
    return true;
  }
  for (const load::LeftOutFormat& format : load::left_out_formats()) {
    const std::string name = lower_case(file.path.filename().native());
    if (!std::ranges::any_of(format.telling, [&](std::string_view end) { return name.ends_with(end); })) continue;
    unreadable(
        found,
        fmt::format("This file is named like one of the format '{}', without which this assay is built", format.word),
        "build assay with it in -DASSAY_FORMATS, or without that option.");
    return true;
  }
  return false;
}

/// Explains a database that no format reads.
void explain_database(FoundFile& found, const load::Candidate& file) {
  const sqlite::ForeignFile& database = file.database;
  if (found.size < sqlite::kHeaderBytes) {
    return unreadable(found, "This file ends inside the SQLite header (" + std::to_string(found.size) + " bytes)",
                      "copy or export it again.");
  }
  const sqlite::TableList& tables = database.tables();
  constexpr std::string_view kOurs[] = {"reports", "labels", "facts", "samples", "findings", "claims"};
  const bool ours = std::all_of(std::begin(kOurs), std::end(kOurs), [&](std::string_view table) {
    return std::ranges::find(tables.names, table) != tables.names.end();
  });
  if (ours) {
    found.kind = FileKind::kSidecar;
  } else if (!tables.complete) {
    unreadable(found, "This SQLite database is damaged or cut off: its list of tables cannot be read",
               "copy or export it again.");
  } else if (const ForeignName foreign = foreign_file(found.path); !foreign.problem.empty()) {
    unreadable(found, foreign.problem, foreign.remedy);
  } else if (!explained_by_a_format(found, file)) {
    found.kind = FileKind::kOtherSqlite;
    if (named_like_a_report(found.path)) {
      found.remedy = "remove it, or exclude it in [reports].";
      found.problem = fmt::format(
          "This SQLite database is not {} ({}); {}", format_by_name(found.path)->names.one,
          tables.names.empty() ? std::string("it has no tables") : "its first table is '" + tables.names.front() + "'",
          found.remedy);
    }
  }
}

/// Explains a file that is named like a report but that no format reads.
void explain(FoundFile& found, const load::Candidate& file) {
  if (file.head.empty())
    return unreadable(found, "This file is empty", "expected " + expected_by_name(found.path) + ".");
  if (file.head.starts_with("version https://git-lfs")) {
    return unreadable(found, "This file is a Git LFS pointer, not the profile itself", "fetch it with 'git lfs pull'.");
  }
  if (explained_by_a_format(found, file)) return;
  const load::FormatNames& names = format_by_name(found.path)->names;
  unreadable_or_foreign(found, fmt::format("This file is named like {} but is none", names.one),
                        fmt::format("{}.", names.again));
}

/// Classifies without opening the file; true if that is sufficient.
bool classified_by_stat(FoundFile& found, bool named) {
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
    unreadable(found, "This is not a regular file (a pipe, socket or device)",
               fmt::format("expected {}, remove it.", format_by_name(found.path)->names.one));
  }
  return true;
}

}  // namespace

Error refusal_of(const FoundFile& file) {
  const std::string place = file.path.string();
  if (!file.problem.empty()) return {file.problem, Exit::kUsage, place, file.remedy};
  return Error{"'" + place + "' is not a profile"}.at(place).advise("expected " + expected_reports());
}

std::string_view property_text(const FoundFile& file, std::string_view name) {
  const auto at =
      std::ranges::find(file.environment, name, [](const auto& pair) { return std::string_view(pair.first); });
  return at == file.environment.end() ? std::string_view() : std::string_view(at->second);
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
  if (classified_by_stat(found, named)) return found;
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
    load::Format::Identity identity = format->identify(file);
    found.environment = std::move(identity.environment);
    found.foretold = std::move(identity.foretold);
    std::ranges::sort(found.environment);
    if (format->kind.framework && property_text(found, "device").empty()) note_partly_read(found);
  } else if (head.starts_with(sqlite::kMagic)) {
    explain_database(found, file);
  } else if (named) {
    explain(found, file);
  } else if (!explained_by_a_format(found, file)) {
    found.kind = FileKind::kSidecar;
    // "run.sqlite.xz"
    const bool asked = named_like_a_report(path.stem()) || begins_like_a_foreign_profile(path, head);
    const ForeignName foreign = asked ? foreign_file(path) : ForeignName();
    if (!foreign.problem.empty() && !foreign.beside) unreadable(found, foreign.problem, foreign.remedy);
  }
  return found;
}

}  // namespace assay
