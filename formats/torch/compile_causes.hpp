// What torch.compile did while the program waited, as causes of idle time.
#pragma once

#include "load/store.hpp"

namespace assay::load {

/// Adds the table `causes` if an operator compiles a frame or tries configurations of a Triton kernel. Requires final
/// times of ops and ranges.
void add_compile_causes(Profile::Store& store);

}  // namespace assay::load
