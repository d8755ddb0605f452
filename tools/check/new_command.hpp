// The command `new`: a complete analyzer from the template, which builds and whose tests pass at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "result.hpp"

namespace assay {

struct NewOptions {
  std::string name;
  /// --out-of-tree: the project becomes the folder NAME in it; none: NAME joins the source tree around the current
  /// folder.
  std::optional<std::filesystem::path> out_of_tree;
  bool format = false;  ///< --format: a format instead of an analyzer; a project of its own, as with `small`
  bool small = false;   ///< --small: a project of one source file; below the current folder unless `out_of_tree` says
};

/// Writes the analyzer and prints what was written and what to do next. Nothing is ever overwritten, and a failure
/// leaves nothing behind. Exit 2 for a name that cannot be had, 3 when a file cannot be written.
Exit write_new_analyzer(const NewOptions& options);

/// Why an analyzer cannot have the name, as one sentence; empty when it can.
std::string name_problem(std::string_view name);

/// `text` with `line` among the lines that begin with `prefix` and follow the first one that begins with `head`, so
/// that they stay sorted; nothing when no line begins with `head`.
std::optional<std::string> with_sorted_line(std::string_view text, std::string_view head, std::string_view prefix,
                                            std::string_view line);

}  // namespace assay
