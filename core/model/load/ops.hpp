// Links calls and kernels to the operators around their launch.
#pragma once

#include "load/store.hpp"

namespace assay::load {

/// Fills calls.op and kernels.op from External ids and, if those do not fit, from time: a call belongs to the operator
/// or annotation with its External id if that runs on its thread at the same time, else to the innermost one around it.
/// A kernel belongs to the operator of its call; without a call, to the one with its External id that began before it.
/// Precondition: ops are sorted and nested, calls and kernels.call sorted; either table may be missing. `stated`: the
/// id of a kernel precedes its call's operator, because one launch runs kernels of many operators.
void link_ops(Profile::Store& store, bool stated = false);

}  // namespace assay::load
