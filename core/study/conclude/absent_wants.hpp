// How a skip ends that says which columns an analyzer wants and no report has.
#pragma once

#include <string_view>

namespace assay {

inline constexpr std::string_view kWouldUse = ", which it would use";

}  // namespace assay
