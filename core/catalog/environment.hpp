// What a report says of the machine and the tools that made it.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"

namespace assay {

/// Reads the description of a report of that kind: small tables of an export, the head of a trace or CSV. Never fails
/// and takes bounded time: what cannot be read is not there.
Environment read_environment(const std::filesystem::path& file, FileKind kind);

/// Parts of it, for tests and for each other.
Environment trace_environment(const std::filesystem::path& file);

/// "12.8" of 12080, as CUDA writes its versions in one number; empty for what is none.
std::string cuda_version(std::string_view number);

/// Adds a value unless it is empty: the first bytes, in printable ASCII.
void add_to(Environment& environment, std::string_view name, std::string_view value);

/// "A + B" of the different texts, sorted; empty ones are none.
std::string joined_models(std::vector<std::string> models);

}  // namespace assay
