// The unit of a counter by its name. CSVs of Nsight Compute say it in their second row; a .ncu-rep does not.
#pragma once

#include <string_view>

namespace assay::load {

/// In the base units of the counter table ("byte", "byte/s", "hz", "ns", "%", "inst/cycle"), "" for a plain number.
/// From one table by the parts of the name: UNIT__WHAT.ROLLUP.SUBMETRIC (Nsight Compute's Metrics Guide), which row 2
/// of real CSVs was compared with. A name that the table does not know has "".
std::string_view unit_of_metric(std::string_view name);

}  // namespace assay::load
