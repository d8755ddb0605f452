// Recognises traces of the PyTorch profiler by their content.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay::load {

/// Whether a file is a JSON document, plain or gzip, whose first kilobytes look like a trace: traceEvents or what the
/// profiler writes before them, or a list of events with its categories. `head`: the first bytes, so that other files
/// need not be opened.
bool is_trace(const std::filesystem::path& file, std::string_view head);

}  // namespace assay::load
