// SQLite exports of Nsight Systems.
#pragma once

#include "load/format.hpp"

namespace assay::load {

extern const LinkedFormat kNsysFormat;

}  // namespace assay::load
