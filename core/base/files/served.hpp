// What a process may read and answer that works for strangers: `assay mcp` starts its tools with these limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace assay::files {

/// Limits all processes that this one starts from now on. `roots`: folders without links. Call before any thread
/// starts.
void serve_below(std::span<const std::filesystem::path> roots, std::uint64_t most_bytes);

/// Whether a file or folder lies, links resolved, below one of the roots without a hidden part in between.
bool lies_open_below(std::span<const std::filesystem::path> roots, const std::filesystem::path& real);

/// Whether this process may read a file or folder that somebody else named. True unless it is limited; then it
/// must lie open below a root, or belong to the installation.
bool may_read(const std::filesystem::path& named);

/// Most bytes of a document that this process prints; 0: no limit.
std::uint64_t most_answered();

}  // namespace assay::files
