// Marks that whoever wrote a file cannot have known.
#pragma once

#include <string>

namespace assay::files {

/// 128 random bits of the system, as 32 digits and letters.
std::string random_hex();

}  // namespace assay::files
