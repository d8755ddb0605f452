// Why a change came about, from what is recorded.
#pragma once

#include "comparison.hpp"

namespace assay::difference {

/// Fills `why` of every finding.
void add_reasons(Comparison& comparison);

}  // namespace assay::difference
