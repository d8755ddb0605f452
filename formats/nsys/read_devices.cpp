// GPUs: those listed by the export, and those that only rows mention.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "formats/nsys/read_tables.hpp"

namespace assay::load {
namespace {

/// Columns of TARGET_INFO_GPU other than the number and the name.
constexpr std::string_view kOfGpus[] = {"smCount",       "computeMajor",    "computeMinor",      "threadsPerWarp",
                                        "maxWarpsPerSm", "maxBlocksPerSm",  "maxRegistersPerSm", "maxShmemPerSm",
                                        "totalMemory",   "memoryBandwidth", "clockRate",         "l2CacheSize"};

/// Columns that every GPU with compute capability has.
const std::initializer_list<std::string_view> kAlwaysOfGpus = {
    "computeMajor",   "computeMinor",      "smCount",       "threadsPerWarp", "maxWarpsPerSm",
    "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm", "totalMemory",    "memoryBandwidth"};

/// TARGET_INFO_GPU, with its cells by column name.
struct Gpus {
  std::string_view number;  ///< its column
  std::map<std::string_view, OwnedColumn<std::int64_t>> cells;
  OwnedColumn<std::int64_t> rows;
  OwnedColumn<StringId> names;

  [[nodiscard]] std::int64_t integer(std::size_t row, std::string_view column) const {
    const OwnedColumn<std::int64_t>& of = cells.at(column);
    return of.present() ? of[row] : std::int64_t{kNone};
  }
  [[nodiscard]] std::int32_t small(std::size_t row, std::string_view column) const {
    const std::int64_t value = integer(row, column);
    return value < 0 || value > std::numeric_limits<std::int32_t>::max() ? kNone : static_cast<std::int32_t>(value);
  }
  [[nodiscard]] std::int32_t id(std::size_t row) const { return small(row, number); }
  [[nodiscard]] std::vector<std::size_t> by_id() const {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return integer(row, number); });
    return order;
  }
};

Gpus read_gpus(NsysTables& to, const TableInfo& info) {
  Gpus gpus;
  gpus.number = !info.has("id") && info.has("deviceId") ? "deviceId" : "id";  // deviceId in exports of 2021
  TableLoad table(to.source, info);
  table.integers(gpus.cells[gpus.number], gpus.number);
  for (const std::string_view column : kOfGpus) table.integers(gpus.cells[column], column);
  table.texts(gpus.names, "name", to.intern());
  table.row_ids(gpus.rows);
  table.run(to.issues);
  return gpus;
}

void add_listed(const Gpus& gpus, std::size_t row, TableSink& out) {
  const std::int32_t lanes = gpus.small(row, "threadsPerWarp"), warps = gpus.small(row, "maxWarpsPerSm");
  const bool known = lanes != kNone && warps != kNone && lanes <= 1024 && warps <= 1024;
  out.add_device({.id = gpus.id(row),
                  .sm_count = gpus.small(row, "smCount"),
                  .compute_major = gpus.small(row, "computeMajor"),
                  .compute_minor = gpus.small(row, "computeMinor"),
                  .name = gpus.names.present() ? out.text(gpus.names[row]) : Str(),
                  .total_memory = gpus.integer(row, "totalMemory"),
                  .memory_bandwidth = gpus.integer(row, "memoryBandwidth"),
                  .clock_rate = gpus.integer(row, "clockRate"),
                  .l2_size = gpus.integer(row, "l2CacheSize"),
                  .max_threads_per_sm = known ? lanes * warps : kNone,
                  .max_blocks_per_sm = gpus.small(row, "maxBlocksPerSm"),
                  .max_registers_per_sm = gpus.small(row, "maxRegistersPerSm"),
                  .max_shared_per_sm = gpus.small(row, "maxShmemPerSm")});
}

/// GPUs that lack some sizes, but not all.
std::int64_t count_incomplete(const Gpus& gpus) {
  std::int64_t count = 0;
  const auto there = std::ranges::count_if(kAlwaysOfGpus, [&](auto column) { return gpus.cells.at(column).present(); });
  for (std::size_t row = 0; row < gpus.rows.size(); ++row) {
    const auto known = std::ranges::count_if(kAlwaysOfGpus, [&](std::string_view column) {
      return gpus.integer(row, column) >= 0 && gpus.integer(row, column) < kMaxInAll;
    });
    count += known > 0 && known < there ? 1 : 0;
  }
  return count;
}

/// Adds the GPUs of the table and their numbers to `ids`; of rows with one number, the first.
void read_listed(NsysTables& to, const TableInfo& info, std::set<std::int64_t>& ids) {
  if (info.has("smCount") || info.has("maxWarpsPerSm")) {  // nsys writes all of these; exports of 2021 have none
    note_lacking(info, kAlwaysOfGpus, to.issues);
    note_lacking(info, {"name"}, to.issues);
  }
  const Gpus gpus = read_gpus(to, info);
  std::int64_t unlike = 0;
  for (const std::size_t row : gpus.by_id()) {
    if (gpus.id(row) == kNone || (gpus.names.present() && gpus.names[row] == 0))
      ++unlike;
    else if (ids.insert(gpus.id(row)).second)
      add_listed(gpus, row, to.out);
  }
  if (const std::int64_t without = count_incomplete(gpus); without > 0) {
    to.issue(
        "missing_cells", Severity::kError, without,
        fmt::format("{} GPUs of TARGET_INFO_GPU lack sizes that nsys writes of every GPU, or have some that cannot "
                    "be; what depends on them is unknown, export the profile again.",
                    without));
  }
  if (unlike > 0) {
    to.issue("bad_devices", Severity::kError, unlike,
             fmt::format("{} of TARGET_INFO_GPU {} no GPU (a number and a name) and {} left out: the table is damaged; "
                         "copy or export the profile again.",
                         unlike == 1 ? "1 row" : fmt::format("{} rows", unlike), unlike == 1 ? "names" : "name",
                         unlike == 1 ? "is" : "are"));
  }
}

/// Adds the GPUs of `rows` that are not in `ids`, without properties, in the order of time. Returns the rows of GPUs
/// that are not `listed`.
template <class Rows>
std::int64_t add_unlisted(const NsysTables& to, const Rows& rows, const std::set<std::int64_t>& listed,
                          std::set<std::int64_t>& ids) {
  std::map<std::int32_t, std::int64_t> first;  // time, by unlisted device
  std::int32_t last = kNone;
  std::int64_t* first_of_last = nullptr;
  std::int64_t unlisted = 0;
  for (std::size_t row = 0; row < rows.device.size(); ++row) {
    const std::int32_t device = rows.device[row];
    if (device != last)
      first_of_last = listed.contains(device) ? nullptr : &first.try_emplace(device, kFarthestTime).first->second;
    last = device;
    if (device == kNone || first_of_last == nullptr || !to.possible(rows, row)) continue;
    *first_of_last = std::min(*first_of_last, rows.start[row]);
    ++unlisted;
  }
  std::vector<std::pair<std::int64_t, std::int32_t>> order;
  for (const auto& [device, time] : first) {
    if (device != kNone && time != kFarthestTime && ids.insert(device).second) order.emplace_back(time, device);
  }
  std::ranges::sort(order);
  for (const auto& [time, device] : order) to.out.add_device({.id = device});
  return unlisted;
}

}  // namespace

void add_devices(NsysTables& to) {
  std::set<std::int64_t> ids;
  if (const TableInfo* info = to.source.schema.find("TARGET_INFO_GPU")) read_listed(to, *info, ids);
  const std::set<std::int64_t> listed = ids;
  std::int64_t unlisted = 0;
  const auto add = [&](const auto& rows) { unlisted += add_unlisted(to, rows, listed, ids); };
  add(to.kernels);
  add(to.graphs);
  add(to.copies);
  add(to.sets);
  if (unlisted > 0 && !listed.empty()) {
    to.issue("missing_devices", Severity::kError, unlisted,
             fmt::format("{} rows of device work name a GPU that TARGET_INFO_GPU does not list; it counts as one more "
                         "GPU without properties, export the profile again.",
                         unlisted));
  }
}

}  // namespace assay::load
