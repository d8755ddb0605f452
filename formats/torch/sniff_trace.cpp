#include "formats/torch/sniff_trace.hpp"

#include <zlib.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include "files/byte_order_mark.hpp"

namespace assay::load {
namespace {

/// Size of the inspected prefix: descriptions of eight devices and of hundreds of ranks fit.
constexpr unsigned kInflated = 1U << 16;

/// The beginning of a file, decompressed if it is gzip. Never fails; returns what can be read.
std::string inflated_beginning(const std::filesystem::path& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  std::string text(kInflated, '\0');
  const int got = in == nullptr ? 0 : gzread(in.get(), text.data(), kInflated);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

bool opens_with(std::string_view text, char bracket) {
  text = without_byte_order_mark(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == bracket;
}

/// What only the profiler writes near the beginning: its header, categories, arguments, and the process of operators of
/// the one before kineto, which wrote no categories. Other tools too call kernels "Kernel" and nodes "Operator".
constexpr std::string_view kMarks[] = {
    "\"schemaVersion\"",   "\"deviceProperties\"", "\"cpu_op\"",       "\"cpu_instant_event\"",
    "\"cuda_runtime\"",    "\"cuda_driver\"",      "\"gpu_memcpy\"",   "\"hip_runtime\"",
    "\"musa_runtime\"",    "\"xpu_runtime\"",      "\"mtia_runtime\"", "\"privateuse1_runtime\"",
    "\"user_annotation\"", "\"python_function\"",  "\"External id\"",  "\"CPU functions\""};

bool has(std::string_view text, std::string_view key) { return text.find(key) != std::string_view::npos; }

}  // namespace

bool is_chrome_trace(const std::filesystem::path& file, std::string_view head) {
  if (!head.starts_with("\x1f\x8b") && !opens_with(head, '{')) return false;
  const std::string text = inflated_beginning(file);
  return opens_with(text, '{') && has(text, "\"traceEvents\"");
}

bool is_trace(const std::filesystem::path& file, std::string_view head) {
  if (!head.starts_with("\x1f\x8b") && !opens_with(head, '{') && !opens_with(head, '[')) return false;
  const std::string text = inflated_beginning(file);
  const bool marked = std::any_of(std::begin(kMarks), std::end(kMarks), [&](auto mark) { return has(text, mark); });
  if (opens_with(text, '[')) return marked && has(text, "\"ph\"") && has(text, "\"ts\"");
  const bool header =
      has(text, "\"deviceProperties\"") && (has(text, "\"schemaVersion\"") || has(text, "\"distributedInfo\""));
  return opens_with(text, '{') && (header || (marked && has(text, "\"traceEvents\"")));
}

}  // namespace assay::load
