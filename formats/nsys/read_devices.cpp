// GPUs: those listed by the export, and those that only rows mention.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

#include "formats/nsys/read_tables.hpp"

namespace assay::load {
namespace {

/// Columns of TARGET_INFO_GPU other than the number.
constexpr std::string_view kOfGpus[] = {"name",           "smCount",       "computeMajor",    "computeMinor",
                                        "threadsPerWarp", "maxWarpsPerSm", "maxBlocksPerSm",  "maxRegistersPerSm",
                                        "maxShmemPerSm",  "totalMemory",   "memoryBandwidth", "clockRate",
                                        "l2CacheSize"};

/// Columns that every GPU with compute capability has.
const std::initializer_list<std::string_view> kAlwaysOfGpus = {
    "computeMajor",   "computeMinor",      "smCount",       "threadsPerWarp", "maxWarpsPerSm",
    "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm", "totalMemory",    "memoryBandwidth"};

}  // namespace

void read_devices(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  DeviceRows& devices = store.devices;
  std::map<std::int64_t, std::size_t> row_of;
  const auto columns = {&devices.id,
                        &devices.sm_count,
                        &devices.compute_major,
                        &devices.compute_minor,
                        &devices.max_threads_per_sm,
                        &devices.max_blocks_per_sm,
                        &devices.max_registers_per_sm,
                        &devices.max_shared_per_sm};
  for (auto* column : columns) column->make_present(0);
  devices.total_memory.make_present(0);
  devices.memory_bandwidth.make_present(0);
  devices.clock_rate.make_present(0);
  devices.l2_size.make_present(0);

  if (const TableInfo* info = source.schema.find("TARGET_INFO_GPU")) {
    const std::string id = !info->has("id") && info->has("deviceId") ? "deviceId" : "id";  // deviceId in exports of
                                                                                           // 2021
    std::vector<std::string> asked = {id};
    asked.insert(asked.end(), std::begin(kOfGpus), std::end(kOfGpus));
    std::vector<ColumnRequest> there = {{std::string(kRowIds)}};
    std::map<std::string, std::size_t, std::less<>> place;  // in `there`
    for (const std::string& column : asked) {
      if (!info->has(column)) continue;
      place.emplace(column, there.size());
      there.push_back({column, column == "name" ? CellType::kText : CellType::kInteger});
    }
    const WholeTable rows(source.tables(), *info, there);
    const auto integer = [&](std::size_t row, std::string_view column) {
      const auto at = place.find(column);
      const std::int64_t cell = at == place.end() ? kNoValue : rows.integer(at->second, row);
      return cell == kNoValue ? std::int64_t{kNone} : cell;
    };
    const auto small = [&](std::size_t row, std::string_view column) {
      const std::int64_t value = integer(row, column);
      return value < 0 || value > std::numeric_limits<std::int32_t>::max() ? kNone : static_cast<std::int32_t>(value);
    };
    std::vector<std::size_t> order(rows.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return integer(row, id); });
    note_misspelt(*info, asked, issues);
    if (info->has("smCount") || info->has("maxWarpsPerSm")) {  // nsys writes all of these; exports of 2021 have none
      note_lacking(*info, kAlwaysOfGpus, issues);
      note_lacking(*info, {"name"}, issues);
    }
    note_pages(rows.outcome().pages, info->name, issues);
    std::int64_t unlike = 0;
    for (const std::size_t row : order) {
      const bool named = info->has("name");
      const std::string_view name = named ? rows.text(place.at("name"), row) : std::string_view();
      if (small(row, id) == kNone || (named && name.empty())) {
        ++unlike;
        continue;
      }
      if (!row_of.emplace(integer(row, id), devices.names.size()).second) continue;
      const std::int32_t lanes = small(row, "threadsPerWarp"), warps = small(row, "maxWarpsPerSm");
      const bool known = lanes != kNone && warps != kNone && lanes <= 1024 && warps <= 1024;
      devices.id.push(small(row, id));
      devices.names.emplace_back(name);
      devices.sm_count.push(small(row, "smCount"));
      devices.compute_major.push(small(row, "computeMajor"));
      devices.compute_minor.push(small(row, "computeMinor"));
      devices.max_threads_per_sm.push(known ? lanes * warps : kNone);
      devices.max_blocks_per_sm.push(small(row, "maxBlocksPerSm"));
      devices.max_registers_per_sm.push(small(row, "maxRegistersPerSm"));
      devices.max_shared_per_sm.push(small(row, "maxShmemPerSm"));
      devices.total_memory.push(integer(row, "totalMemory"));
      devices.memory_bandwidth.push(integer(row, "memoryBandwidth"));
      devices.clock_rate.push(integer(row, "clockRate"));
      devices.l2_size.push(integer(row, "l2CacheSize"));
    }
    std::int64_t without = 0;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      const auto known = std::ranges::count_if(kAlwaysOfGpus, [&](std::string_view column) {
        return place.contains(column) && integer(row, column) >= 0 && integer(row, column) < kMaxInAll;
      });
      const auto there_are = std::ranges::count_if(kAlwaysOfGpus, [&](auto column) { return place.contains(column); });
      without += known > 0 && known < there_are ? 1 : 0;
    }
    if (without > 0) {
      issues.push_back({"missing_cells", Severity::kError, without,
                        fmt::format("{} GPUs of TARGET_INFO_GPU lack sizes that nsys writes of every GPU, or have some "
                                    "that cannot be; what depends on them is unknown, export the profile again.",
                                    without)});
    }
    if (unlike > 0) {
      issues.push_back(
          {"bad_devices", Severity::kError, unlike,
           fmt::format("{} of TARGET_INFO_GPU {} no GPU (a number and a name) and {} left out: the table is damaged; "
                       "copy or export the profile again.",
                       unlike == 1 ? "1 row" : fmt::format("{} rows", unlike), unlike == 1 ? "names" : "name",
                       unlike == 1 ? "is" : "are")});
    }
    if (!rows.outcome().damage.empty()) {
      issues.push_back(
          {"truncated", Severity::kError, static_cast<std::int64_t>(devices.names.size()),
           fmt::format("Of TARGET_INFO_GPU only the first {} rows could be read: {}; export the profile again.",
                       devices.names.size(), rows.outcome().damage)});
    }
  }
  const auto add = [&](std::int32_t device) {
    if (device == kNone || !row_of.emplace(device, devices.names.size()).second) return;
    for (auto* column : columns) column->push(column == &devices.id ? device : kNone);
    devices.names.emplace_back();
    devices.total_memory.push(kNone);
    devices.memory_bandwidth.push(kNone);
    devices.clock_rate.push(kNone);
    devices.l2_size.push(kNone);
  };
  const auto add_all = [&](const auto& rows) {
    std::int32_t last = kNone;
    for (const std::int32_t device : rows.device.values()) {
      if (device != last) add(last = device);
    }
  };
  if (store.kernels) add_all(*store.kernels);
  if (store.graphs) add_all(*store.graphs);
  if (store.copies) add_all(*store.copies);
  if (store.sets) add_all(*store.sets);
}

}  // namespace assay::load
