// File names without what only says of which kind a file is.
#pragma once

#include <string_view>

namespace assay {

/// `file_name` without one known extension: .sqlite .nsys-rep .qdrep .json .json.gz .pt.trace.json .pt.trace.json.gz
/// .ncu-rep .csv .ncu.csv .ncu.raw.csv .ncu.details.csv
std::string_view stem_of(std::string_view file_name);

}  // namespace assay
