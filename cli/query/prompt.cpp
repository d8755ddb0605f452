#include "cli/query/prompt.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "cli/query/column_text.hpp"
#include "query/functions.hpp"
#include "render/text_table.hpp"

namespace assay::query {
namespace {

constexpr const char* kHelp = R"(A statement of SQL ends with ';'. Times are in ns, ids are row numbers:
  SELECT k.short_name, c.name FROM kernels k JOIN calls c ON k.call = c.id LIMIT 5;
  SELECT device, union_ns(start, end) FROM kernels GROUP BY device;
.tables        names of the tables
.schema [T]    columns of all tables, or of T, with type and unit   (also \d [T])
.mode MODE     table, line (one column per line), csv or json
.help          this text   (also help, ?)
.quit          end   (also quit, exit, \q)
Ctrl-C drops the statement that is being typed, or stops the one that runs.

)";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

void help(std::ostream& out) {
  out << kHelp;
  for (const FunctionText& function : function_texts()) out << function.call << "\n    " << function.does << "\n";
}

/// "CREATE TABLE kernels(report TEXT, start INTEGER, ...)" as a row for each column.
void schema(const PromptTasks& tasks, const std::string& table, std::ostream& out) {
  constexpr std::string_view kBefore = "CREATE TABLE ";
  bool any = false;
  for (const std::string& declaration : tasks.schema()) {
    const std::size_t open = declaration.find('('), close = declaration.rfind(')');
    if (!declaration.starts_with(kBefore) || close == std::string::npos) {
      if (table.empty()) out << declaration << ";\n";  // of a database of somebody's
      continue;
    }
    const std::string name = trimmed(declaration.substr(kBefore.size(), open - kBefore.size()));
    if (!table.empty() && name != table) continue;
    any = true;
    TextTable columns({{"column"}, {"type"}, {"unit"}, {"meaning"}});
    std::size_t begin = open + 1;
    while (begin < close) {
      const std::size_t end = std::min(declaration.find(',', begin), close);
      const std::string own = trimmed(declaration.substr(begin, end - begin));
      const std::size_t blank = own.find(' ');
      std::string column = own.substr(0, blank);
      std::erase(column, '"');
      const ColumnText text = column_text(column);
      columns.row({column, blank == std::string::npos ? "" : trimmed(own.substr(blank)), std::string(text.unit),
                   std::string(text.meaning)});
      begin = end + 1;
    }
    out << name << "\n";
    columns.print(out, 2);
  }
  if (!any && !table.empty()) out << "there is no table '" << table << "'; '.tables' lists them\n";
}

/// As SQLite's shell has it: with a dot. Also understood: what psql and MySQL users type.
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
    schema(tasks, rest, out);
  } else if (word == ".mode") {
    if (!tasks.mode(rest)) {
      out << "there is no mode '" << rest << "'; expected table, line, csv or json\n";
      return Did::kWrong;
    }
  } else {
    out << "there is no command '" << word << "'; '.help' lists them\n";
    return Did::kWrong;
  }
  return Did::kDone;
}

}  // namespace

Lines::Read PipedLines::next(std::string& line, bool) { return std::getline(in_, line) ? Read::kLine : Read::kEnd; }

bool run_prompt(Lines& lines, const PromptTasks& tasks, std::ostream& out) {
  bool all_well = true;
  std::string statement, line;
  for (Lines::Read read; (read = lines.next(line, !statement.empty())) != Lines::Read::kEnd;) {
    if (read == Lines::Read::kCancelled) {
      statement.clear();
      continue;
    }
    const std::string word = trimmed(line);
    if (statement.empty() && word.empty()) continue;
    // In the middle of a statement only what no statement can hold is a command.
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
