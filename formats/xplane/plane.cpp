#include "plane.hpp"

#include <limits>

namespace assay::xplane {
namespace {

constexpr std::pair<std::string_view, Stat> kStats[] = {{"correlation_id", Stat::kCorrelation},
                                                        {"context_id", Stat::kContext},
                                                        {"cuda_graph_node_id", Stat::kGraphNode},
                                                        {"kernel_details", Stat::kKernelDetails},
                                                        {"memcpy_details", Stat::kTransferDetails},
                                                        {"memset_details", Stat::kSetDetails},
                                                        {"Memset_details", Stat::kSetDetails},
                                                        {"tf_op", Stat::kTfOp},
                                                        {"name", Stat::kName},
                                                        {"hlo_op", Stat::kHloOp},
                                                        {"program_id", Stat::kProgram},
                                                        {"_src", Stat::kRuntime},
                                                        {"_c", Stat::kRuntime},
                                                        {"_p", Stat::kRuntime},
                                                        {"step_num", Stat::kStep},
                                                        {"allocator_name", Stat::kAllocator},
                                                        {"allocation_bytes", Stat::kAllocationBytes},
                                                        {"bytes_allocated", Stat::kBytesAllocated},
                                                        {"bytes_reserved", Stat::kBytesReserved}};

Stat stat_named(std::string_view name) {
  const auto at = std::ranges::find(kStats, name, &std::pair<std::string_view, Stat>::first);
  return at == std::end(kStats) ? Stat::kOther : at->second;
}

/// Key and value of a map entry.
std::pair<std::int64_t, std::string_view> map_entry(std::string_view message) {
  std::pair<std::int64_t, std::string_view> entry;
  each_field(message, [&](const Field& field) {
    if (field.is_number(1)) entry.first = field.integer();
    if (field.is_bytes(2)) entry.second = field.bytes;
  });
  return entry;
}

/// Name in the metadata of an event or a statistic.
std::string_view metadata_name(std::string_view message) {
  std::string_view name;
  each_field(message, [&](const Field& field) {
    if (field.is_bytes(2)) name = field.bytes;
  });
  return name;
}

constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();

/// The time `picoseconds` after `begin`, in ns; kNoTime: out of range.
std::int64_t time_after(std::int64_t begin, std::int64_t picoseconds) {
  const std::int64_t whole = picoseconds / 1000 - (picoseconds % 1000 < 0 ? 1 : 0);
  std::int64_t time = 0;
  return __builtin_add_overflow(begin, whole, &time) ? kNoTime : time;
}

}  // namespace

void EventStats::read(std::string_view message, const PlaneMetadata& metadata) {
  FieldReader reader(message);
  Field field;
  if (!reader.next(field) || !field.is_number(1)) return;  // its number is 0 or comes later, which no writer does
  const StatName* const named = metadata.stat(field.integer());
  if (named == nullptr || named->stat == Stat::kOther) return;
  std::int64_t id = 0;
  values_[static_cast<std::size_t>(named->stat)] = metadata.stat_value(reader, id);
  said_ |= 1U << static_cast<unsigned>(named->stat);
}

PlaneMetadata::PlaneMetadata(std::string_view plane, TextPool& texts) {
  each_field(plane, [&](const Field& field) {
    if (field.is_bytes(2)) name_ = field.bytes;
    if (field.is_bytes(6)) own_.push_back(field.bytes);
    if (field.is_bytes(4)) {
      const auto [id, message] = map_entry(field.bytes);
      const std::string_view name = metadata_name(message);
      events_.add(id, {name, message, texts.add(name)});
    }
    if (field.is_bytes(5)) {
      const auto [id, message] = map_entry(field.bytes);
      const std::string_view name = metadata_name(message);
      stats_.add(id, {name, stat_named(name), texts.add(name)});
    }
  });
  events_.finish();
  stats_.finish();
}

StatValue PlaneMetadata::stat_value(FieldReader& fields, std::int64_t& id) const {
  StatValue value;
  for (Field field; fields.next(field);) {
    if (field.is_number(1)) id = field.integer();
    if (field.is_number(2)) {
      value.bits = field.value;
      value.is_real = true;
    }
    if (field.is_number(3) || field.is_number(4)) value.bits = field.value;
    if (field.is_bytes(5) || field.is_bytes(6)) {
      value.text = field.bytes;
      value.id = 0;
    }
    if (field.is_number(7)) {
      if (const StatName* const of = stats_.find(field.integer())) {
        value.text = of->name;
        value.id = of->text;
      }
    }
  }
  return value;
}

Line read_line(std::string_view message) {
  Line line;
  line.message = message;
  each_field(message, [&](const Field& field) {
    if (field.is_number(1)) line.id = field.integer();
    if (field.is_bytes(2)) line.name = field.bytes;
    if (field.is_number(3)) line.begin = field.integer();
    if (is_event(field)) ++line.events;
    if (field.is_bytes(11)) line.display_name = field.bytes;
  });
  return line;
}

Event read_event(std::string_view message, const Line& line, const PlaneMetadata& metadata, EventStats& stats) {
  Event event;
  std::int64_t offset = 0, duration = 0;
  stats.clear();
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(4)) stats.read(field.bytes, metadata);
    if (field.is_number(1)) event.metadata = field.integer();
    if (field.is_number(2)) offset = field.integer();
    if (field.is_number(3)) duration = field.integer();
  }
  event.is_interval = duration != 0;
  event.start = time_after(line.begin, offset);
  std::int64_t last = 0;
  event.end = __builtin_add_overflow(offset, duration, &last) ? kNoTime : time_after(line.begin, last);
  return event;
}

}  // namespace assay::xplane
