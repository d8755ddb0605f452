// Traces of the PyTorch profiler.
#pragma once

#include "load/format.hpp"

namespace assay::load {

/// `load` refuses with one sentence if the file cannot be read, is not JSON, or contains no event of the PyTorch
/// profiler. Damage further on becomes an issue, and what was read before it is kept.
const Format& torch_format();

}  // namespace assay::load
