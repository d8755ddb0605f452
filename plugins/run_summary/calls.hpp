// Host activity from the API calls of the window: launches and waiting.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "algo/sync_kinds.hpp"
#include "assay/report.hpp"

namespace assay::summary {

constexpr bool is_launch(CallKind kind) { return kind == CallKind::kKernelLaunch || kind == CallKind::kGraphLaunch; }

struct CountAndTime {
  std::int64_t count = 0;
  std::int64_t time = 0;  ///< ns
};

struct CallSummary {
  std::int64_t kernel_launches = 0;
  std::int64_t graph_launches = 0;
  std::int64_t copy_calls = 0;           ///< blocking ones included
  std::int64_t launch_time = 0;          ///< host duration of all launches, ns
  std::vector<double> launch_intervals;  ///< between starts of successive launches on a thread, ns; unordered
  std::array<CountAndTime, 4> syncs;     ///< by sync_index
  [[nodiscard]] std::int64_t launches() const { return kernel_launches + graph_launches; }
};

/// Over the calls of the window; `threads` is the number of rows of the thread table.
CallSummary summarize_calls(const CallTable& calls, std::size_t threads);

}  // namespace assay::summary
