#include "algo/idle/waits.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace assay::idle {
namespace {

constexpr std::int32_t kDeviceToDevice = 8;        // CUPTI copyKind
constexpr std::int64_t kReturnsEarly = 64 * 1024;  ///< bytes to a device (CUDA: synchronization behaviour)

std::optional<WaitKind> sync_of(CallKind kind) {
  if (kind == CallKind::kDeviceSync) return WaitKind::kDeviceSync;
  if (kind == CallKind::kStreamSync) return WaitKind::kStreamSync;
  if (kind == CallKind::kEventSync) return WaitKind::kEventSync;
  return std::nullopt;
}

bool returns_early(const CopyTable& copies, std::size_t row) {
  if (copies.kind.present() && copies.kind[row] == kDeviceToDevice) return true;
  const bool to_device = copies.direction.present() && copies.direction[row] == CopyDirection::kHostToDevice;
  return to_device && copies.bytes.present() && copies.bytes[row] <= kReturnsEarly;
}

WaitKind wait_of_copy(const CopyTable& copies, std::size_t row, CallKind call) {
  if (call == CallKind::kBlockingCopy) return returns_early(copies, row) ? WaitKind::kNone : WaitKind::kBlockingCopy;
  const bool pageable =
      copies.source_kind.present() && copies.target_kind.present() &&
      (copies.source_kind[row] == MemoryKind::kPageable || copies.target_kind[row] == MemoryKind::kPageable);
  return call == CallKind::kCopy && pageable ? WaitKind::kPageableCopy : WaitKind::kNone;
}

/// Setting device memory returns before it is done; setting memory that the host can access does not.
bool reaches_the_host(const SetTable& sets, std::size_t row) {
  return !sets.memory_kind.present() || sets.memory_kind[row] == MemoryKind::kPinned ||
         sets.memory_kind[row] == MemoryKind::kManaged;
}

/// Whether any call of these kinds was made.
bool has_calls(const CallTable& calls, std::initializer_list<CallKind> kinds) {
  for (std::size_t c = 0; c < calls.rows; ++c) {
    if (std::ranges::find(kinds, calls.kind[c]) != kinds.end()) return true;
  }
  return false;
}

/// Rows of a device work table with the row of the launching call.
template <class Table, class Use>
void each_launched(const Table* table, const Use& use) {
  if (table == nullptr || !table->call.present()) return;
  for (std::size_t row = 0; row < table->rows; ++row) {
    if (table->call[row] >= 0) use(row, static_cast<std::size_t>(table->call[row]));
  }
}

}  // namespace

std::string_view lack_of(const Report& report, WaitKind wait) {
  if (report.calls == nullptr) return "no API calls were recorded, so waiting calls are unknown";
  const bool of_copies = wait == WaitKind::kPageableCopy || wait == WaitKind::kBlockingCopy;
  if (of_copies && report.copies == nullptr && has_calls(*report.calls, {CallKind::kCopy, CallKind::kBlockingCopy}))
    return "there were copy calls, but copies were not captured, so waiting copies are unknown";
  if (wait == WaitKind::kBlockingSet && report.sets == nullptr && has_calls(*report.calls, {CallKind::kSet}))
    return "there were calls that set memory, but sets were not captured, so waiting sets are unknown";
  const bool copies = report.copies != nullptr && report.copies->rows > 0;
  if (wait == WaitKind::kPageableCopy && copies && !report.copies->source_kind.present())
    return "the profile does not say which copies are of pageable memory";
  const bool sets = report.sets != nullptr && report.sets->rows > 0;
  if (wait == WaitKind::kBlockingSet && sets && !report.calls->name.present())
    return "the profile has no names of API calls, so sets that wait cannot be told from others";
  return {};
}

std::vector<WaitKind> waits_of_calls(const Report& report) {
  if (report.calls == nullptr) return {};
  const CallTable& calls = *report.calls;
  std::vector<WaitKind> waits(calls.rows, WaitKind::kNone);
  for (std::size_t c = 0; c < calls.rows; ++c) waits[c] = sync_of(calls.kind[c]).value_or(WaitKind::kNone);
  each_launched(report.copies, [&](std::size_t row, std::size_t call) {
    const WaitKind wait = wait_of_copy(*report.copies, row, calls.kind[call]);
    if (wait != WaitKind::kNone) waits[call] = wait;
  });
  if (calls.name.present()) {
    each_launched(report.sets, [&](std::size_t row, std::size_t call) {
      const bool waiting = calls.kind[call] == CallKind::kSet && reaches_the_host(*report.sets, row);
      if (waiting && report.string(calls.name[call]).find("Async") == std::string_view::npos)
        waits[call] = WaitKind::kBlockingSet;
    });
  }
  return waits;
}

void add_calls(const CallTable& calls, const std::vector<WaitKind>& waits, WaitSums& sums) {
  for (std::size_t c = 0; c < calls.rows; ++c) {
    if (waits[c] == WaitKind::kNone || calls.in_window[c] == 0) continue;
    WaitSum& sum = sums[static_cast<std::size_t>(waits[c])];
    ++sum.calls;
    sum.host += calls.end[c] - calls.start[c];
  }
}

}  // namespace assay::idle
