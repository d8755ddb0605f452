// Recognises traces of the PyTorch profiler by their content.
#pragma once

#include <filesystem>
#include <string_view>

namespace assay::load {

/// Whether a file is a JSON document, plain or gzip, whose first kilobytes are of a trace of the PyTorch profiler: what
/// it writes before the events, or events with what only it writes. `head`: the first bytes, so that other files need
/// not be opened.
bool is_trace(const std::filesystem::path& file, std::string_view head);

/// Whether it is a document of traceEvents, whoever wrote it.
bool is_chrome_trace(const std::filesystem::path& file, std::string_view head);

}  // namespace assay::load
