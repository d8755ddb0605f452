// The log of the host: standard error, and a file on request. Errors for the user have the level "error".
#pragma once

#include <filesystem>

#include "result.hpp"

namespace assay {

/// `verbosity`: -1 errors only, 0 also warnings, 1 information, 2 debugging. The file, if named, receives everything.
Status start_log(int verbosity, const std::filesystem::path& file);

/// Prints the sentence as "assay: ..." and returns its exit code.
Exit fail(const Error& error);

}  // namespace assay
