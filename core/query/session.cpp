#include "query/session.hpp"

#include <algorithm>
#include <cctype>

#include "config/config.hpp"
#include "query/older_sqlite.hpp"
#include "query/table_module.hpp"

namespace assay::query {

struct Session::State {
  SessionData data;
  Sources sources;
  FunctionData functions;
  Guard guard;
  bool of_reports = false;
  sqlite::Database db;  ///< last: it ends before what it points to
};

namespace {

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The rest of a message of SQLite's that begins so; empty when it does not.
std::string after(const std::string& message, std::string_view beginning) {
  return message.starts_with(beginning) ? message.substr(beginning.size()) : std::string();
}

/// Why a table of the report model is not there.
std::string not_captured(const std::string& name, std::span<const Report* const> reports) {
  const auto table = std::ranges::find_if(sql_tables(), [&](const SqlTable& t) { return same_word(t.name, name); });
  if (table == sql_tables().end()) return {};
  const std::string of = reports.size() == 1 ? "this report" : "none of these reports";
  return "no such table: " + name + " (" + of + (reports.size() == 1 ? " has no " : " has a ") + table->words + ")";
}

/// Which reports' tables would have such a column, had it been exported.
std::string not_exported(const std::string& name, const References& seen) {
  const std::string own = name.substr(name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1);
  for (const SqlTable& table : sql_tables()) {
    if (!seen.tables.empty() && !seen.tables.contains(table.name)) continue;
    if (std::ranges::any_of(table.columns, [&](const SqlColumn& c) { return same_word(c.name, own); }))
      return "; " + table.name + " have it where a report does, and this one does not";
  }
  return {};
}

Result<sqlite::Database> memory_database() {
  Result<sqlite::Database> db = sqlite::open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  return db;
}

bool add_labels(sqlite3* db, const std::vector<ReportLabel>& labels) {
  if (sqlite3_exec(db, "CREATE TABLE labels(report TEXT, name TEXT, value TEXT)", nullptr, nullptr, nullptr) !=
      SQLITE_OK)
    return false;
  sqlite::Statement insert(db, "INSERT INTO labels VALUES(?, ?, ?)");
  for (const ReportLabel& label : labels) {
    insert.bind(1, std::string_view(label.report));
    insert.bind(2, std::string_view(label.name));
    insert.bind(3, std::string_view(label.value));
    insert.step();
    if (insert.failed()) return false;
    insert.reset();
  }
  return true;
}

Error set_up_failed(sqlite3* db) {
  return {"SQLite could not be set up for the query: " + std::string(sqlite3_errmsg(db)), Exit::kFailed};
}

}  // namespace

std::string position_text(std::string_view sql, std::size_t offset) {
  const std::string_view before = sql.substr(0, std::min(offset, sql.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::string_view own = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const auto column = std::ranges::count_if(own, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return "line " + std::to_string(line) + ", column " + std::to_string(column + 1);
}

int Query::columns() const { return sqlite3_column_count(statement_.get()); }

std::string Query::column_name(int column) const {
  const char* const name = sqlite3_column_name(statement_.get(), column);
  return name == nullptr ? std::string() : name;
}

Query::Step Query::step() {
  const int outcome = sqlite3_step(statement_.get());
  return outcome == SQLITE_ROW ? Step::kRow : outcome == SQLITE_DONE ? Step::kEnd : Step::kFailed;
}

Problem Query::problem() const {
  if (guard_->reason()) return {*guard_->reason()};
  if (sqlite3_errcode(db_) == SQLITE_NOMEM)
    return {"the statement needs more memory than its limit; narrow it, or raise the limit"};
  return {sqlite3_errmsg(db_)};
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::over_reports(SessionData data) {
  auto state = std::make_unique<State>();
  state->of_reports = true;
  state->data = std::move(data);
  state->sources.reports = state->data.reports;
  state->sources.all_columns = state->data.all_columns;
  state->sources.only = state->data.only;
  state->functions = {&state->sources, state->data.rules, state->data.no_rules};
  Result<sqlite::Database> db = memory_database();
  if (!db) return db.error();
  state->db = std::move(*db);
  sqlite3* const handle = state->db.get();
  const bool labels = state->data.has_labels || state->data.all_columns;
  if (!add_tables(handle, state->sources) || (labels && !add_labels(handle, state->data.labels)) ||
      !add_functions(handle, state->functions) || !add_table_functions(handle) ||
      sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr) != SQLITE_OK)
    return set_up_failed(handle);
  state->guard.watch(handle);
  return Session(std::move(state));
}

Result<Session> Session::over_database(const std::filesystem::path& file, SessionData data) {
  auto state = std::make_unique<State>();
  state->data = std::move(data);
  state->functions = {nullptr, state->data.rules, state->data.no_rules};
  Result<sqlite::Database> db = sqlite::open_immutable(file);
  if (!db) return Error{"'" + file.string() + "' cannot be opened: " + db.error().sentence, Exit::kFailed};
  state->db = std::move(*db);
  sqlite3* const handle = state->db.get();
  if (sqlite::Statement schema(handle, "SELECT count(*) FROM sqlite_schema"); !schema.step())
    return Error{"'" + file.string() + "' cannot be read: " + sqlite3_errmsg(handle), Exit::kFailed};
  if (!add_functions(handle, state->functions) || !add_table_functions(handle) ||
      sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr) != SQLITE_OK)
    return set_up_failed(handle);
  state->guard.watch(handle);
  return Session(std::move(state));
}

Problem Session::problem_of(const std::string& sql) const {
  sqlite3* const db = state_->db.get();
  if (state_->guard.reason()) return {*state_->guard.reason()};
  std::string message = sqlite3_errmsg(db);
  const int at = error_offset(db);
  Problem problem{
      {}, at >= 0 && static_cast<std::size_t>(at) <= sql.size() ? std::optional<std::size_t>(at) : std::nullopt};
  if (const std::string table = after(message, "no such table: "); !table.empty()) {
    const std::string absent = state_->of_reports ? not_captured(table, state_->sources.reports) : std::string();
    message = absent.empty() ? message + "." + did_you_mean(table, tables()) : absent;
  } else if (const std::string column = after(message, "no such column: "); !column.empty()) {
    std::vector<std::string> known;
    for (const std::string& name : tables()) {
      for (std::string& own : columns(name)) known.push_back(std::move(own));
    }
    const std::string absent = state_->of_reports ? not_exported(column, state_->guard.references()) : std::string();
    message += absent.empty() ? "." + did_you_mean(column.substr(column.rfind('.') + 1), known) : absent;
  }
  if (message.ends_with('.')) message.pop_back();
  problem.sentence = std::move(message);
  return problem;
}

std::optional<Query> Session::prepare(const std::string& sql, const Limits& limits, Problem& problem) {
  sqlite3* const db = state_->db.get();
  state_->guard.start(limits);
  sqlite3_stmt* made = nullptr;
  const char* tail = nullptr;
  const int outcome = sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()) + 1, &made, &tail);
  Query query(made, db, state_->guard);
  if (outcome != SQLITE_OK) {
    problem = problem_of(sql);
    return std::nullopt;
  }
  if (made == nullptr) {
    problem = {"there is no statement; expected one that begins with SELECT or WITH"};
    return std::nullopt;
  }
  const auto end = static_cast<std::size_t>(tail - sql.c_str());
  if (const std::size_t more = sql.find_first_not_of("; \t\r\n", end); more != std::string::npos) {
    sqlite3_stmt* next = nullptr;  // a comment behind the statement is none
    const int ok = sqlite3_prepare_v2(db, sql.c_str() + end, -1, &next, nullptr);
    const bool empty = ok == SQLITE_OK && next == nullptr;
    sqlite3_finalize(next);
    if (!empty) {
      problem = {"there is a second statement; expected one", more};
      return std::nullopt;
    }
  }
  if (sqlite3_stmt_readonly(made) == 0 || sqlite3_column_count(made) == 0) {
    problem = {"the statement gives no rows; expected one that begins with SELECT or WITH"};
    return std::nullopt;
  }
  if (sqlite3_bind_parameter_count(made) > 0) {
    problem = {"the statement has parameters ('?', ':name'), which nothing fills; write values"};
    return std::nullopt;
  }
  return query;
}

References Session::take_references() {
  References taken = state_->guard.references();
  state_->guard.forget();
  return taken;
}

std::vector<std::string> Session::declarations() const {
  std::vector<std::string> all;
  if (state_->of_reports) {
    for (const SqlTable& table : sql_tables()) {
      if (has_table(table, state_->sources)) all.push_back(declaration(table, state_->sources));
    }
    if (state_->data.has_labels) all.emplace_back("CREATE TABLE labels(report TEXT, name TEXT, value TEXT)");
  } else {
    sqlite::Statement rows(state_->db.get(), "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name");
    while (rows.step()) all.emplace_back(rows.text(0));
  }
  return all;
}

std::vector<std::string> Session::tables() const {
  std::vector<std::string> names;
  sqlite::Statement rows(state_->db.get(),
                         "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name");
  while (rows.step()) names.emplace_back(rows.text(0));
  return names;
}

std::vector<std::string> Session::columns(const std::string& table) const {
  std::vector<std::string> names;
  if (state_->of_reports) {
    const SqlTable* found = find_table(table);
    if (found == nullptr) return table == "labels" ? std::vector<std::string>{"report", "name", "value"} : names;
    for (const SqlColumn* column : columns_of(*found, state_->sources)) names.push_back(column->name);
    return names;
  }
  const sqlite::Statement rows(state_->db.get(), "SELECT * FROM " + sqlite::quoted(table) + " LIMIT 0");
  if (!rows.ok()) return names;
  for (int c = 0; c < rows.columns(); ++c) names.emplace_back(sqlite3_column_name(rows.handle(), c));
  return names;
}

std::optional<Needs> referred_to(const std::string& sql, SessionData data, Problem& problem) {
  data.reports.clear();
  data.only.clear();
  data.all_columns = true;
  Result<Session> session = Session::over_reports(std::move(data));
  if (!session) {
    problem = {session.error().sentence};
    return std::nullopt;
  }
  if (!session->prepare(sql, {}, problem)) return std::nullopt;
  Needs needs;
  needs.names = session->take_references();
  for (const std::string& name : needs.names.tables) {
    const SqlTable* table = find_table(name);
    if (table == nullptr) continue;
    needs.tables.push_back(name);
    if (table->id != ColumnId{}) needs.columns.insert(table->id);
  }
  for (const auto& [name, column] : needs.names.columns) {
    const SqlTable* table = find_table(name);
    if (table == nullptr) continue;
    for (const SqlColumn& c : table->columns) {
      if (c.name == column && c.id != ColumnId{}) needs.columns.insert(c.id);
    }
  }
  if (needs.names.functions.contains("range_path")) needs.columns.insert(col::ranges);
  return needs;
}

}  // namespace assay::query
