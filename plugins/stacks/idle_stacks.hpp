// Whose code the device waited for: functions of the host's code in idle time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "algo/functions/function_name.hpp"
#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay::stacks {

/// One function of idle time.
struct IdleFunction {
  std::string text;          ///< "tokenize (stacks.py:8)"
  std::string file;          ///< with its path
  double time = 0;           ///< ns a step
  double low = 0, high = 0;  ///< bounds with 95 %; of exact times equal
  double outside = 0;        ///< share of the samples outside of idle time; of exact times NaN
  std::string inner = {};    ///< the innermost frame of most of its time, "collect"; empty: itself, or not known
};

/// A stack of idle time, outermost function first: "step (stacks.py:20);read_rows (stacks.py:9)".
struct IdleStack {
  std::string text;
  double time = 0;  ///< ns a step
};

struct IdleCode {
  bool exact = false;  ///< by functions that the trace has; else by samples
  std::size_t steps = 0;
  bool found = false;                   ///< ranges are the steps, as opposed to the capture
  double step = 0, idle = 0;            ///< ns: a mean step; the host's code that the device waited for in it
  std::vector<IdleFunction> functions;  ///< longest first
  std::vector<IdleStack> stacks;        ///< longest first
  std::size_t samples = 0, inside = 0;  ///< of the waiting threads; in idle time
  std::string lack;                     ///< why samples do not say whose code it was, a sentence; empty: they do
};

/// Of the steps of a report; without steps, or host code that the device waits for, empty.
IdleCode idle_code_of(const Report& report);

/// Bounds of a share of `all` samples of which `own` count, with 95 % (Wilson 1927).
struct ShareBounds {
  double low = 0, high = 1;
};
ShareBounds share_bounds(std::size_t own, std::size_t all);

}  // namespace assay::stacks
