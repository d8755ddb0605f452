// Labels that no TOML declares: what a report itself says of where it was made (Environment in load/environment.hpp),
// and the format that it is read from (the word of FileKind: "nsys", "torch", ...).
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace assay {

/// Runs that differ in one of these are unlike: a study that mixes them keeps them apart, as by a declared label.
inline constexpr std::array<std::string_view, 4> kBuiltInLabels = {"device", "clock", "driver", "format"};

/// All names of what reports say of themselves; text attributes of these names are the host's.
inline constexpr std::array<std::string_view, 10> kEnvironmentNames = {
    "device", "clock", "driver", "cuda", "profiler", "rank", "world_size", "job", "capture", "format"};

inline bool is_built_in_label(std::string_view name) {
  return std::find(kBuiltInLabels.begin(), kBuiltInLabels.end(), name) != kBuiltInLabels.end();
}

}  // namespace assay
