// What a report says of calls, device work and threads, sorted as the graph of a replay is built from it.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/idle/waits.hpp"
#include "algo/replay/replay.hpp"

namespace assay::replay {

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFU;

/// A piece of device work.
struct Work {
  std::int64_t start = 0, end = 0;
  NodeKind kind = NodeKind::kKernel;
  Row row = kNone;
  std::uint32_t stream = 0;
  std::int32_t device = kNone;
  std::uint16_t device_number = 0;    ///< as nodes have it
  std::uint32_t call = kNoIndex;      ///< place in `calls`
  std::uint32_t previous = kNoIndex;  ///< of its stream, place in `work`
};

/// A call that no other call of its thread is around; what such a one launches is its own.
struct OuterCall {
  std::int64_t start = 0, end = 0;
  Row row = kNone;
  std::uint32_t thread = 0;
  bool waits_for_device = false, waits_for_stream = false, waits_for_event = false;
  bool waits_for_work = false;                   ///< for its own: copies of pageable memory, calls without Async
  std::uint32_t first_work = 0, work_count = 0;  ///< in `launched`
  std::uint32_t handed_from = kNoIndex;          ///< the call of another thread that this one goes on for
  std::int32_t waited_stream = kNone;            ///< of waits_for_stream, number in the graph; kNone: not said
  std::uint32_t waited_record = kNoIndex;        ///< of waits_for_event, place in `records`; kNoIndex: not said
  [[nodiscard]] bool waits() const { return waits_for_device || waits_for_stream || waits_for_event || waits_for_work; }
};

/// A call that records an event that something waits for.
struct Record {
  std::uint32_t call = kNoIndex;    ///< place in `calls`
  std::uint32_t stream = kNoIndex;  ///< number in the graph; kNoIndex: nothing ever ran on it
  auto operator<=>(const Record&) const = default;
};

/// A call that makes a stream wait for an event.
struct EventWait {
  std::uint32_t call = kNoIndex;    ///< place in `calls`
  std::uint32_t stream = kNoIndex;  ///< that waits
  std::uint32_t record = kNoIndex;  ///< place in `records`
};

struct Inputs {
  /// Of what is called before `until`, and what that launches.
  Inputs(const Report& report, std::int64_t until);

  std::int64_t until;

  std::vector<OuterCall> calls;               ///< by start
  std::vector<Work> work;                     ///< by start
  std::vector<std::uint32_t> launched;        ///< places in `work`, call by call, each by start
  std::vector<std::uint32_t> unlinked;        ///< places in `work`, by start
  std::vector<Record> records;                ///< by call
  std::vector<EventWait> event_waits;         ///< by call
  std::size_t loose_waits = 0;                ///< calls that make a stream wait for an event of which nothing is known
  std::vector<std::uint32_t> stream_process;  ///< of each stream
  std::vector<std::uint32_t> thread_process;  ///< of each thread
  std::size_t hand_overs = 0;
  Lags lags;  ///< all but wake
};

}  // namespace assay::replay
