#include "formats/torch/header.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <set>

#include "formats/torch/category.hpp"
#include "formats/torch/number.hpp"
#include "formats/torch/text.hpp"
#include "load/clean.hpp"

namespace assay::load {
namespace {

using simdjson::SUCCESS;
namespace ondemand = simdjson::ondemand;

/// Calls `use(key, token)` for each scalar of an object.
template <class Use>
void each_scalar(ondemand::object object, Use use) {
  for (auto member : object) {
    std::string_view key;
    ondemand::value value;
    // Through the member rather than the field inside it, whose unescaped_key has no default argument in simdjson 3.6.
    if (member.unescaped_key().get(key) != SUCCESS || member.value().get(value) != SUCCESS) return;
    const std::string_view token = value.raw_json_token();
    if (!token.empty() && token.front() != '{' && token.front() != '[') use(key, token);
  }
}

/// Whether an object or array can be read completely: lookups by key stop silently at a syntax error.
bool is_json(simdjson::padded_string_view value) {
  simdjson::dom::parser parser;
  return parser.parse(value.data(), value.size(), false).error() == SUCCESS;
}

/// The text of a scalar token.
std::string text_of(std::string_view token) {
  return !token.empty() && token.front() == '"' ? unescaped(bare(token)) : std::string(bare(token));
}

simdjson::padded_string_view padded(std::string_view value) {
  return simdjson::padded_string_view(value.data(), value.size(), value.size() + TraceText::kPadding);
}

/// 32-bit columns by their names in traces.
OwnedColumn<std::int32_t>* column_of(DeviceRows& devices, std::string_view key) {
  if (key == "id") return &devices.id;
  if (key == "numSms") return &devices.sm_count;
  if (key == "computeMajor") return &devices.compute_major;
  if (key == "computeMinor") return &devices.compute_minor;
  if (key == "maxThreadsPerMultiprocessor") return &devices.max_threads_per_sm;
  if (key == "regsPerMultiprocessor") return &devices.max_registers_per_sm;
  if (key == "sharedMemPerMultiprocessor" || key == "maxSharedMemoryPerMultiProcessor")
    return &devices.max_shared_per_sm;
  return nullptr;
}

template <class Rows>
void add_used(const std::optional<Rows>& rows, std::set<std::int32_t>& used) {
  if (rows) used.insert(rows->device.values().begin(), rows->device.values().end());
}

}  // namespace

TraceHeader::TraceHeader(Profile::Store& store) : store_(store) {
  DeviceRows& d = store.devices;
  for (auto* column : {&d.id, &d.sm_count, &d.compute_major, &d.compute_minor, &d.max_threads_per_sm,
                       &d.max_blocks_per_sm, &d.max_registers_per_sm, &d.max_shared_per_sm}) {
    column->make_present(0);
  }
  for (auto* column : {&d.total_memory, &d.memory_bandwidth, &d.clock_rate, &d.l2_size}) column->make_present(0);
}

void TraceHeader::read_field(std::string_view key, std::string_view value) {
  const bool compound = value.starts_with('{') || value.starts_with('[');
  if (compound && !is_json(padded(value))) {
    store_.issues.push_back(
        {"damaged_header", Severity::kError, 0,
         fmt::format(
             "The trace's header has invalid JSON under '{}', so it is not used; copy or export the trace again.",
             key)});
    return;
  }
  if (key == "deviceProperties" && !value.starts_with('[')) {
    store_.issues.push_back({"bad_devices", Severity::kError, 0,
                             "The trace's deviceProperties are no list of devices, so nothing is known of its GPUs; "
                             "export the trace again."});
    return;
  }
  if (key == "deviceProperties") return add_devices(value);
  if (key == "baseTimeNanoseconds") {
    const std::int64_t base = parse_decimal(value).value_or(0);
    base_ = is_time(base) ? base : 0;
  }
  if (value.starts_with('[')) return;
  if (!compound) {
    store_.properties.push_back({std::string(key), text_of(value)});
    return;
  }
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(padded(value)).get(document) != SUCCESS || document.get_object().get(object) != SUCCESS) return;
  each_scalar(object, [&](std::string_view name, std::string_view token) {
    store_.properties.push_back({fmt::format("{}.{}", key, name), text_of(token)});
  });
}

void TraceHeader::add_device(std::int32_t id) {
  DeviceRows& d = store_.devices;
  for (auto* column : {&d.sm_count, &d.compute_major, &d.compute_minor, &d.max_threads_per_sm, &d.max_blocks_per_sm,
                       &d.max_registers_per_sm, &d.max_shared_per_sm}) {
    column->push(kNone);
  }
  d.id.push(id);
  for (auto* column : {&d.total_memory, &d.memory_bandwidth, &d.clock_rate, &d.l2_size}) column->push(kNone);
  d.names.emplace_back();
}

void TraceHeader::add_devices(std::string_view value) {
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array array;
  if (parser.iterate(padded(value)).get(document) != SUCCESS || document.get_array().get(array) != SUCCESS) return;
  DeviceRows& d = store_.devices;
  for (auto element : array) {
    ondemand::object object;
    if (std::move(element).get_object().get(object) != SUCCESS) return;
    add_device(kNone);
    each_scalar(object, [&](std::string_view name, std::string_view token) {
      const std::int64_t number = parse_decimal(token).value_or(kNone);
      if (name == "name") d.names.back() = text_of(token);
      if (name == "totalGlobalMem") d.total_memory.values().back() = number;
      auto* column = column_of(d, name);
      const bool fits = number >= 0 && number <= std::numeric_limits<std::int32_t>::max();
      if (column != nullptr && fits) column->values().back() = static_cast<std::int32_t>(number);
    });
  }
}

void TraceHeader::complete_devices() {
  std::set<std::int32_t> used;
  add_used(store_.kernels, used);
  add_used(store_.copies, used);
  add_used(store_.sets, used);
  used.erase(kNone);
  Cells<std::int32_t>& ids = store_.devices.id.values();
  if (ids.size() == 1 && used.size() == 1 && ids.front() != *used.begin()) {
    store_.issues.push_back({"device_number", Severity::kInfo, 0,
                             fmt::format("The only device described is number {}, the only one that ran something is "
                                         "number {}; they are assumed to be the same.",
                                         ids.front(), *used.begin())});
    ids.front() = *used.begin();
  }
  const std::size_t listed = ids.size();
  for (const std::int32_t id : used) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) add_device(id);
  }
  const auto unlisted = static_cast<std::int64_t>(ids.size() - listed);
  if (unlisted > 0 && listed > 0)
    store_.issues.push_back({"missing_devices", Severity::kError, unlisted,
                             fmt::format("{} of {} devices that ran something are not among the deviceProperties; they "
                                         "count as devices without properties, export the trace again.",
                                         unlisted, used.size())});
}

}  // namespace assay::load
