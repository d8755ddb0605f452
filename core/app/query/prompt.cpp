#include "app/query/prompt.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "query/functions.hpp"

namespace assay::query {
namespace {

constexpr const char* kHelp = R"(A statement of SQL ends with ';'. Times are in ns, ids are row numbers:
  SELECT k.short_name, c.name FROM kernels k JOIN calls c ON k.call = c.id LIMIT 5;
  SELECT device, union_ns(start, end) FROM kernels GROUP BY device;
.tables        names of the tables
.schema [T]    columns of all tables, or of T
.help          this text
.quit          end

)";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

void help(std::ostream& out) {
  out << kHelp;
  for (const FunctionText& function : function_texts()) out << function.call << "\n    " << function.does << "\n";
}

void schema(const PromptTasks& tasks, const std::string& table, std::ostream& out) {
  for (const std::string& declaration : tasks.schema()) {
    if (table.empty() || declaration.starts_with("CREATE TABLE " + table + "(")) out << declaration << ";\n";
  }
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
  } else {
    out << "there is no command '" << word << "'; '.help' lists them\n";
    return Did::kWrong;
  }
  return Did::kDone;
}

}  // namespace

bool PipedLines::next(std::string& line, bool) { return static_cast<bool>(std::getline(in_, line)); }

bool run_prompt(Lines& lines, const PromptTasks& tasks, std::ostream& out) {
  bool all_well = true;
  std::string statement, line;
  while (lines.next(line, !statement.empty())) {
    if (statement.empty()) {
      const std::string word = trimmed(line);
      if (word.empty()) continue;
      if (word.front() == '.') {
        const Did did = command(word, tasks, out);
        if (did == Did::kQuit) return all_well;
        all_well = all_well && did == Did::kDone;
        lines.remember(word);
        continue;
      }
    }
    statement += statement.empty() ? line : "\n" + line;
    if (sqlite3_complete(statement.c_str()) == 0) continue;
    lines.remember(statement);
    all_well = tasks.run(statement) && all_well;
    statement.clear();
  }
  // What a pipe ends with needs no ';'.
  if (!trimmed(statement).empty()) all_well = tasks.run(statement) && all_well;
  return all_well;
}

}  // namespace assay::query
