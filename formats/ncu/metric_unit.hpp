// The unit of a counter, derived from its name. Nsight Compute CSVs state it in their second row; a .ncu-rep does not.
#pragma once

#include <string_view>

namespace assay::ncu {

/// In the base units of the counter table ("byte", "byte/s", "hz", "ns", "%", "inst/cycle"); "" for a plain number or
/// an unknown name. Looked up by the parts of the name UNIT__WHAT.ROLLUP.SUBMETRIC (Nsight Compute's Metrics Guide);
/// compared with row 2 of real CSVs.
std::string_view unit_of_metric(std::string_view name);

}  // namespace assay::ncu
