// What the profile of a rank saw last, and when: beside dumps of the same job it tells a host that does not come from a
// device that does not end.
#pragma once

#include <optional>
#include <string>

#include "assay/sdk.hpp"

namespace assay::hang {

/// Times in ns since the epoch; kNone: there is none.
struct LastWork {
  std::int64_t begin = kNone, end = kNone;            ///< of all kernels and calls
  std::int64_t kernel_end = kNone;                    ///< of the kernel that ended last
  std::int64_t launch = kNone;                        ///< start of the last launch
  std::int64_t call_start = kNone, call_end = kNone;  ///< of the call that ended last
  std::string kernel, call;
  std::string range;  ///< around that call, the innermost
};

/// Empty if the report has no kernels and no calls, or states no clock.
std::optional<LastWork> last_work_of(const Report& report);

/// "Its last kernel, gemm, ended 1.2 s before the last call in its dump; ..."; `last_call`: ns since the epoch.
std::string last_work_text(std::int64_t rank, std::string_view profile, const LastWork& work, std::int64_t last_call);

}  // namespace assay::hang
