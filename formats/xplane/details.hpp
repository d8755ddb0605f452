// The texts in which XLA's profiler says how a kernel was launched and what a copy moved.
#pragma once

#include <string_view>

#include "profile.hpp"

namespace assay::xplane {

/// "regs:16 static_shared:0 dynamic_shared:0 grid:576,1,1 block:256,1,1 occ_pct:100"; of ROCm "grid:16,1,1
/// block:512,1,1 private_mem:0 group_mem:0 occ_pct:0". What is not said, or is no number, stays -1.
LaunchShape launch_shape(std::string_view details);
/// "kind_src:device kind_dst:pinned size:4 dest:0 async:1"; of older versions and ROCm "kind:Unknown size:0 dest:512".
TransferShape transfer_shape(std::string_view details);

}  // namespace assay::xplane
