// Limits on what a process reads and prints on behalf of strangers: `assay mcp` starts its tools with them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace assay::files {

/// Limits all processes started from now on. `roots`: folders without links. Call before any thread starts.
void serve_below(std::span<const std::filesystem::path> roots, std::uint64_t most_bytes);

/// Whether a file or folder, with links resolved, is below one of the roots without a hidden part in between.
bool lies_open_below(std::span<const std::filesystem::path> roots, const std::filesystem::path& real);

/// Whether this process may read a file or folder named by someone else. Always true without limits; with them it has
/// to be below a root and not hidden, or part of the installation.
bool may_read(const std::filesystem::path& named);

/// Maximum size in bytes of a document that this process prints; 0: no limit.
std::uint64_t most_answered();

}  // namespace assay::files
