// Labels that need no declaration: what a report states about its recording (Environment in load/environment.hpp), and
// its format (the word of FileKind: "nsys", "torch", ...).
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace assay {

/// Runs that differ in one of these are not comparable: a study keeps them apart, as with a declared label.
inline constexpr std::array<std::string_view, 4> kBuiltInLabels = {"device", "clock", "driver", "format"};

/// All Environment names; text attributes with these names belong to the host.
inline constexpr std::array<std::string_view, 10> kEnvironmentNames = {
    "device", "clock", "driver", "cuda", "profiler", "rank", "world_size", "job", "capture", "format"};

inline bool is_built_in_label(std::string_view name) {
  return std::find(kBuiltInLabels.begin(), kBuiltInLabels.end(), name) != kBuiltInLabels.end();
}

}  // namespace assay
