// Decides whether a descriptor may be used: the handshake of abi.hpp, then its declarations.
#pragma once

#include <string>

#include "assay/abi.hpp"

namespace assay {

/// Steps 2 to 5 of the handshake on the exported symbol, which any version may have laid out: reads nothing that
/// earlier steps have not validated. A predicate whose subject is the file; empty: passed.
std::string handshake_problem(const void* symbol);

/// Step 6, as far as one descriptor suffices: the first problem of its declarations; empty: none.
std::string declaration_problem(const Descriptor& descriptor);

}  // namespace assay
