// Times that a program measured itself without a profiler, in sheets next to the profiles of its runs.
#pragma once

#include <string>
#include <vector>

#include "algo/median_bounds.hpp"
#include "catalog/catalog.hpp"
#include "result.hpp"

namespace assay {

/// A range that both a profile and a sheet next to it have. Medians, in ns.
struct PlainTime {
  std::string range;  ///< folded path: "request_{i}/decode_{i}"
  double traced = 0, plain = 0;
  std::string source;   ///< name of the sheet
  std::string report;   ///< name of the profile
  MedianBounds bounds;  ///< of `plain`
};

/// Question to find profiles with, such that the sheets next to them are found.
Result<Question> plain_times_question();

/// For all profiles of a catalog found with that question; empty if there is no such sheet. Reads the profiles.
Result<std::vector<PlainTime>> plain_times(const Question& question, const Catalog& catalog);

}  // namespace assay
