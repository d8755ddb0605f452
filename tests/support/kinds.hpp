// Kinds of the formats that are linked in, for tests that make or load a file of one.
#pragma once

#include "load/file_kind.hpp"

namespace assay::kind {

inline constexpr FileKind kNsys{"nsys", true}, kTorch{"torch", true, true}, kNcu{"ncu", true, false, true};

}  // namespace assay::kind
