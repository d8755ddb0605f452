#include "sqlite/database.hpp"

#include <mutex>

#include "files/percent.hpp"
#include "sqlite/budget.hpp"

namespace assay::sqlite {

namespace {

/// Turns off memory statistics (every allocation would lock their counter) and connection locks (each connection has
/// one thread), and charges allocations to the statement's budget. No effect if SQLite was already initialized in this
/// process.
void configure() {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  charge_allocations();
}

/// Reads the list of tables, views and indexes, for which the library takes quadratic time: 200,000 views are minutes.
Status read_schema(sqlite3* db) {
  constexpr int kMostSteps = 50000;  // thousands of entries; exports have hundreds
  sqlite3_progress_handler(db, kMostSteps, [](void*) { return 1; }, nullptr);
  const int outcome = sqlite3_exec(db, "SELECT 1 FROM sqlite_schema LIMIT 1", nullptr, nullptr, nullptr);
  sqlite3_progress_handler(db, 0, nullptr, nullptr);
  if (outcome == SQLITE_INTERRUPT)
    return Error{"it has too many tables and views to be a profile", Exit::kFailed, "", "export the profile again."};
  return ok();
}

}  // namespace

Result<Database> open(const std::string& name, int flags) {
  static std::once_flag configured;
  std::call_once(configured, configure);
  sqlite3* opened = nullptr;
  const int outcome = sqlite3_open_v2(name.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database db(opened);
  if (outcome != SQLITE_OK) return Error{db != nullptr ? sqlite3_errmsg(db.get()) : "out of memory", Exit::kFailed};
  return db;
}

Result<Database> open_immutable(const std::filesystem::path& file) {
  std::error_code failed;  // a pipe would block
  if (const auto status = std::filesystem::status(file, failed); exists(status) && !is_regular_file(status))
    return Error{"it is not a regular file", Exit::kFailed};
  const std::string uri = "file://" + uri_path(std::filesystem::absolute(file).native()) + "?immutable=1";
  Result<Database> db = open(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  if (!db) return db;
  sqlite3_db_config(db->get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (const Status read = read_schema(db->get()); !read) return read.error();
  return db;
}

void allow_damage(sqlite3* db) {
  // With a writable schema SQLite accepts a schema that contradicts the file; a read-only connection writes nothing.
  sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
  limit_values(db);
}

void limit_values(sqlite3* db) { sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kLongestValue); }

Statement::Statement(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  failed_ = sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()) + 1, &statement, nullptr) != SQLITE_OK;
  statement_.reset(statement);
}

bool Statement::step() {
  if (failed_ || !ok()) return false;
  const int outcome = sqlite3_step(handle());
  failed_ = outcome != SQLITE_ROW && outcome != SQLITE_DONE;
  return outcome == SQLITE_ROW;
}

void Statement::reset() {
  sqlite3_reset(handle());
  failed_ = false;
}

void Statement::bind(int parameter, std::string_view text) {
  const char* bytes = text.empty() ? "" : text.data();  // a null pointer would bind NULL
  sqlite3_bind_text(handle(), parameter, bytes, static_cast<int>(text.size()), SQLITE_STATIC);
}

void Statement::bind_copy(int parameter, std::string_view text) {
  sqlite3_bind_text(handle(), parameter, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

bool Statement::is_integer(int column) const { return sqlite3_column_type(handle(), column) == SQLITE_INTEGER; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle(), column); }

std::string_view Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

std::string Statement::name(int column) const {
  const std::string_view whole = text(column);
  return std::string(whole.substr(0, whole.find('\0')));
}

std::string quoted(std::string_view text, char mark) {
  std::string out(1, mark);
  for (const char c : text) out.append(c == mark ? 2 : 1, c);
  return out + mark;
}

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sqlite3_strnicmp(a.data(), b.data(), static_cast<int>(a.size())) == 0;
}

sqlite3* ForeignFile::get() const {
  if (asked_) return database_.get();
  asked_ = true;
  Result<Database> db = open_immutable(path_);
  if (!db) return nullptr;
  database_ = std::move(*db);
  allow_damage(database_.get());
  return database_.get();
}

const TableList& ForeignFile::tables() const {
  if (tables_) return *tables_;
  tables_.emplace();
  if (get() == nullptr) return *tables_;
  Statement rows(get(), "SELECT name FROM sqlite_schema WHERE type = 'table'");
  while (rows.step()) {
    if (const std::string_view name = rows.text(0); name.data() != nullptr) tables_->names.push_back(rows.name(0));
  }
  tables_->complete = rows.ok() && !rows.failed();
  return *tables_;
}

}  // namespace assay::sqlite
