// Ways in which an API call waits for the device.
#pragma once

#include <array>
#include <string_view>

#include "assay/report.hpp"

namespace assay {

inline constexpr std::array<std::string_view, 4> kSyncNames = {"device", "stream", "event", "blocking_copy"};

/// Index into kSyncNames; -1 for a call that does not wait.
constexpr int sync_index(CallKind kind) {
  switch (kind) {
    case CallKind::kDeviceSync:
      return 0;
    case CallKind::kStreamSync:
      return 1;
    case CallKind::kEventSync:
      return 2;
    case CallKind::kBlockingCopy:
      return 3;
    default:
      return -1;
  }
}

}  // namespace assay
