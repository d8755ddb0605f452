// Recognises rocpd files by their tables.
#pragma once

#include "load/format.hpp"

namespace assay::load::rocpd {

bool is_rocpd(const Candidate& file);

}  // namespace assay::load::rocpd
