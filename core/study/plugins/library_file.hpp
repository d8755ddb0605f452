// Looks at a file before the dynamic loader does.
#pragma once

#include <filesystem>
#include <string>

namespace assay {

/// Why `file` cannot be a shared library of this machine, as the rest of a sentence that begins with the file's name;
/// empty when it looks like one. The loader maps what the headers promise and dies of SIGBUS in a truncated file, and
/// it would wait for ever on a pipe, so neither may reach it.
std::string library_file_problem(const std::filesystem::path& file);

}  // namespace assay
