// Whether a descriptor may be used: the handshake of abi.hpp, and then what it declares.
#pragma once

#include <string>

#include "assay/abi.hpp"

namespace assay {

/// Steps 2 to 5 of the handshake on the exported symbol, which may have been laid out by any version: nothing is read
/// beyond what the steps before have vouched for. The rest of a sentence that begins with the file; empty when it
/// holds.
std::string handshake_problem(const void* symbol);

/// Step 6 as far as one descriptor tells: the first thing wrong with what it declares; empty when nothing is.
std::string declaration_problem(const Descriptor& descriptor);

}  // namespace assay
