#include "formats/torch/header.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <limits>

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
std::int32_t* column_of(DeviceView& device, std::string_view key) {
  if (key == "id") return &device.id;
  if (key == "numSms") return &device.sm_count;
  if (key == "computeMajor") return &device.compute_major;
  if (key == "computeMinor") return &device.compute_minor;
  if (key == "maxThreadsPerMultiprocessor") return &device.max_threads_per_sm;
  if (key == "regsPerMultiprocessor") return &device.max_registers_per_sm;
  if (key == "sharedMemPerMultiprocessor" || key == "maxSharedMemoryPerMultiProcessor")
    return &device.max_shared_per_sm;
  return nullptr;
}

}  // namespace

void TraceHeader::read_field(std::string_view key, std::string_view value) {
  const bool compound = value.starts_with('{') || value.starts_with('[');
  if (compound && !is_json(padded(value))) {
    out_.issue(
        "damaged_header", Severity::kError, 0,
        fmt::format(
            "The trace's header has invalid JSON under '{}', so it is not used; copy or export the trace again.", key));
    return;
  }
  if (key == "deviceProperties" && !value.starts_with('[')) {
    out_.issue("bad_devices", Severity::kError, 0,
               "The trace's deviceProperties are no list of devices, so nothing is known of its GPUs; export the trace "
               "again.");
    return;
  }
  if (key == "deviceProperties") return read_devices(value);
  if (key == "baseTimeNanoseconds") {
    const std::int64_t base = parse_decimal(value).value_or(0);
    base_ = is_time(base) ? base : 0;
  }
  if (value.starts_with('[')) return;
  if (!compound) {
    out_.add_property(key, text_of(value));
    return;
  }
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(padded(value)).get(document) != SUCCESS || document.get_object().get(object) != SUCCESS) return;
  each_scalar(object, [&](std::string_view name, std::string_view token) {
    out_.add_property(fmt::format("{}.{}", key, name), text_of(token));
  });
}

void TraceHeader::read_devices(std::string_view value) {
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array array;
  if (parser.iterate(padded(value)).get(document) != SUCCESS || document.get_array().get(array) != SUCCESS) return;
  for (auto element : array) {
    ondemand::object object;
    if (std::move(element).get_object().get(object) != SUCCESS) return;
    Device& device = devices_.emplace_back();
    device.view.id = kNone;
    each_scalar(object, [&](std::string_view name, std::string_view token) {
      const std::int64_t number = parse_decimal(token).value_or(kNone);
      if (name == "name") device.name = text_of(token);
      if (name == "totalGlobalMem") device.view.total_memory = number;
      std::int32_t* const column = column_of(device.view, name);
      const bool fits = number >= 0 && number <= std::numeric_limits<std::int32_t>::max();
      if (column != nullptr && fits) *column = static_cast<std::int32_t>(number);
    });
  }
}

void TraceHeader::add_devices(std::set<std::int32_t> used) {
  used.erase(kNone);
  const std::size_t listed = devices_.size(), all_used = used.size();
  if (listed == 1 && all_used == 1 && devices_.front().view.id != *used.begin()) {
    out_.issue("device_number", Severity::kInfo, 0,
               fmt::format("The only device described is number {}, the only one that ran something is number {}; they "
                           "are assumed to be the same.",
                           devices_.front().view.id, *used.begin()));
    devices_.front().view.id = *used.begin();
  }
  for (const Device& device : devices_) used.erase(device.view.id);
  if (!used.empty() && listed > 0)
    out_.issue("missing_devices", Severity::kError, static_cast<std::int64_t>(used.size()),
               fmt::format("{} of {} devices that ran something are not among the deviceProperties; they count as "
                           "devices without properties, export the trace again.",
                           used.size(), all_used));
  for (const std::int32_t id : used) devices_.emplace_back().view.id = id;
  for (Device& device : devices_) {
    device.view.name = device.name;
    out_.add_device(device.view);
  }
}

}  // namespace assay::load
