// Device activity in the window: busy time, copies, and idle time of streams.
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
  std::int64_t whole_time = 0;  ///< unclipped: bytes cannot be clipped, so bandwidths use this
  std::int64_t bytes = 0;
  std::vector<double> sizes;  ///< bytes of each copy with a known size
};

/// Element d is the direction with that number. `copies` must not be null; without directions all copies are of unknown
/// direction.
std::array<CopySummary, kDirections> copies_by_direction(const CopyTable& copies, Interval window);

/// A gap counts for a threshold if it is strictly longer.
struct GapThreshold {
  std::string_view name;  ///< value of the dimension `over`
  std::int64_t ns;
};
inline constexpr std::array<GapThreshold, 3> kGapThresholds = {{{"1us", 1'000}, {"10us", 10'000}, {"100us", 100'000}}};

struct GapSummary {
  std::array<std::int64_t, kGapThresholds.size()> over{};  ///< gaps longer than each threshold
  std::int64_t time = 0;                                   ///< sum of all gaps, ns
  std::int64_t longest = 0;
  std::int64_t judged = 0;      ///< linked kernels other than the first of their stream
  std::int64_t host_bound = 0;  ///< of those: the stream was idle before, and still idle when the launching call ended
};

/// Gaps between kernels and graph launches of a stream, each from the latest end so far to the next start. A stream is
/// (process, device, context, stream id); a row without context (graph launches have none) belongs to the first stream
/// with that id on its process and device. Foreign work ends a gap, and the time before it is not counted as a gap,
/// since it is not idle time of the window. `calls` may be null: then no kernel is judged.
GapSummary stream_gaps(const Work& kernels, const Work& graphs, const CallTable* calls);

/// Unions of time inside the window on one device, ns. "Own" work belongs to the window; foreign work was launched
/// outside of it and only runs in it.
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

/// One row per device that ran work in the window, in order of first use. `opaque` has an element per graph row: not 0
/// if the kernels of that launch were not traced.
std::vector<DeviceBusy> busy_by_device(const GpuWork& work, std::span<const std::uint8_t> opaque, Interval window);

/// Own work of one process on one device, ns.
struct PartBusy {
  std::uint32_t process = 0;  ///< row of processes
  std::int32_t device = kNone;
  std::int64_t busy = 0;  ///< union of all work
  std::int64_t work = 0;  ///< union of it without kernels that communicate
  std::int64_t kernels = 0;
};

/// One row per process and device with work in the window, by process, then device. `collectives` may be null.
std::vector<PartBusy> busy_by_part(const GpuWork& work, const CollectiveTable* collectives, Interval window);

/// By graph row: 1 unless some kernel was launched by the same call, that is, traced by node.
std::vector<std::uint8_t> opaque_graphs(const Work& graphs, const Work& kernels);

}  // namespace assay::summary
