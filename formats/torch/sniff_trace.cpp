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

/// Categories of the profiler, and the process of operators of the one before kineto, which wrote no categories. They
/// distinguish a bare list of events from those of other tools.
constexpr std::string_view kTraceWords[] = {"\"cpu_op\"",          "\"Operator\"",     "\"kernel\"",
                                            "\"Kernel\"",          "\"cuda_runtime\"", "\"Runtime\"",
                                            "\"hip_runtime\"",     "\"musa_runtime\"", "\"user_annotation\"",
                                            "\"python_function\"", "\"CPU functions\""};

/// Process names of XLA's profiler and the category of Triton's: traces of other tools.
constexpr std::string_view kOtherTools[] = {"\"/device:", "\"/host:CPU\"", "\"cat\":\"triton\"", "\"cat\": \"triton\""};

}  // namespace

bool is_trace(const std::filesystem::path& file, std::string_view head) {
  if (!head.starts_with("\x1f\x8b") && !opens_with(head, '{') && !opens_with(head, '[')) return false;
  const std::string text = inflated_beginning(file);
  const auto has = [&](std::string_view key) { return text.find(key) != std::string::npos; };
  const auto any = [&](const auto& words) { return std::any_of(std::begin(words), std::end(words), has); };
  if (opens_with(text, '[')) return has("\"ph\"") && has("\"ts\"") && any(kTraceWords);
  const bool header = has("\"deviceProperties\"") && (has("\"schemaVersion\"") || has("\"distributedInfo\""));
  return opens_with(text, '{') && (header || (has("\"traceEvents\"") && (!any(kOtherTools) || any(kTraceWords))));
}

}  // namespace assay::load
