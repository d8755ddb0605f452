// A format of the tests' own: a line {"profile": "json_lines"}, then a line a kernel: {"kernel": "add", "start": 10,
// "end": 20}, in nanoseconds.
#pragma once

#include "load/format.hpp"

namespace assay::load {

extern const Format kJsonLinesFormat;

}  // namespace assay::load
