// Explains changes from recorded data.
#pragma once

#include "comparison.hpp"

namespace assay::difference {

/// Fills `why` of every finding.
void add_reasons(Comparison& comparison);

}  // namespace assay::difference
