// Lines of `perf script` and of collapsed stacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::perf_script {

/// First line of a sample: "simple-terminat    10 [000] 198792.736893:    1001001 cpu-clock:".
struct SampleLine {
  std::string_view command;
  std::int64_t process = -1, thread = -1;  ///< of one number it is the thread, and the process unknown
  std::int64_t time = 0;                   ///< ns
  std::int64_t period = 1;
};
std::optional<SampleLine> sample_line(std::string_view line);

/// A line of its stack: "643 _Z4betav+0x12 (/workdir/simple)". Views into the line; an offset is left out.
struct FrameLine {
  std::string_view function, file;
};
std::optional<FrameLine> frame_line(std::string_view line);

/// "a;b;c 12".
struct CollapsedLine {
  std::string_view stack;
  std::int64_t count = 0;
};
std::optional<CollapsedLine> collapsed_line(std::string_view line);

/// Neither: a comment, or blank.
bool is_comment(std::string_view line);

/// The line without its end, "\r" included; removes it from `text`.
std::string_view next_line(std::string_view& text);

}  // namespace assay::perf_script
