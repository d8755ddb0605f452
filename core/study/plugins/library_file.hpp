// Inspects a file before the dynamic loader does.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "result.hpp"

namespace assay {

/// Of a library, or what takes its place, that is refused.
inline Error refused(const std::filesystem::path& file, const std::string& problem) {
  return Error{file.string() + ": " + problem + ".", Exit::kUsage}.at(file.string());
}

/// Why `file` cannot be a shared library of this machine, as the rest of a sentence that begins with the file's name;
/// empty when it looks like one. The loader maps what the headers promise and dies of SIGBUS in a truncated file, and
/// it would wait for ever on a pipe, so neither may reach it.
std::string library_file_problem(const std::filesystem::path& file);

/// Whether a library exports or uses this symbol, without loading it. False for a file that is not a library.
bool names_symbol(const std::filesystem::path& file, std::string_view symbol);

}  // namespace assay
