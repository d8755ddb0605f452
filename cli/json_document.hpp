// --json: the result of a command as one JSON document on standard output, also on failure. Contents: docs/programs.md;
// schema: `assay schema`.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "cli/row_format.hpp"
#include "result.hpp"

namespace assay::document {

/// Incremented when the document of any command changes its meaning or loses a key.
inline constexpr int kVersion = 1;

/// Whether this process writes a document. A command then prints a JSON value instead of text.
bool wanted();
/// For commands that print several tables: turns the output since the last call into an element {"table": name, "rows":
/// ...}.
void end_table(std::string_view name);
/// Adds an element of "errors", for mistakes that are reported one by one.
void note(const Error& error);

/// Takes over standard output while alive.
class Document {
 public:
  explicit Document(std::string command);
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  /// Writes the document. Returns the exit code of the command, or 3 if it did not print JSON.
  Exit finish(Exit exit);

 private:
  struct Captured;
  std::unique_ptr<Captured> captured_;
};

/// Adds --json to a command that prints its own document.
CLI::Option* add_flag(CLI::App& command);

/// Adds --format, and --json, which writes the rows in the format json.
template <class Format>
CLI::Option* add_rows(CLI::App& command, Format& to, bool lines = false, const char* name = "--format") {
  CLI::Option* format = add_format(command, to, lines, name);
  add_flag(command)->excludes(format)->each([&to](const std::string&) { to = RowFormat::kJson; });
  return format;
}

}  // namespace assay::document
