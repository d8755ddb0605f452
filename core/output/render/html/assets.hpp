// The texts that report.html carries: built into the program from files, so that it needs nothing where it runs.
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;
extern const std::string_view kReportScriptSha256;  ///< in hexadecimal

}  // namespace assay
