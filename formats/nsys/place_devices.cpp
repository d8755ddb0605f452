// Devices of rows: nsys writes the device number as seen by the process, which depends on CUDA_VISIBLE_DEVICES.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "formats/nsys/read_tables.hpp"

namespace assay::load {
namespace {

/// A device as numbered by a process.
using Place = std::pair<std::uint32_t, std::int32_t>;

/// Calls `use(process, device)` for the rows of device work, and of synchronisations if `syncs`.
template <class Use>
void each_place(NsysTables& to, bool syncs, const Use& use) {
  const bool one_process = to.source.shared.threads.process_count() <= 1;
  const auto each = [&](auto& rows) {
    const std::span<std::int32_t> devices = rows.device.values();
    for (std::size_t i = 0; i < devices.size(); ++i)
      if (to.possible(rows, i)) use(one_process && rows.process[i] == kNoProcess ? 0 : rows.process[i], devices[i]);
  };
  each(to.kernels);
  each(to.graphs);
  each(to.copies);
  each(to.sets);
  if (syncs) each(to.syncs);
}

std::set<Place> used_places(NsysTables& to) {
  std::set<Place> used;
  Place last{kNoProcess, kNone};
  each_place(to, false, [&](std::uint32_t process, std::int32_t device) {
    if (Place(process, device) == last) return;
    last = {process, device};
    if (device != kNone && process != kNoProcess) used.insert(last);
  });
  return used;
}

/// GPUs by (operating system process id, device number in that process), without entries that occur twice.
std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> listed_gpus(const Source& source) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> gpus;
  const TableInfo* info = source.schema.find("TARGET_INFO_CUDA_DEVICE");
  if (info == nullptr || !info->has("gpuId") || !info->has("cudaId") || !info->has("pid")) return gpus;
  sqlite::Statement rows(
      source.db.handle(),
      "SELECT pid, cudaId, min(gpuId) FROM TARGET_INFO_CUDA_DEVICE WHERE gpuId >= 0 AND gpuId < 65536 "
      "GROUP BY pid, cudaId HAVING min(gpuId) = max(gpuId) LIMIT 65536");
  while (rows.ok() && rows.step())
    gpus.emplace(std::pair(rows.integer(0), rows.integer(1)), static_cast<std::int32_t>(rows.integer(2)));
  return gpus;
}

}  // namespace

void assign_devices(NsysTables& to) {
  const std::set<Place> used = used_places(to);
  if (used.empty()) return;
  const auto gpus = listed_gpus(to.source);
  const std::vector<std::int64_t>& pids = to.source.shared.threads.process_ids();
  std::map<Place, std::int32_t> device_of;
  std::map<std::int32_t, std::uint32_t> holder;  // for numbers the export does not explain: the process that uses them
  std::int32_t next = 0;
  for (const auto& [process, device] : used) next = std::max(next, device + 1);
  for (const auto& [place, gpu] : gpus) next = std::max(next, gpu + 1);
  std::int64_t apart = 0;
  for (const Place& place : used) {
    const auto gpu = gpus.find({pids.empty() ? kNone : pids[place.first], place.second});
    if (gpu != gpus.end()) {
      device_of[place] = gpu->second;
      continue;
    }
    const bool known = std::ranges::any_of(gpus, [&](const auto& one) { return one.second == place.second; });
    const bool alone = holder.emplace(place.second, place.first).second && !known;
    device_of[place] = alone ? place.second : next++;
    if (!alone) ++apart;
  }
  const bool as_they_are =
      std::ranges::all_of(device_of, [](const auto& place) { return place.first.second == place.second; });
  if (as_they_are) return;
  each_place(to, true, [&](std::uint32_t process, std::int32_t& device) {
    const auto at = device == kNone ? device_of.end() : device_of.find({process, device});
    if (at != device_of.end()) device = at->second;
  });
  if (apart == 0) return;
  to.issue("device_of_process", Severity::kWarning, apart,
           fmt::format("Several processes number a device alike and the export does not say which GPUs these are, so "
                       "{} counted apart, as device {} and up; they may be one.",
                       apart == 1 ? "one is" : fmt::format("{} are", apart), next - static_cast<std::int32_t>(apart)));
}

}  // namespace assay::load
