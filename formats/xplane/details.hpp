// The texts in which XLA's profiler describes the launch of a kernel and the operands of a copy.
#pragma once

#include <string_view>

#include "profile.hpp"

namespace assay::xplane {

/// "regs:16 static_shared:0 dynamic_shared:0 grid:576,1,1 block:256,1,1 occ_pct:100"; on ROCm "grid:16,1,1
/// block:512,1,1 private_mem:0 group_mem:0 occ_pct:0". Missing or non-numeric values stay -1.
LaunchShape launch_shape(std::string_view details);
/// "kind_src:device kind_dst:pinned size:4 dest:0 async:1"; in older versions and on ROCm "kind:Unknown size:0
/// dest:512".
TransferShape transfer_shape(std::string_view details);

}  // namespace assay::xplane
