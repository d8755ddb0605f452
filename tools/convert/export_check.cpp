#include "convert/export_check.hpp"

#include <fmt/core.h>

#include <fstream>

#include "load/format.hpp"
#include "load/issue.hpp"
#include "load/sqlite_file.hpp"

namespace assay::convert {
namespace fs = std::filesystem;
namespace {

ExportCheck incomplete(std::string why) { return {ExportState::kIncomplete, std::move(why), {}}; }
ExportCheck foreign(std::string why) { return {ExportState::kForeign, std::move(why), {}}; }

bool has_bytes(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  return !failed && size > 0;
}

bool has_table(const load::Connection& database, const std::string& name) {
  sqlite::Statement found(database.handle(),
                          "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '" + name + "'");
  return found.step();
}

bool has_rows(const load::Connection& database, const std::string& table) {
  sqlite::Statement row(database.handle(), "SELECT 1 FROM " + table + " LIMIT 1");
  return row.step();
}

/// The first table or view that was added to an export. nsys writes its table META_DATA_EXPORT last, but for some that
/// it names in capitals.
std::string added_table(const load::Connection& database) {
  sqlite::Statement added(database.handle(),
                          "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name GLOB '*[a-z]*' AND "
                          "rowid > (SELECT rowid FROM sqlite_schema WHERE name = 'META_DATA_EXPORT') AND "
                          "name NOT GLOB 'sqlite_*' ORDER BY rowid");
  return added.step() ? std::string(added.text(0)) : std::string();
}

ExportCheck check_tables(const fs::path& file, const load::Connection& database) {
  sqlite::Statement tables(database.handle(), "SELECT count(*) FROM sqlite_schema WHERE type = 'table'");
  if (!tables.step()) return incomplete("is damaged: its list of tables cannot be read (" + database.problem() + ")");
  if (tables.integer(0) == 0) return incomplete("holds no table");
  if (!has_table(database, "StringIds")) {
    const load::Format* format = load::format_of(file);
    if (format != nullptr && !format->names.raw.empty())
      return incomplete("lacks the table StringIds, which every export of nsys begins with");
    return foreign("is some other database, not an export of nsys");
  }
  // nsys writes this table last; before 2022 there was none.
  for (const char* last : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
    if (has_table(database, last) && !has_rows(database, last)) {
      return incomplete(fmt::format("was not finished: its table {} has no row", last));
    }
  }
  return {ExportState::kComplete, {}, added_table(database)};
}

ExportCheck check_database(const fs::path& file) {
  for (const char* suffix : {"-wal", "-journal"}) {
    const fs::path beside = file.native() + suffix;
    if (has_bytes(beside)) {
      return incomplete(beside.filename().native() + " next to it shows that it is being written or was not finished");
    }
  }
  const Result<load::SqliteFile> opened = load::SqliteFile::open(file, {.one = "an export"});
  if (!opened) return incomplete("is not a complete SQLite database");
  for (const load::Issue& issue : opened->issues()) {
    if (issue.severity == Severity::kError) return incomplete("is cut off: " + issue.text);
  }
  const Result<load::Connection> database = opened->connect();
  if (!database) return incomplete("cannot be opened");
  return check_tables(file, *database);
}

/// Start of a page of Nsight Compute: the table may follow lines of the tool and of the profiled program.
bool has_header(std::ifstream& in) {
  constexpr std::size_t kLooked = 1U << 20;
  std::string bytes(kLooked, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(kLooked));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  in.clear();
  return bytes.starts_with("\"ID\",") || bytes.find("\n\"ID\",") != std::string::npos;
}

ExportCheck check_page(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return incomplete("cannot be read");
  if (!has_header(in)) return incomplete("holds no table of Nsight Compute");
  char last = 0;
  in.seekg(-1, std::ios::end);
  if (!in.get(last) || last != '\n') return incomplete("ends inside a line");
  return {ExportState::kComplete, {}, {}};
}

}  // namespace

ExportCheck check_export(const Export& made) {
  std::error_code failed;
  const fs::file_status status = fs::status(made.file, failed);
  if (!fs::exists(status)) return {};
  if (!fs::is_regular_file(status)) return foreign("is not a regular file");
  if (!has_bytes(made.file)) return incomplete("is empty");
  return made.page.empty() ? check_database(made.file) : check_page(made.file);
}

}  // namespace assay::convert
