// Inspects a file before the dynamic loader does.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "result.hpp"

namespace assay {

/// Usage error about a refused library: "FILE: PROBLEM."
inline Error refused(const std::filesystem::path& file, const std::string& problem) {
  return Error{fmt::format("{}: {}.", file.string(), problem), Exit::kUsage}.at(file.string());
}

/// Why `file` cannot be a shared library for this machine, as a predicate whose subject is the file; empty if it looks
/// like one. The loader maps what the headers promise, dies of SIGBUS in a truncated file and blocks on a pipe, so
/// neither may reach it.
std::string library_file_problem(const std::filesystem::path& file);

/// Whether a library exports or uses this symbol, without loading it. False for a file that is not a library.
bool names_symbol(const std::filesystem::path& file, std::string_view symbol);

}  // namespace assay
