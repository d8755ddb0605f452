// Assets of report.html, built into the program so that it needs no files at run time.
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;
extern const std::string_view kReportScriptSha256;  ///< in hexadecimal
extern const std::string_view kPageStyle;           ///< of the kit of parts
extern const std::string_view kPageScript;
extern const std::string_view kPageScriptSha256;  ///< in hexadecimal

}  // namespace assay
