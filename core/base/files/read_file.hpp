// A file that is read whole: what it may be, and how large.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "files/descriptor.hpp"
#include "result.hpp"

namespace assay::files {

/// Who chose the name of a file.
enum class NamedBy {
  kUser,    ///< on the command line: links are followed, pipes are read to their end
  kFolder,  ///< whoever filled a folder: a regular file, links to one are followed
  kAssay,   ///< a fixed name in a folder that others may have filled: a regular file and not a link
};

/// Reads all bytes. The error is a predicate that follows the name of the file, such as "is a link, which is not
/// followed here", exit 2: the file is missing, not of the kind that `by` allows, has more than `most` bytes, or cannot
/// be read. Only a pipe that a user named is waited for.
Result<std::string> read_file(const std::filesystem::path& file, std::uint64_t most, NamedBy by);

/// Opens a file of a fixed name in a folder for writing, created if it is missing; `flags`: O_APPEND, O_TRUNC, O_RDWR.
/// Error (exit 3): a sentence.
Result<Descriptor> open_own_file(const std::filesystem::path& file, int flags);

}  // namespace assay::files
