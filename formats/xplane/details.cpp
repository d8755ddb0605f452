#include "details.hpp"

#include <algorithm>

#include "assay/detail/copy_kinds.hpp"
#include "assay/detail/text.hpp"

namespace assay::xplane {
namespace {

/// Calls `use(key, value)` for each "key:value" of a text.
template <class Use>
void each_pair(std::string_view text, Use&& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const std::size_t colon = word.find(':'); colon != std::string_view::npos)
      use(word.substr(0, colon), word.substr(colon + 1));
  }
}

/// Reads a non-negative number; -1: not one.
template <class Number>
Number number(std::string_view text) {
  return std::max(number_in<Number>(text).value_or(-1), Number{-1});
}

void read_three(std::string_view text, std::int32_t (&to)[3]) {
  for (std::int32_t& value : to) {
    const std::size_t end = std::min(text.find(','), text.size());
    value = number<std::int32_t>(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

MemoryKind memory_kind(std::string_view word) {
  for (std::uint8_t kind = 0; kind < static_cast<std::uint8_t>(MemoryKind::kOther); ++kind)
    if (memory_kind_name(static_cast<MemoryKind>(kind)) == word) return static_cast<MemoryKind>(kind);
  return MemoryKind::kUnknown;
}

}  // namespace

LaunchShape launch_shape(std::string_view details) {
  LaunchShape shape;
  each_pair(details, [&](std::string_view key, std::string_view value) {
    if (key == "regs") shape.registers = number<std::int32_t>(value);
    if (key == "static_shared") shape.static_shared = number<std::int32_t>(value);
    if (key == "dynamic_shared") shape.dynamic_shared = number<std::int32_t>(value);
    if (key == "group_mem") {
      shape.static_shared = number<std::int32_t>(value);
      shape.dynamic_shared = 0;
    }
    if (key == "grid") read_three(value, shape.grid);
    if (key == "block") read_three(value, shape.block);
    if (key == "occ_pct") shape.occupancy_percent = number<double>(value);
  });
  return shape;
}

TransferShape transfer_shape(std::string_view details) {
  TransferShape shape;
  each_pair(details, [&](std::string_view key, std::string_view value) {
    if (key == "kind_src") shape.source_kind = memory_kind(value);
    if (key == "kind_dst") shape.target_kind = memory_kind(value);
    if (key == "kind") shape.source_kind = shape.target_kind = memory_kind(value);
    if (key == "size" || key == "num_bytes") shape.bytes = number<std::int64_t>(value);
    if (key == "async") shape.waits = value == "0";
  });
  return shape;
}

}  // namespace assay::xplane
