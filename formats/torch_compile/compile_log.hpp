// Reads a TORCH_TRACE log, entry by entry.
#pragma once

#include "tables.hpp"

namespace assay::torch_compile {

/// Texts become ids of `texts`. Throws std::runtime_error if the file cannot be opened or has no entry.
CompileRows read_log(const std::string& path, Tables& texts);

}  // namespace assay::torch_compile
