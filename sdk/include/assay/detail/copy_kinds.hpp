// Copy directions by CUPTI number: CUpti_ActivityMemcpyKind, followed by nsys's numbers for unified memory.
#pragma once

#include <cstdint>
#include <iterator>

#include "assay/report.hpp"

namespace assay {

/// Direction for CopyTable::kind.
constexpr CopyDirection direction_of_copy_kind(std::int64_t kind) {
  using enum CopyDirection;
  constexpr CopyDirection directions[] = {kUnknown,    kHostToDevice,    kDeviceToHost,  kArray,          kArray,
                                          kArray,      kArray,           kArray,         kDeviceToDevice, kHostToHost,
                                          kPeerToPeer, kUnifiedToDevice, kUnifiedToHost, kUnifiedPeer};
  return kind >= 0 && kind < std::ssize(directions) ? directions[kind] : kUnknown;
}

/// CUPTI number of a direction; kNone if it has several (arrays) or none.
constexpr std::int32_t copy_kind_of(CopyDirection direction) {
  constexpr std::int32_t kPeerToPeer = 10;  // CUPTI's last one
  if (direction == CopyDirection::kUnknown || direction == CopyDirection::kArray) return kNone;
  for (std::int32_t kind = 1; kind <= kPeerToPeer; ++kind) {
    if (direction_of_copy_kind(kind) == direction) return kind;
  }
  return kNone;
}

/// "pageable"; empty: unknown.
constexpr std::string_view memory_kind_name(MemoryKind kind) {
  constexpr std::string_view kNames[] = {"pageable", "pinned",        "device",         "array",
                                         "managed",  "device_static", "managed_static", "other"};
  const auto at = static_cast<std::size_t>(kind);
  return at < std::size(kNames) ? kNames[at] : std::string_view();
}

}  // namespace assay
