// Directions of copies as CUPTI numbers them, for formats that say the direction in words.
#pragma once

#include <cstdint>

#include "assay/report.hpp"

namespace assay::load {

/// CUpti_ActivityMemcpyKind; kNone: it has no such number.
constexpr std::int32_t copy_kind_of(CopyDirection direction) {
  switch (direction) {
    case CopyDirection::kHostToDevice:
      return 1;
    case CopyDirection::kDeviceToHost:
      return 2;
    case CopyDirection::kDeviceToDevice:
      return 8;
    case CopyDirection::kHostToHost:
      return 9;
    case CopyDirection::kPeerToPeer:
      return 10;
    default:
      return kNone;
  }
}

}  // namespace assay::load
