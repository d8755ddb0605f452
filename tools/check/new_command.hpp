// The command `new`: writes a complete analyzer, format, command or question from the template.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result.hpp"

namespace assay {

struct NewOptions {
  std::string name;
  /// --out-of-tree: the project is the folder NAME in it; empty: NAME is added to the source tree around the current
  /// folder.
  std::optional<std::filesystem::path> out_of_tree;
  bool format = false;  ///< --format: a format instead of an analyzer; a separate project, as with `small`
  bool small = false;   ///< --small: a project with one source file; below the current folder unless `out_of_tree` is
                        ///< set
  bool command = false, question = false;  ///< --command, --question: these instead of an analyzer
  std::vector<std::string> commands;       ///< those of the program, whose names are taken
};

/// Writes the analyzer and prints what was written and what to do next. Overwrites nothing, and leaves nothing behind
/// on failure. Exit 2 for an invalid name, 3 if a file cannot be written.
Exit write_new_analyzer(const NewOptions& options);

/// Why the name is invalid, in one sentence; empty if it is valid.
std::string name_problem(std::string_view name);

/// `text` with `line` inserted among the lines that begin with `prefix` and follow the first one that begins with
/// `head`, keeping them sorted; empty if no line begins with `head`.
std::optional<std::string> with_sorted_line(std::string_view text, std::string_view head, std::string_view prefix,
                                            std::string_view line);

}  // namespace assay
