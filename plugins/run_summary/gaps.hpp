// Idle time between kernels on a stream, and whether the host caused it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "work.hpp"

namespace assay::summary {

/// A gap counts above a threshold when it is strictly longer.
struct GapThreshold {
  std::string_view name;  ///< value of the dimension `over`
  std::int64_t ns;
};
inline constexpr std::array<GapThreshold, 3> kGapThresholds = {{{"1us", 1'000}, {"10us", 10'000}, {"100us", 100'000}}};

struct GapSummary {
  std::array<std::int64_t, kGapThresholds.size()> over{};  ///< gaps longer than each threshold
  std::int64_t time = 0;                                   ///< sum of all gaps, ns
  std::int64_t longest = 0;
  std::int64_t judged = 0;      ///< linked kernels that are not the first of their stream
  std::int64_t host_bound = 0;  ///< of those: the stream was idle before, and still was when the launching call ended
};

/// Gaps between kernels and graph launches of a stream, each from the greatest end so far to the next start. A stream
/// is (process, device, context, stream id); a row without context (graph launches have none) joins the stream of that
/// id on its process and device that was seen first. Foreign work ends a gap and is no gap's end: it is not idle time,
/// and what came before it is not the window's. `calls` may be null: then no kernel is judged.
GapSummary stream_gaps(const Work& kernels, const Work& graphs, const CallTable* calls);

}  // namespace assay::summary
