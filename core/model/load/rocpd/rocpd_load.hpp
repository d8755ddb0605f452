// rocpd, the SQLite databases of AMD's profilers (ROCm 7): rocprofv3, rocprof-sys.
#pragma once

#include "load/format.hpp"

namespace assay::load {

extern const LinkedFormat kRocpdFormat;

}  // namespace assay::load
