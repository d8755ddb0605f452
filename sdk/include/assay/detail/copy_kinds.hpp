// Directions of copies as CUPTI numbers them: CUpti_ActivityMemcpyKind, and behind it nsys's numbers of unified memory.
#pragma once

#include <cstdint>
#include <iterator>

#include "assay/report.hpp"

namespace assay {

/// The direction that CopyTable::kind stands for.
constexpr CopyDirection direction_of_copy_kind(std::int64_t kind) {
  using enum CopyDirection;
  constexpr CopyDirection directions[] = {kUnknown,    kHostToDevice,    kDeviceToHost,  kArray,          kArray,
                                          kArray,      kArray,           kArray,         kDeviceToDevice, kHostToHost,
                                          kPeerToPeer, kUnifiedToDevice, kUnifiedToHost, kUnifiedPeer};
  return kind >= 0 && kind < std::ssize(directions) ? directions[kind] : kUnknown;
}

/// CUPTI's number of a direction; kNone for one that has several (arrays) or none.
constexpr std::int32_t copy_kind_of(CopyDirection direction) {
  constexpr std::int32_t kPeerToPeer = 10;  // CUPTI's last one
  if (direction == CopyDirection::kUnknown || direction == CopyDirection::kArray) return kNone;
  for (std::int32_t kind = 1; kind <= kPeerToPeer; ++kind) {
    if (direction_of_copy_kind(kind) == direction) return kind;
  }
  return kNone;
}

}  // namespace assay
