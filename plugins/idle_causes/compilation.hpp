// Time spent compiling the program during the recording.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::idle {

struct CompilationTime {
  std::int64_t compiled = 0;  ///< ns during which some thread was in a range, span or operator that compiles
  std::int64_t capture = 0;   ///< of this many: from the first range or call to the last; excludes the start, since
                              ///< device work begins late
};

/// In a named window: of that window.
CompilationTime compilation_time(const Report& report);

}  // namespace assay::idle
