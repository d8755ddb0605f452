// Whether a library stays within itself when the dynamic loader follows what it says.
#pragma once

#include <filesystem>
#include <string>

namespace assay {

/// Why the dynamic loader would leave `file` while it loads it, as the rest of a sentence that begins with the file's
/// name; empty when it would not. The loader trusts every offset and index of a library. One that was damaged makes it
/// read and write what else is mapped nearby: harmless in one process and deadly in the next, by where the kernel put
/// the library. So no trial (probe.hpp) finds these out, and they are checked here: segments, dynamic section, names,
/// symbols, hash table, versions and relocations, as the System V ABI and its GNU extensions lay them out. Not the
/// code. For a file without library_file_problem.
std::string library_structure_problem(const std::filesystem::path& file);

}  // namespace assay
