// The verdicts as findings and a table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/output.hpp"
#include "judge.hpp"

namespace assay::labels {

/// "786,432".
std::string with_commas(std::int64_t number);
/// Name of a report without folder and extension.
std::string file_name(std::string_view path);

/// The answer, each accusation with its evidence, then what cannot be verified and which runs are equal.
std::vector<Finding> findings(const Bench& bench);

/// One row per judged label of a report.
Table label_table(const Bench& bench);

}  // namespace assay::labels
