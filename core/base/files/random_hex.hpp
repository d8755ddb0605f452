// Marks that the author of a file cannot have guessed.
#pragma once

#include <string>

namespace assay::files {

/// 128 random bits of the system as 32 hexadecimal digits.
std::string random_hex();

}  // namespace assay::files
