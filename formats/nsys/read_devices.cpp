// GPUs: those listed by the export, and those that only rows mention.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <set>

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

/// TARGET_INFO_GPU, with its cells by column name.
class GpuTable {
 public:
  GpuTable(const Source& source, const TableInfo& info)
      : names_(names_in(info)), requests_(requests_of(info, names_)), rows_(source.tables(), info, requests_) {}

  /// The columns that are read if the table has them; the number of the GPU is the first.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool has(std::string_view column) const { return index_of(column) != requests_.size(); }
  [[nodiscard]] std::size_t rows() const { return rows_.rows(); }
  [[nodiscard]] const ReadOutcome& outcome() const { return rows_.outcome(); }

  [[nodiscard]] std::int64_t integer(std::size_t row, std::string_view column) const {
    const std::size_t at = index_of(column);
    const std::int64_t cell = at == requests_.size() ? kNoValue : rows_.integer(at, row);
    return cell == kNoValue ? std::int64_t{kNone} : cell;
  }
  [[nodiscard]] std::int32_t small(std::size_t row, std::string_view column) const {
    const std::int64_t value = integer(row, column);
    return value < 0 || value > std::numeric_limits<std::int32_t>::max() ? kNone : static_cast<std::int32_t>(value);
  }
  [[nodiscard]] std::int32_t id(std::size_t row) const { return small(row, names_.front()); }
  [[nodiscard]] std::string_view name(std::size_t row) const {
    return has("name") ? rows_.text(index_of("name"), row) : std::string_view();
  }

  [[nodiscard]] std::vector<std::size_t> rows_by_id() const {
    std::vector<std::size_t> order(rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return integer(row, names_.front()); });
    return order;
  }

 private:
  static std::vector<std::string> names_in(const TableInfo& info) {
    std::vector<std::string> names(std::begin(kOfGpus), std::end(kOfGpus));
    const bool of_2021 = !info.has("id") && info.has("deviceId");
    names.insert(names.begin(), of_2021 ? "deviceId" : "id");
    return names;
  }
  static std::vector<ColumnRequest> requests_of(const TableInfo& info, const std::vector<std::string>& names) {
    std::vector<ColumnRequest> requests = {{std::string(kRowIds)}};
    for (const std::string& name : names) {
      if (info.has(name)) requests.push_back({name, name == "name" ? CellType::kText : CellType::kInteger});
    }
    return requests;
  }
  /// The number of requests if the table lacks the column.
  [[nodiscard]] std::size_t index_of(std::string_view column) const {
    const auto at = std::ranges::find(requests_, column, &ColumnRequest::column);
    return static_cast<std::size_t>(at - requests_.begin());
  }

  std::vector<std::string> names_;
  std::vector<ColumnRequest> requests_;
  WholeTable rows_;
};

auto small_columns(DeviceRows& devices) {
  return std::array{&devices.id,
                    &devices.sm_count,
                    &devices.compute_major,
                    &devices.compute_minor,
                    &devices.max_threads_per_sm,
                    &devices.max_blocks_per_sm,
                    &devices.max_registers_per_sm,
                    &devices.max_shared_per_sm};
}

auto large_columns(DeviceRows& devices) {
  return std::array{&devices.total_memory, &devices.memory_bandwidth, &devices.clock_rate, &devices.l2_size};
}

void push_listed(DeviceRows& devices, const GpuTable& gpus, std::size_t row) {
  const std::int32_t lanes = gpus.small(row, "threadsPerWarp"), warps = gpus.small(row, "maxWarpsPerSm");
  const bool known = lanes != kNone && warps != kNone && lanes <= 1024 && warps <= 1024;
  devices.id.push(gpus.id(row));
  devices.names.emplace_back(gpus.name(row));
  devices.sm_count.push(gpus.small(row, "smCount"));
  devices.compute_major.push(gpus.small(row, "computeMajor"));
  devices.compute_minor.push(gpus.small(row, "computeMinor"));
  devices.max_threads_per_sm.push(known ? lanes * warps : kNone);
  devices.max_blocks_per_sm.push(gpus.small(row, "maxBlocksPerSm"));
  devices.max_registers_per_sm.push(gpus.small(row, "maxRegistersPerSm"));
  devices.max_shared_per_sm.push(gpus.small(row, "maxShmemPerSm"));
  devices.total_memory.push(gpus.integer(row, "totalMemory"));
  devices.memory_bandwidth.push(gpus.integer(row, "memoryBandwidth"));
  devices.clock_rate.push(gpus.integer(row, "clockRate"));
  devices.l2_size.push(gpus.integer(row, "l2CacheSize"));
}

/// GPUs that lack some sizes, but not all.
std::int64_t count_incomplete(const GpuTable& gpus) {
  std::int64_t count = 0;
  const auto there = std::ranges::count_if(kAlwaysOfGpus, [&](auto column) { return gpus.has(column); });
  for (std::size_t row = 0; row < gpus.rows(); ++row) {
    const auto known = std::ranges::count_if(kAlwaysOfGpus, [&](std::string_view column) {
      return gpus.has(column) && gpus.integer(row, column) >= 0 && gpus.integer(row, column) < kMaxInAll;
    });
    count += known > 0 && known < there ? 1 : 0;
  }
  return count;
}

/// `unlike`: rows that name no GPU; `devices`: of all other rows.
void note_damaged_rows(const GpuTable& gpus, std::int64_t unlike, std::size_t devices, std::vector<Issue>& issues) {
  if (const std::int64_t without = count_incomplete(gpus); without > 0) {
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
  if (!gpus.outcome().damage.empty()) {
    issues.push_back({"truncated", Severity::kError, static_cast<std::int64_t>(devices),
                      fmt::format("Of TARGET_INFO_GPU only the first {} rows could be read: {}; export the profile "
                                  "again.",
                                  devices, gpus.outcome().damage)});
  }
}

/// Adds the GPUs of the table and their numbers to `ids`; of rows with one number, the first.
void read_listed(const Source& source, const TableInfo& info, DeviceRows& devices, std::set<std::int64_t>& ids,
                 std::vector<Issue>& issues) {
  const GpuTable gpus(source, info);
  note_misspelt(info, gpus.names(), issues);
  if (info.has("smCount") || info.has("maxWarpsPerSm")) {  // nsys writes all of these; exports of 2021 have none
    note_lacking(info, kAlwaysOfGpus, issues);
    note_lacking(info, {"name"}, issues);
  }
  note_pages(gpus.outcome().pages, info.name, issues);
  std::int64_t unlike = 0;
  for (const std::size_t row : gpus.rows_by_id()) {
    if (gpus.id(row) == kNone || (gpus.has("name") && gpus.name(row).empty()))
      ++unlike;
    else if (ids.insert(gpus.id(row)).second)
      push_listed(devices, gpus, row);
  }
  note_damaged_rows(gpus, unlike, devices.names.size(), issues);
}

/// Adds the GPUs of `rows` that are not in `ids`, without properties. Returns the rows of GPUs beyond the first
/// `listed`.
template <class Rows>
std::int64_t add_unlisted(const Rows& rows, std::size_t listed, DeviceRows& devices, std::set<std::int64_t>& ids) {
  std::int32_t last = kNone;
  std::int64_t unlisted = 0;
  const auto is_listed = [&](std::int32_t device) {
    const auto& known = devices.id.values();
    return std::find(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(listed), device) !=
           known.begin() + static_cast<std::ptrdiff_t>(listed);
  };
  bool last_is_listed = false;
  for (const std::int32_t device : rows.device.values()) {
    if (device != last) last_is_listed = device == kNone || is_listed(device);
    unlisted += last_is_listed ? 0 : 1;
    if (device == last) continue;
    last = device;
    if (device == kNone || !ids.insert(device).second) continue;
    for (auto* column : small_columns(devices)) column->push(column == &devices.id ? device : kNone);
    for (auto* column : large_columns(devices)) column->push(kNone);
    devices.names.emplace_back();
  }
  return unlisted;
}

}  // namespace

void read_devices(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  DeviceRows& devices = store.devices;
  for (auto* column : small_columns(devices)) column->make_present(0);
  for (auto* column : large_columns(devices)) column->make_present(0);
  std::set<std::int64_t> ids;
  if (const TableInfo* info = source.schema.find("TARGET_INFO_GPU")) read_listed(source, *info, devices, ids, issues);
  const std::size_t listed = devices.names.size();
  std::int64_t unlisted = 0;
  const auto add = [&](const auto& rows) {
    if (rows) unlisted += add_unlisted(*rows, listed, devices, ids);
  };
  add(store.kernels);
  add(store.graphs);
  add(store.copies);
  add(store.sets);
  if (unlisted > 0 && listed > 0)
    issues.push_back({"missing_devices", Severity::kError, unlisted,
                      fmt::format("{} rows of device work name a GPU that TARGET_INFO_GPU does not list; it counts as "
                                  "one more GPU without properties, export the profile again.",
                                  unlisted)});
}

}  // namespace assay::load
