// Rows of a table as indices.
#pragma once

#include <cstddef>

#include "assay/report.hpp"

namespace assay::nsys {

/// Index of a row that is known to be valid.
inline std::size_t at(Row row) { return static_cast<std::size_t>(row); }

}  // namespace assay::nsys
