// Reads whole files, with limits on their kind and size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "files/descriptor.hpp"
#include "result.hpp"

namespace assay::files {

/// Who chose the name of a file.
enum class NamedBy {
  kUser,    ///< the user, on the command line: links are followed, pipes are read to their end
  kFolder,  ///< a folder listing: a regular file, links to one are followed
  kAssay,   ///< assay, a fixed name in a folder that others may have filled: a regular file, not a link
};

/// Reads all bytes. The error (exit 2) is a predicate to follow the name of the file, such as "is a link, which is not
/// followed here": the file is missing, not of the kind that `by` allows, larger than `most` bytes, or cannot be read.
/// Waits only for a pipe that a user named.
Result<std::string> read_file(const std::filesystem::path& file, std::uint64_t most, NamedBy by);

/// Opens a file of a fixed name in a folder for writing and creates it if it is missing; `flags`: O_APPEND, O_TRUNC,
/// O_RDWR. Error (exit 3): a sentence.
Result<Descriptor> open_own_file(const std::filesystem::path& file, int flags);

}  // namespace assay::files
