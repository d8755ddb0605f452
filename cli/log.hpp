// The log of the host: standard error, and a file where asked. What goes wrong for the user is its level "error".
#pragma once

#include <filesystem>

#include "result.hpp"

namespace assay {

/// `verbosity`: -1 errors only, 0 warnings too, 1 information, 2 debugging. The file, when named, gets everything.
Status start_log(int verbosity, const std::filesystem::path& file);

/// Prints the sentence as "assay: ..." and hands back its exit code.
Exit fail(const Error& error);

}  // namespace assay
