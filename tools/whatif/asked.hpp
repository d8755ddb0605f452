// Parses hypothetical changes as typed by the user.
#pragma once

#include <string>

#include "algo/lever/lever.hpp"
#include "algo/replay/change.hpp"
#include "result.hpp"

namespace assay::whatif {

struct ChangeRequest {
  enum class Kind { kScale, kRemoveSync, kOverlap, kLaunchCost, kReplace, kNoStraggler, kAdd, kGraph, kLever };
  Kind kind = Kind::kScale;
  replay::Selector what;
  double factor = 1;
  replay::Replacement by;
  double added = 0;  ///< ns
  lever::Lever lever;
  std::string text;  ///< "kernel:*softmax*=0.5"
};

/// "kernel:*softmax*=0.5": WHAT:NAME=FACTOR, for kernels, operators, classes, ranges, copies, host code of ranges and
/// launches of ranges or operators. Error: what is wrong, and for a batch or shape why it cannot be predicted.
Result<ChangeRequest> read_scale(const std::string& text);
/// "sync", or the text of a lever: "launches:optimizer". Errors: no lever is written like this.
Result<ChangeRequest> read_remove(const std::string& text);
ChangeRequest without(lever::Lever lever);
/// Only accepts "none".
Result<ChangeRequest> read_straggler(const std::string& text);
/// "copy:h2d"
Result<ChangeRequest> read_overlap(const std::string& text);
ChangeRequest launch_cost(double factor);
/// "operator:X=CALLS,LAUNCHES,TIME" with the unit of the time: "3,1,420us".
Result<ChangeRequest> read_replace(const std::string& text);

/// "kernel:142us@optimizer": adds this much device work to each range of that name.
Result<ChangeRequest> read_add(const std::string& text);

/// "decode_{i}": replaces each range of that name by one launch of a CUDA graph.
Result<ChangeRequest> read_graph(const std::string& text);

/// Whether the prediction is an upper bound: something takes no time, or nothing waits for it.
bool is_bound(const ChangeRequest& asked);

/// Whether it saves host time of launches, which a profiler lengthens.
bool saves_host_time(const ChangeRequest& asked);

/// The change for people: "kernel:*softmax*=0.5", "without sync".
std::string title(const ChangeRequest& asked);

}  // namespace assay::whatif
