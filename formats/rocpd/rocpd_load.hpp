// rocpd, the SQLite databases of AMD's profilers (ROCm 7): rocprofv3, rocprof-sys.
#pragma once

#include "load/format.hpp"

namespace assay::load {

const Format& rocpd_format();

}  // namespace assay::load
