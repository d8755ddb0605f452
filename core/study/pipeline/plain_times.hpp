// Times that a program took itself, without a profiler, beside the profiles of its runs.
#pragma once

#include <string>
#include <vector>

#include "algo/median_bounds.hpp"
#include "catalog/catalog.hpp"
#include "result.hpp"

namespace assay {

/// A range that a profile has and a sheet beside it as well. Times in ns, medians.
struct PlainTime {
  std::string range;  ///< folded path: "request_{i}/decode_{i}"
  double traced = 0, plain = 0;
  std::string source;   ///< name of the sheet
  std::string report;   ///< name of the profile
  MedianBounds bounds;  ///< of `plain`
};

/// The question for which profiles are to be found, so that such sheets beside them are.
Result<Question> plain_times_question();

/// Of all profiles of a catalog that was made for that question; none where no sheet lies beside them. Reads the
/// profiles.
Result<std::vector<PlainTime>> plain_times(const Question& question, const Catalog& catalog);

}  // namespace assay
