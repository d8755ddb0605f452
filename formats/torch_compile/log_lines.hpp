// Lines of a TORCH_TRACE log, read in pieces.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace assay::torch_compile {

/// Beginning of an entry: "V1128 20:19:28.702000 501 torch/_dynamo/utils.py:2126] {".
struct LogLine {
  std::int64_t time = 0;     ///< ns since the year began, on the clock of the place; 29 February counts in every year
  std::int64_t process = 0;  ///< of the operating system; older logs have a thread's address
  std::string_view json;     ///< of the entry
};

/// Empty if the line does not begin an entry. A word before it, as torchrun prints, is skipped.
std::optional<LogLine> log_line(std::string_view line);

class LineSource {
 public:
  /// Throws std::runtime_error if the file cannot be opened.
  explicit LineSource(const std::string& path);

  /// The next line without its end, valid until the next call, with 64 readable bytes behind it; empty at the end of
  /// the file. A line above 64 MiB comes in pieces.
  std::optional<std::string_view> next();
  /// Whether the next line begins with `mark`.
  bool follows(char mark) { return in_.peek() == mark; }

 private:
  std::ifstream in_;
  std::unique_ptr<char[]> buffer_, line_;
};

}  // namespace assay::torch_compile
