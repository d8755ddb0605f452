// The changes that one can ask about, as they are typed.
#pragma once

#include <string>

#include "assay/detail/replay_change.hpp"
#include "result.hpp"

namespace assay::whatif {

struct ChangeRequest {
  enum class Kind { kScale, kRemoveSync, kOverlap, kLaunchCost, kReplace, kNoStraggler, kAdd, kGraph };
  Kind kind = Kind::kScale;
  replay::Selector what;
  double factor = 1;
  replay::Replacement by;
  double added = 0;  ///< ns
  std::string text;  ///< "kernel:*softmax*=0.5"
};

/// "kernel:*softmax*=0.5": WHAT:NAME=FACTOR, of kernels, operators, classes, ranges, copies, the host's code of ranges
/// and the launches of ranges or operators. Error: what is wrong, and of a batch or a shape why it cannot be predicted.
Result<ChangeRequest> read_scale(const std::string& text);
/// "sync"
Result<ChangeRequest> read_remove(const std::string& text);
/// "none"
Result<ChangeRequest> read_straggler(const std::string& text);
/// "copy:h2d"
Result<ChangeRequest> read_overlap(const std::string& text);
ChangeRequest launch_cost(double factor);
/// "operator:X=CALLS,LAUNCHES,TIME", the time with its unit: "3,1,420us".
Result<ChangeRequest> read_replace(const std::string& text);

/// "kernel:142us@optimizer": so much device work more in each range of that name.
Result<ChangeRequest> read_add(const std::string& text);

/// "decode_{i}": each range of that name becomes one launch of a CUDA graph.
Result<ChangeRequest> read_graph(const std::string& text);

/// Whether the run cannot gain more than is predicted: something takes no time at all, or is waited for by nobody.
bool is_bound(const ChangeRequest& asked);

/// Whether it saves what the host does for launches, which a profiler makes longer.
bool saves_host_time(const ChangeRequest& asked);

/// The change for people: "kernel:*softmax*=0.5", "without sync".
std::string title(const ChangeRequest& asked);

}  // namespace assay::whatif
