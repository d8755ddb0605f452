// Times that the program took itself, without a profiler, of the ranges of a report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/study.hpp"

namespace assay {

struct PlainTimes {
  std::string path;
  std::vector<double> ns;  ///< of the program, in the order of the sheet
  std::string source;      ///< path of the sheet
};

/// Of the sheets of that id the times of a report whose ranges have these paths. A column "decode_ms" (ns, us, ms or s;
/// "requests.decode_ms" too) is of the one path whose last name is "decode" without its numbers. The report is named by
/// the text of a column "name", "run", "report" or "file", or by a part of a dotted column
/// ("eager_bs1.requests.decode_ms"); sheets in its folder come first.
std::vector<PlainTimes> plain_times(const StudyView& view, std::size_t report, const std::vector<std::string>& paths,
                                    std::string_view sheet);

}  // namespace assay
