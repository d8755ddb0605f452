// The changes that one can ask about, as they are typed.
#pragma once

#include <string>

#include "assay/detail/replay_change.hpp"
#include "result.hpp"

namespace assay::whatif {

struct Asked {
  enum class Kind { kScale, kRemoveSync, kOverlap, kLaunchCost, kReplace, kNoStraggler };
  Kind kind = Kind::kScale;
  replay::Selector what;
  double factor = 1;
  replay::Replacement by;
  std::string text;  ///< "kernel:*softmax*=0.5"
};

/// "kernel:*softmax*=0.5": WHAT:NAME=FACTOR, of kernels, operators, classes, ranges and copies. Error: what is wrong,
/// and of a batch or a shape why it cannot be predicted.
Result<Asked> read_scale(const std::string& text);
/// "sync"
Result<Asked> read_remove(const std::string& text);
/// "none"
Result<Asked> read_straggler(const std::string& text);
/// "copy:h2d"
Result<Asked> read_overlap(const std::string& text);
Asked launch_cost(double factor);
/// "operator:X=CALLS,LAUNCHES,TIME", the time with its unit: "3,1,420us".
Result<Asked> read_replace(const std::string& text);

/// The change for people: "kernel:*softmax*=0.5", "without sync".
std::string title(const Asked& asked);

}  // namespace assay::whatif
