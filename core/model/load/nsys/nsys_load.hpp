// SQLite exports of Nsight Systems.
#pragma once

#include "load/format.hpp"

namespace assay::load {

extern const Format kNsysFormat;

}  // namespace assay::load
