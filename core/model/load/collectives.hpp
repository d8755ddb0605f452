// Finds collective kernels and their properties.
#pragma once

#include "load/store.hpp"

namespace assay::load {

/// Fills `collectives` from kernel names and from the NCCL ranges around their launches with what these state.
/// Precondition: kernels are sorted and linked, ranges nested.
void find_collectives(Profile::Store& store);

/// Sorts collectives that a format filled into the order of their kernels; drops those whose kernel was left out.
void order_collectives(Profile::Store& store);

}  // namespace assay::load
