// `assay query` without a statement: reads statements from a terminal or a pipe, one after another.
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

/// Callbacks of the prompt into the program.
struct PromptTasks {
  std::function<bool(const std::string& sql)> run;   ///< prints rows or the error; false: error
  std::function<std::vector<std::string>()> tables;  ///< names of tables and views
  std::function<std::vector<DescribedTable>(const std::vector<std::string>&)> schema;  ///< columns of these tables
  std::function<std::vector<std::string>()> words;  ///< for completion: tables, columns, functions
  std::function<bool(const std::string&)> mode;     ///< sets the output format; false: unknown
};

/// A source of lines.
class LineSource {
 public:
  virtual ~LineSource() = default;
  enum class ReadResult { kLine, kCancelled, kEnd };
  /// `more`: the line continues a statement. Cancelled: Ctrl-C, which drops the statement.
  virtual ReadResult next(std::string& line, bool more) = 0;
  /// Whether the end of input also ends a statement: true for a pipe; a terminal drops it.
  [[nodiscard]] virtual bool end_completes() const { return true; }
  /// Stores a whole statement in the history.
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

/// The terminal, with a persistent history (below XDG_STATE_HOME) and completion if the program was built with libedit;
/// otherwise plain lines.
std::unique_ptr<LineSource> terminal_lines(const PromptTasks& tasks);

/// Runs until the end of input, '.quit' or '.exit'. Commands work without their dot, and in the notation of psql. A
/// statement ends with ';' and may span lines. False if a statement failed.
bool run_prompt(LineSource& lines, const PromptTasks& tasks, std::ostream& out);

}  // namespace assay::query
