// --json: what a command answers, as one JSON document on standard output, also where it fails. docs/programs.md says
// what is in it, `assay schema` prints its schema.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "cli/row_format.hpp"
#include "result.hpp"

namespace assay::document {

/// Raised when the document of any command changes its meaning or loses a key.
inline constexpr int kVersion = 1;

/// Whether this process writes a document. A command then prints its answer, a JSON value, in the place of text.
bool wanted();
/// For commands that print several tables: each becomes an element {"table": name, "rows": ...} of the answer.
/// What was printed since the last one is its rows.
void end_table(std::string_view name);
/// Remembers what goes into "errors": mistakes that are reported together one by one.
void note(const Error& error);

/// Takes standard output over for as long as it lives.
class Document {
 public:
  explicit Document(std::string command);
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  /// Writes the document. Its exit code: that of the command, or 3 where it did not print JSON.
  Exit finish(Exit exit);

 private:
  struct Captured;
  std::unique_ptr<Captured> captured_;
};

/// --json of a command that answers with a document of its own.
CLI::Option* add_flag(CLI::App& command);

/// --format, and --json, which writes the rows of the format json.
template <class Format>
CLI::Option* add_rows(CLI::App& command, Format& to, bool lines = false, const char* name = "--format") {
  CLI::Option* format = add_format(command, to, lines, name);
  add_flag(command)->excludes(format)->each([&to](const std::string&) { to = RowFormat::kJson; });
  return format;
}

}  // namespace assay::document
