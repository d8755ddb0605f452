// SQLite exports of Nsight Systems.
#pragma once

#include "load/format.hpp"

namespace assay::load {

const Format& nsys_format();

}  // namespace assay::load
