// Traces of the PyTorch profiler, told by what they hold.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay::load {

/// Whether a file is a document of JSON, plain or gzip, in whose first kilobytes a trace shows: traceEvents, or what
/// the profiler writes before them; or a list of events with its categories. `head`: its first bytes, so that files of
/// other kinds are not opened.
bool is_trace(const std::filesystem::path& file, std::string_view head);

}  // namespace assay::load
