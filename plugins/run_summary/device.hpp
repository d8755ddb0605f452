// What devices did in the window: how long they were busy, what they copied, and where their streams were idle.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "work.hpp"

namespace assay::summary {

inline constexpr std::size_t kDirections = 10;  ///< enumerators of CopyDirection

struct CopySummary {
  std::int64_t count = 0;
  std::int64_t time = 0;        ///< durations clipped to the window, ns
  std::int64_t whole_time = 0;  ///< unclipped: bytes cannot be clipped, so a bandwidth needs this
  std::int64_t bytes = 0;
  std::vector<double> sizes;  ///< bytes of each copy whose size is known
};

/// Element d is the direction with that number. `copies` must not be null; a table without directions gives all as
/// unknown.
std::array<CopySummary, kDirections> copies_by_direction(const CopyTable& copies, Interval window);

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

/// Unions of time inside the window on one device, ns. "Own" work belongs to the window; foreign work was launched
/// outside it and only runs in it.
struct DeviceBusy {
  std::int32_t device = kNone;
  bool ran_kernels = false;  ///< own kernels or graph launches
  bool ran_own = false;      ///< own work of any kind
  std::int64_t kernels = 0;  ///< kernels and graph launches
  std::int64_t copies = 0;
  std::int64_t kernels_or_copies = 0;
  std::int64_t own = 0;  ///< all own work
  std::int64_t all = 0;  ///< own and foreign
  std::int64_t foreign = 0;
  std::int64_t opaque = 0;  ///< graph launches whose kernels were not traced

  /// Time with a copy and a kernel at once.
  [[nodiscard]] std::int64_t overlap() const { return kernels + copies - kernels_or_copies; }
};

/// One row a device that ran anything in the window, in order of first use. `opaque` has an element per graph row: not
/// 0 where the kernels of that launch were not traced.
std::vector<DeviceBusy> busy_by_device(const GpuWork& work, std::span<const std::uint8_t> opaque, Interval window);

/// Per graph row: 1 unless some kernel was launched by the same call, that is, was traced by node.
std::vector<std::uint8_t> opaque_graphs(const Work& graphs, const Work& kernels);

}  // namespace assay::summary
