// Calls, device work and threads of a report, in the order in which the replay graph is built.
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
  std::uint16_t device_number = 0;    ///< numbered as in nodes
  std::uint32_t call = kNoIndex;      ///< place in `calls`
  std::uint32_t previous = kNoIndex;  ///< previous work on its stream, index into `work`
};

/// A call with no enclosing call on its thread. It owns what the calls inside it launch.
struct OuterCall {
  Row row = kNone;  ///< has its times
  std::uint32_t thread = 0;
  std::uint32_t first_work = 0, work_count = 0;  ///< in `launched`
  std::uint32_t tie = kNoIndex;                  ///< in `ties`: to other calls and to streams; kNoIndex: none
  bool waits_for_device = false, waits_for_stream = false, waits_for_event = false;
  bool waits_for_work = false;  ///< waits for its own work: copies of pageable memory, calls without Async
  [[nodiscard]] bool waits() const { return waits_for_device || waits_for_stream || waits_for_event || waits_for_work; }
};

/// What few calls have.
struct CallTie {
  std::uint32_t handed_from = kNoIndex;    ///< the call of another thread that handed over to this one
  std::int32_t waited_stream = kNone;      ///< for waits_for_stream: stream number in the graph; kNone: unknown
  std::uint32_t waited_record = kNoIndex;  ///< for waits_for_event: index into `records`; kNoIndex: unknown
};

/// A call that records an event some other call waits for.
struct Record {
  std::uint32_t call = kNoIndex;    ///< place in `calls`
  std::uint32_t stream = kNoIndex;  ///< number in the graph; kNoIndex: no work ever ran on it
  auto operator<=>(const Record&) const = default;
};

/// A call that makes a stream wait for an event.
struct EventWait {
  std::uint32_t call = kNoIndex;    ///< place in `calls`
  std::uint32_t stream = kNoIndex;  ///< that waits
  std::uint32_t record = kNoIndex;  ///< place in `records`
};

struct Inputs {
  /// Calls that begin before `until`, and the work they launch.
  Inputs(const Report& report, std::int64_t until);

  [[nodiscard]] std::int64_t start(const OuterCall& call) const { return table->start[call.row]; }
  [[nodiscard]] std::int64_t end(const OuterCall& call) const { return table->end[call.row]; }
  [[nodiscard]] std::int64_t start(std::uint32_t call) const { return start(calls[call]); }
  [[nodiscard]] std::int64_t end(std::uint32_t call) const { return end(calls[call]); }
  [[nodiscard]] CallTie tie(const OuterCall& call) const { return call.tie == kNoIndex ? CallTie{} : ties[call.tie]; }
  /// To be changed.
  CallTie& tied(OuterCall& call) {
    if (call.tie == kNoIndex) {
      call.tie = static_cast<std::uint32_t>(ties.size());
      ties.emplace_back();
    }
    return ties[call.tie];
  }

  std::int64_t until;
  const CallTable* table;  ///< of the report

  std::vector<OuterCall> calls;  ///< by start
  std::vector<CallTie> ties;
  std::vector<Work> work;                     ///< by start
  std::vector<std::uint32_t> launched;        ///< indices into `work`, grouped by call, sorted by start
  std::vector<std::uint32_t> unlinked;        ///< indices into `work`, sorted by start
  std::vector<Record> records;                ///< by call
  std::vector<EventWait> event_waits;         ///< by call
  std::size_t loose_waits = 0;                ///< calls that make a stream wait for an unknown event
  std::vector<std::uint32_t> stream_process;  ///< of each stream
  std::vector<std::uint32_t> thread_process;  ///< of each thread
  std::size_t hand_overs = 0;
  Lags lags;  ///< all but wake
};

}  // namespace assay::replay
