// Times that the program took itself, without a profiler, of the ranges of a report.
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

/// Of the sheets of that id the times of a report. A column "decode_ms" (ns, us, ms or s; "requests.decode_ms" too) is
/// of the one path whose last name is "decode" without its numbers. The report is named by the text of a column "name",
/// "run", "report" or "file", or by a part of a dotted column ("eager_bs1.requests.decode_ms").
std::vector<PlainTimes> plain_times(const StudyView& view, const ReportPaths& report, std::string_view sheet);

}  // namespace assay::ranges
