// CSVs of Nsight Compute: as a report of their own, or as counters for the kernels of another report.
#pragma once

#include <filesystem>
#include <span>

#include "load/format.hpp"
#include "load/store.hpp"

namespace assay::load {

const Format& ncu_format();

}  // namespace assay::load
