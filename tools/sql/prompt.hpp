// `assay query` without a statement: statements from a terminal or a pipe, one after another.
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "query/session.hpp"

namespace assay::query {

struct DescribedTable {
  std::string name;
  std::vector<TypedColumn> columns;
};

/// What the prompt asks of the program.
struct PromptTasks {
  std::function<bool(const std::string& sql)> run;   ///< prints rows or what is wrong; false: something was
  std::function<std::vector<std::string>()> tables;  ///< names of tables and views
  std::function<std::vector<DescribedTable>(const std::vector<std::string>&)> schema;  ///< columns of these tables
  std::function<std::vector<std::string>()> words;  ///< for completion: tables, columns, functions
  std::function<bool(const std::string&)> mode;     ///< how rows are written from now on; false: no such way
};

/// Where lines come from.
class LineSource {
 public:
  virtual ~LineSource() = default;
  enum class ReadResult { kLine, kCancelled, kEnd };
  /// `more`: the line goes on a statement that was begun. Cancelled: Ctrl-C, which drops it.
  virtual ReadResult next(std::string& line, bool more) = 0;
  /// Whether the end of the lines ends a statement too: a pipe does, a terminal drops it.
  [[nodiscard]] virtual bool end_completes() const { return true; }
  /// A whole statement, for the history.
  virtual void remember(const std::string& /*statement*/) {}
};

/// Lines of a pipe or file.
class PipedLines : public LineSource {
 public:
  explicit PipedLines(std::istream& in) : in_(in) {}
  ReadResult next(std::string& line, bool more) override;

 private:
  std::istream& in_;
};

/// The terminal, with a history that lasts (below XDG_STATE_HOME) and completion where the program was built with
/// libedit; without it plain lines.
std::unique_ptr<LineSource> terminal_lines(const PromptTasks& tasks);

/// Until the end of the lines, '.quit' or '.exit'. Commands are understood without their dot, and as psql has them. A
/// statement ends with ';', also over several lines. False when a statement failed.
bool run_prompt(LineSource& lines, const PromptTasks& tasks, std::ostream& out);

}  // namespace assay::query
