#include "sql/prompt.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "files/did_you_mean.hpp"
#include "query/column_text.hpp"
#include "query/functions.hpp"
#include "render/text_table.hpp"

namespace assay::query {
namespace {

constexpr const char* kHelp = R"(An SQL statement ends with ';'. Times are in ns, ids are row numbers:
  SELECT k.short_name, c.name FROM kernels k JOIN calls c ON k.call = c.id LIMIT 5;
  SELECT device, union_ns(start, end) FROM kernels GROUP BY device;
.tables        names of the tables
.schema [T]    columns of all tables, or of T: type, unit, meaning, filled by   (also \d [T])
.mode MODE     table, line (one column per line), csv or json
.help          this text   (also help, ?)
.quit          end   (also quit, exit, \q)
Ctrl-C drops the statement being typed, or stops the one running.

)";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

void help(std::ostream& out) {
  out << kHelp;
  for (const FunctionText& function : function_texts()) out << function.call << "\n    " << function.does << "\n";
}

/// A row for each column, of one table or of all; false: no table has that name.
bool schema(const PromptTasks& tasks, const std::string& table, std::ostream& out) {
  std::vector<std::string> names = tasks.tables();
  if (!table.empty() && std::ranges::find(names, table) == names.end()) {
    out << "no table or view is named '" << table << "'." << did_you_mean(table, names) << " '.tables' lists them\n";
    return false;
  }
  if (!table.empty()) names = {table};
  for (const DescribedTable& described : tasks.schema(names)) {
    TextTable columns({{"column"}, {"type"}, {"unit"}, {"meaning"}, {"filled by"}});
    for (const TypedColumn& column : described.columns) {
      const ColumnText text = column_text(described.name, column.name);
      columns.row({column.name, column.type, std::string(text.unit), std::string(text.meaning), text.filled_by});
    }
    out << described.name << "\n";
    columns.print(out, 2);
  }
  return true;
}

/// SQLite's notation: with a dot. Also accepts the habits of psql and MySQL users.
std::string as_command(const std::string& line) {
  constexpr std::pair<std::string_view, std::string_view> kAlso[] = {
      {"help", ".help"}, {"?", ".help"},   {"\\?", ".help"},   {"quit", ".quit"},
      {"exit", ".quit"}, {"\\q", ".quit"}, {"\\d", ".schema"}, {"\\dt", ".tables"}};
  const std::string word = line.substr(0, line.find_first_of(" \t;"));
  for (const auto& [typed, meant] : kAlso) {
    if (word == typed)
      return trimmed(
          std::string(meant) + " " +
          trimmed(line.substr(word.size() + (line.ends_with(';') && line.size() == word.size() + 1 ? 1 : 0))));
  }
  return line.front() == '.' ? line : std::string();
}

enum class Did { kDone, kWrong, kQuit };

Did command(const std::string& line, const PromptTasks& tasks, std::ostream& out) {
  const std::size_t blank = line.find_first_of(" \t");
  const std::string word = line.substr(0, blank);
  const std::string rest = blank == std::string::npos ? std::string() : trimmed(line.substr(blank));
  if (word == ".quit" || word == ".exit") return Did::kQuit;
  if (word == ".help") {
    help(out);
  } else if (word == ".tables") {
    for (const std::string& table : tasks.tables()) out << table << "\n";
  } else if (word == ".schema") {
    if (!schema(tasks, rest, out)) return Did::kWrong;
  } else if (word == ".mode") {
    if (!tasks.mode(rest)) {
      out << "unknown mode '" << rest << "'; expected table, line, csv or json\n";
      return Did::kWrong;
    }
  } else {
    out << "unknown command '" << word << "'; '.help' lists them\n";
    return Did::kWrong;
  }
  return Did::kDone;
}

}  // namespace

LineSource::ReadResult PipedLines::next(std::string& line, bool) {
  return std::getline(in_, line) ? ReadResult::kLine : ReadResult::kEnd;
}

bool run_prompt(LineSource& lines, const PromptTasks& tasks, std::ostream& out) {
  bool all_well = true;
  std::string statement, line;
  for (LineSource::ReadResult read; (read = lines.next(line, !statement.empty())) != LineSource::ReadResult::kEnd;) {
    if (read == LineSource::ReadResult::kCancelled) {
      statement.clear();
      continue;
    }
    const std::string word = trimmed(line);
    if (statement.empty() && word.empty()) continue;
    // In the middle of a statement only words that no statement can contain are commands.
    const std::string typed = word.empty() || (!statement.empty() && word.front() != '.') ? "" : as_command(word);
    if (!typed.empty()) {
      const Did did = command(typed, tasks, out);
      if (did == Did::kQuit) return all_well;
      all_well = all_well && did == Did::kDone;
      lines.remember(word);
      continue;
    }
    statement += statement.empty() ? line : "\n" + line;
    if (sqlite3_complete(statement.c_str()) == 0) continue;
    lines.remember(statement);
    all_well = tasks.run(statement) && all_well;
    statement.clear();
  }
  if (lines.end_completes() && !trimmed(statement).empty()) all_well = tasks.run(statement) && all_well;
  return all_well;
}

}  // namespace assay::query
