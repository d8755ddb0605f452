// One PyTorch profiler trace to a store.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "load/nsys/table_load.hpp"
#include "load/store.hpp"
#include "result.hpp"

namespace assay::load {

/// Whether a file can be a trace: gzip, or the beginning of a document of JSON. Reads a few bytes; false when it
/// cannot.
bool looks_like_trace(const std::filesystem::path& file);

/// Reads the wanted columns of a trace. Error, in one sentence: the file cannot be read, is no JSON, or holds no event
/// of the PyTorch profiler. What is damaged further on becomes an issue, and what was read before it is kept.
Result<std::unique_ptr<Profile::Store>> load_trace(const std::filesystem::path& file, std::string name,
                                                   const Wanted& wanted);

}  // namespace assay::load
