// API calls that block the host: those of nsys's expert rules, with their cost.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/report.hpp"

namespace assay::idle {

/// Why a call waits. The rules are those of nsys: cuda_api_sync, cuda_memcpy_async, cuda_memcpy_sync, cuda_memset_sync;
/// waiting for an event is not among them and is counted separately.
enum class WaitKind : std::uint8_t {
  kDeviceSync = 0,    ///< for a device
  kStreamSync = 1,    ///< for a stream
  kEventSync = 2,     ///< for an event
  kPageableCopy = 3,  ///< an asynchronous copy from or to pageable memory, which is staged through pinned memory
  kBlockingCopy = 4,  ///< a copy without Async, unless it returns early: within a device, or at most 64 KB to a device
  kBlockingSet = 5,   ///< a set without Async, unless its memory is known to be device-only
  kNone = 6,
};
inline constexpr std::size_t kWaits = 6;
inline constexpr std::array<std::string_view, kWaits> kWaitNames = {"device_sync",   "stream_sync",   "event_sync",
                                                                    "pageable_copy", "blocking_copy", "blocking_set"};

/// Why a report cannot show one kind of waiting, as a sentence; empty: it can.
std::string_view lack_of(const Report& report, WaitKind wait);

/// Kind of waiting per call, by row of calls.
std::vector<WaitKind> waits_of_calls(const Report& report);

/// Waiting calls of one kind.
struct WaitSum {
  std::int64_t calls = 0;  ///< in the window
  std::int64_t host = 0;   ///< ns in them
  std::int64_t idle = 0;   ///< part in which a device was idle because of the waiting thread, in ns
};
using WaitSums = std::array<WaitSum, kWaits>;

/// Adds the calls of the window and their time.
void add_calls(const CallTable& calls, const std::vector<WaitKind>& waits, WaitSums& sums);

}  // namespace assay::idle
