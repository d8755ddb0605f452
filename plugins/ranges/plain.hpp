// Times of the ranges of a report that the program measured itself, without a profiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/study.hpp"
#include "words.hpp"

namespace assay::ranges {

struct PlainTimes {
  std::string path;
  double traced = 0;       ///< median of the ranges, ns
  std::vector<double> ns;  ///< of the program, in the order of the sheet
  std::string source;      ///< path of the sheet
};

/// The times of a report in the sheets with that id. A column "decode_ms" (ns, us, ms or s; also "requests.decode_ms")
/// belongs to the only path whose last name is "decode", ignoring numbers. The report is named by a column "name",
/// "run", "report" or "file", or by a part of a dotted column ("eager_bs1.requests.decode_ms").
std::vector<PlainTimes> plain_times(const StudyView& view, const ReportPaths& report, std::string_view sheet);

}  // namespace assay::ranges
