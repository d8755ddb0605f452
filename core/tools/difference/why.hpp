// Why a change came about, from what is recorded, and what the sides do not have in common.
#pragma once

#include <string>
#include <vector>

#include "difference/comparison.hpp"

namespace assay::difference {

/// Ratio by which nearly all kernels are slower or faster alike; 1 where they are not.
double common_ratio(const Side& before, const Side& after, const Alignment& alignment);

/// Fills `why` of every finding.
void add_reasons(Comparison& comparison);

/// Fills `unlike` and `comparable`: devices, versions, shapes, batch.
void add_unlike(Comparison& comparison);

}  // namespace assay::difference
