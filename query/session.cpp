#include "query/session.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "files/did_you_mean.hpp"
#include "load/format.hpp"
#include "query/older_sqlite.hpp"
#include "query/table_module.hpp"

namespace assay::query {

struct Session::State {
  SessionData data;
  Sources sources;
  FunctionData functions;
  StatementGuard guard;
  bool of_reports = false;
  sqlite::Database db;  ///< last member: destroyed before what it points to
};

namespace {

/// Rest of an SQLite message after this prefix; empty if it does not match.
std::string after(const std::string& message, std::string_view beginning) {
  return message.starts_with(beginning) ? message.substr(beginning.size()) : std::string();
}

/// Why a table of the report model is missing.
std::string not_captured(const std::string& name, std::span<const Report* const> reports) {
  const auto table =
      std::ranges::find_if(sql_tables(), [&](const SqlTable& t) { return sqlite::same_name(t.name, name); });
  if (table == sql_tables().end()) return {};
  const std::string of = reports.size() == 1 ? "this profile" : "none of these profiles";
  return fmt::format("no such table: {} ({}{}{})", name, of, reports.size() == 1 ? " has no " : " has a ",
                     table->words);
}

/// Name in assay of a table in a profiler's file, as declared by its format: "os_calls" for "OSRT_API".
std::string table_of_export(const std::string& name) {
  for (const load::Format* format : load::formats()) {
    for (const FormatPart& part : format->notes.reads) {
      for (std::string_view rest = part.name; !rest.empty();) {
        const std::size_t end = std::min(rest.find(", "), rest.size());
        const std::string_view becomes = part.becomes.view();
        if (sqlite::same_name(name, rest.substr(0, end)))
          return "; here it is called " + std::string(becomes.substr(0, becomes.find_first_of(",( ")));
        rest.remove_prefix(std::min(end + 2, rest.size()));
      }
    }
  }
  return {};
}

/// " Did you mean 'duration'?" for 'dur'; also for 'kernel_name' and 'shortName'.
std::string nearest_column(const std::string& typed, const std::vector<std::string>& known) {
  if (std::string near = did_you_mean(typed, known); !near.empty()) return near;
  const auto plain = [](std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c != '_') out += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return out;
  };
  const std::string word = plain(typed);
  const std::string* best = nullptr;
  for (const std::string& name : known) {
    const std::string own = plain(name);
    const bool like = own.starts_with(word) || word.ends_with(own) || word.starts_with(own);
    if (like && own.size() > 1 && (best == nullptr || own.size() > plain(*best).size())) best = &name;
  }
  return best == nullptr ? "" : " Did you mean '" + *best + "'?";
}

/// Adds a view of all device work, from the tables that are present.
bool add_device_work(sqlite3* db, const Sources& sources) {
  constexpr std::pair<std::string_view, std::string_view> kParts[] = {
      {"kernels", "short_name"}, {"copies", "direction"}, {"sets", "NULL"}, {"graphs", "NULL"}};
  std::string select;
  for (const auto& [table, name] : kParts) {
    const SqlTable* found = find_table(table);
    if (found == nullptr || !has_table(*found, sources)) continue;
    const std::vector<const SqlColumn*> columns = columns_of(*found, sources);
    const auto has = [&](std::string_view column) {
      return std::ranges::any_of(columns, [&](const SqlColumn* c) { return c->name == column; });
    };
    if (!has("start") || !has("end")) continue;
    select += select.empty() ? "" : " UNION ALL ";
    select += "SELECT report, '" + std::string(table) + "' AS kind, ";
    for (const std::string_view column : {"device", "stream", "start", "end", "duration", "membership"}) {
      const bool bare = column == "end";  // an SQL keyword
      select += fmt::format("{} AS {}, ", has(column) ? bare ? "\"end\"" : std::string(column) : "NULL",
                            bare ? "\"end\"" : std::string(column));
    }
    select += (has(name) ? std::string(name) : "NULL") + " AS name FROM " + std::string(table);
  }
  if (select.empty()) return true;
  return sqlite3_exec(db, ("CREATE VIEW device_work AS " + select).c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// Adds a table with one row per profile and its properties; labels only if there are any.
bool add_profiles(sqlite3* db) {
  constexpr std::pair<std::string_view, std::string_view> kOfProfiles[] = {
      {"job", "job"},           {"rank", "rank"},       {"world_size", "world_size"},
      {"capture", "capture"},   {"gpu", "device"},      {"driver", "driver"},
      {"profiler", "profiler"}, {"program", "program"}, {"recorded", "recorded"}};
  std::string select = "CREATE VIEW profiles AS SELECT report";
  for (const auto& [column, name] : kOfProfiles)
    select += fmt::format(", max(value) FILTER (WHERE name = '{}') AS {}", name, column);
  return sqlite3_exec(db, (select + " FROM labels GROUP BY report").c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// Reports whose table would have such a column had it been exported.
std::string not_exported(const std::string& name, const StatementReferences& seen) {
  const std::string own = name.substr(name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1);
  for (const SqlTable& table : sql_tables()) {
    if (!seen.tables.empty() && !seen.tables.contains(table.name)) continue;
    if (std::ranges::any_of(table.columns, [&](const SqlColumn& c) { return sqlite::same_name(c.name, own); }))
      return "; " + table.name + " have it in some profiles, but not in this one";
  }
  return {};
}

Result<sqlite::Database> memory_database() {
  Result<sqlite::Database> db = sqlite::open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  return db;
}

/// Makes a table of texts, NULL where a cell is empty.
bool add_table(sqlite3* db, const std::string& name, const std::string& columns, const std::vector<RunCells>& rows) {
  const std::string made = fmt::format("CREATE TABLE {}({})", name, columns);
  if (sqlite3_exec(db, made.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return false;
  if (rows.empty()) return true;
  const std::vector<const char*> marks(rows.front().size(), "?");
  sqlite::Statement insert(db, fmt::format("INSERT INTO {} VALUES({})", name, fmt::join(marks, ", ")));
  for (const RunCells& cells : rows) {
    sqlite3_clear_bindings(insert.handle());  // a reset keeps what was bound
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (cells[c]) insert.bind(static_cast<int>(c + 1), std::string_view(*cells[c]));
    }
    insert.step();
    if (insert.failed()) return false;
    insert.reset();
  }
  return true;
}

bool add_labels(sqlite3* db, const std::vector<ReportLabel>& labels) {
  std::vector<RunCells> rows;
  for (const ReportLabel& label : labels) rows.push_back({label.report, label.name, label.value});
  return add_table(db, "labels", "report TEXT, name TEXT, value TEXT", rows);
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
  return fmt::format("line {}, column {}", line, column + 1);
}

int Query::columns() const { return sqlite3_column_count(statement_.get()); }

std::string Query::column_name(int column) const {
  const char* const name = sqlite3_column_name(statement_.get(), column);
  return name == nullptr ? std::string() : name;
}

void Query::Finalize::operator()(sqlite3_stmt* statement) const {
  const sqlite::Budget::Scope charged(guard->budget());
  sqlite3_finalize(statement);
}

Query::Step Query::step() {
  sqlite::Budget& budget = statement_.get_deleter().guard->budget();
  const sqlite::Budget::Scope charged(budget);
  const int outcome = sqlite3_step(statement_.get());
  // SQLite checks the clock between steps, and one function call, printf('%*d', 1000000000, 1), is one step.
  if (budget.is_over()) return Step::kFailed;
  return outcome == SQLITE_ROW ? Step::kRow : outcome == SQLITE_DONE ? Step::kEnd : Step::kFailed;
}

bool Query::charge(std::size_t bytes) {
  return statement_.get_deleter().guard->budget().charge(static_cast<std::int64_t>(bytes));
}

StatementError Query::problem() const {
  if (const auto& reason = statement_.get_deleter().guard->reason()) return {*reason};
  if (sqlite3_errcode(db_) == SQLITE_TOOBIG)
    return {"a value of the statement is longer than " + std::to_string(sqlite::kLongestValue >> 20) +
            " MiB; shorten it, for example with substr(), or split it over several rows"};
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
  if (!add_tables(handle, state->sources) ||
      (labels && !(add_labels(handle, state->data.labels) && add_table(handle, "runs", kRunColumns, state->data.runs) &&
                   add_profiles(handle))) ||
      !add_functions(handle, state->functions) || !add_table_functions(handle) ||
      !add_device_work(handle, state->sources) ||
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
  if (!db)
    return Error{fmt::format("'{}' cannot be opened: {}", file.string(), db.error().sentence), Exit::kFailed}.at(
        file.string());
  state->db = std::move(*db);
  sqlite3* const handle = state->db.get();
  if (sqlite::Statement schema(handle, "SELECT count(*) FROM sqlite_schema"); !schema.step())
    return Error{fmt::format("'{}' cannot be read: {}", file.string(), sqlite3_errmsg(handle)), Exit::kFailed}.at(
        file.string());
  if (!add_functions(handle, state->functions) || !add_table_functions(handle) ||
      sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr) != SQLITE_OK)
    return set_up_failed(handle);
  state->guard.watch(handle);
  return Session(std::move(state));
}

StatementError Session::problem_of(const std::string& sql) const {
  sqlite3* const db = state_->db.get();
  if (state_->guard.reason()) return {*state_->guard.reason()};
  std::string message = sqlite3_errmsg(db);
  const int at = error_offset(db);
  StatementError problem{
      {}, at >= 0 && static_cast<std::size_t>(at) <= sql.size() ? std::optional<std::size_t>(at) : std::nullopt};
  if (const std::string table = after(message, "no such table: "); !table.empty()) {
    const std::string absent = state_->of_reports ? not_captured(table, state_->sources.reports) : std::string();
    const std::string here = state_->of_reports ? table_of_export(table) : std::string();
    message = !here.empty() ? message + here : absent.empty() ? message + "." + did_you_mean(table, tables()) : absent;
  } else if (const std::string column = after(message, "no such column: "); !column.empty()) {
    std::vector<std::string> known;
    const std::set<std::string> named = state_->guard.references().tables;  // a copy, since looking up columns adds to
                                                                            // it
    for (const std::string& name : tables()) {
      if (!named.empty() && !named.contains(name)) continue;
      for (std::string& own : columns(name)) known.push_back(std::move(own));
    }
    const std::string absent = state_->of_reports ? not_exported(column, state_->guard.references()) : std::string();
    message += absent.empty() ? "." + nearest_column(column.substr(column.rfind('.') + 1), known) : absent;
  }
  if (message.ends_with('.')) message.pop_back();
  problem.sentence = std::move(message);
  return problem;
}

std::optional<Query> Session::prepare(const std::string& sql, const Limits& limits, StatementError& problem) {
  StatementGuard& guard = state_->guard;
  guard.start(limits);
  const sqlite::Budget::Scope charged(guard.budget());
  sqlite3_stmt* const made = prepare_one(state_->db.get(), sql, problem);
  if (made != nullptr) return Query(made, state_->db.get(), guard);
  if (problem.sentence.empty()) problem = problem_of(sql);
  return std::nullopt;
}

StatementReferences Session::drain_references() {
  StatementReferences taken = state_->guard.references();
  state_->guard.forget();
  return taken;
}

std::vector<std::string> Session::tables() const {
  std::vector<std::string> names;
  sqlite::Statement rows(state_->db.get(),
                         "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name");
  while (rows.step()) names.emplace_back(rows.text(0));
  return names;
}

std::vector<TypedColumn> Session::typed_columns(const std::string& table) const {
  std::vector<TypedColumn> found;
  if (const SqlTable* model = state_->of_reports ? find_table(table) : nullptr; model != nullptr) {
    for (const SqlColumn* column : columns_of(*model, state_->sources))
      found.push_back({column->name, std::string(column->type)});
    return found;
  }
  const sqlite::Statement rows(state_->db.get(), "SELECT * FROM " + sqlite::quoted(table) + " LIMIT 0");
  if (!rows.ok()) return found;
  for (int c = 0; c < rows.columns(); ++c) {
    const char* const type = sqlite3_column_decltype(rows.handle(), c);
    found.push_back({sqlite3_column_name(rows.handle(), c), type == nullptr ? "" : type});
  }
  return found;
}

std::vector<std::string> Session::columns(const std::string& table) const {
  std::vector<std::string> names;
  for (TypedColumn& column : typed_columns(table)) names.push_back(std::move(column.name));
  return names;
}

bool mixes_clocks(const StatementReferences& names) {
  constexpr std::string_view kRelating[] = {"union_ns", "min",         "max",        "lag",
                                            "lead",     "first_value", "last_value", "nth_value"};
  std::set<std::string_view> timed;
  for (const auto& [table, column] : names.columns) {
    if (column == "report") return false;
    if (column == "start" || column == "end" || column == "time") timed.insert(table);
  }
  const bool by_function =
      std::ranges::any_of(kRelating, [&](std::string_view f) { return names.functions.contains(std::string(f)); }) ||
      std::ranges::any_of(names.tables, [](const std::string& table) { return table.starts_with("interval_"); });
  return timed.size() > 1 || (by_function && !timed.empty());
}

namespace {

/// Whether a statement depends on calls without naming their table: through `call` of a row, or through properties of
/// the whole report.
bool rests_on_calls(const StatementReferences& names) {
  constexpr std::string_view kWork[] = {"kernels", "graphs", "copies", "sets", "syncs"},
                             kWhole[] = {"windows", "threads", "processes", "issues"};
  const auto named = [&](std::string_view table) { return names.tables.contains(std::string(table)); };
  return std::ranges::any_of(kWork, [&](std::string_view table) {
    return named(table) && (names.columns.contains({std::string(table), "call"}) || std::ranges::any_of(kWhole, named));
  });
}

}  // namespace

std::optional<Needs> referred_to(const std::string& sql, SessionData data, StatementError& problem) {
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
  needs.names = session->drain_references();
  for (const std::string& name : needs.names.tables) {
    const SqlTable* table = find_table(name);
    if (table == nullptr) continue;
    needs.tables.push_back(name);
    if (table->id != ColumnId{}) needs.columns.insert(table->id);
    needs.columns.insert(table->from.begin(), table->from.end());
  }
  for (const auto& [name, column] : needs.names.columns) {
    const SqlTable* table = find_table(name);
    if (table == nullptr) continue;
    for (const SqlColumn& c : table->columns) {
      if (c.name == column && c.id != ColumnId{}) needs.columns.insert(c.id);
    }
  }
  if (needs.names.functions.contains("range_path")) needs.columns.insert(col::ranges);
  if (rests_on_calls(needs.names)) needs.columns.insert(col::calls);
  return needs;
}

}  // namespace assay::query
