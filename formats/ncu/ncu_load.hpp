// CSVs of Nsight Compute: a report of their own, or the counters of a report's kernels.
#pragma once

#include <filesystem>
#include <span>

#include "load/format.hpp"
#include "load/store.hpp"

namespace assay::load {

const Format& ncu_format();

}  // namespace assay::load
