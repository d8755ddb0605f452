// Traces of the PyTorch profiler.
#pragma once

#include "load/format.hpp"

namespace assay::load {

/// Its `load` refuses in one sentence: the file cannot be read, is no JSON, or holds no event of the PyTorch profiler.
/// What is damaged further on becomes an issue, and what was read before it is kept.
const Format& torch_format();

}  // namespace assay::load
