// The ranges of a server: requests, and the steps that compute prompts and tokens for them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"
#include "step_names.hpp"

namespace assay::serving {

/// Names of the ranges, folded ("decode_{i}") or with one number ("decode_7" too).
struct PhaseNames {
  std::vector<std::string> request, prefill, decode;
};

struct ServedRange {
  Interval host;
  std::int64_t end = 0;  ///< of the range or of the last device work launched in it, whichever is later, ns
  std::int64_t gpu = 0;  ///< union of that work, ns
  std::uint32_t process = 0, thread = 0;
  std::optional<std::int64_t> number = {};  ///< the first in its name
  bool several_numbers = false;             ///< there are more
  bool open = false;                        ///< it never ended
};

struct ServedStep : ServedRange {
  StepName name;
};

struct Phases {
  std::vector<ServedRange> requests;     ///< by start
  std::vector<ServedStep> steps;         ///< by start; only finished ones
  std::int64_t open_steps = 0;           ///< unfinished ones, which are not counted
  bool named_steps = false;              ///< the names of the steps contain kind and batch
  std::vector<std::string> unmatched{};  ///< names of PhaseNames that no range has
};

using StepReader = std::function<std::optional<StepName>(std::string_view name)>;

/// Ranges with these names, and those that `servers` recognises as steps; a step inside another step (a request inside
/// another request) is skipped. Uses col::ranges, col::spans, col::calls and device work if present.
Phases phases_of(const Report& report, const PhaseNames& names, const StepReader& servers);

}  // namespace assay::serving
