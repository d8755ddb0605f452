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

/// Names of the ranges, folded ("decode_{i}") or with one number ("decode_{i}" too).
struct PhaseNames {
  std::vector<std::string> request, prefill, decode;
};

struct ServedRange {
  Interval host;
  std::int64_t end = 0;  ///< of the range, or of the last device work launched in it: what comes later, ns
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
  std::vector<ServedStep> steps;         ///< by start; those that ended
  std::int64_t open_steps = 0;           ///< which never ended, and count nowhere
  bool named_steps = false;              ///< the names of the steps say their kind and batch
  std::vector<std::string> unmatched{};  ///< names of PhaseNames that no range has
};

using StepReader = std::function<std::optional<StepName>(std::string_view name)>;

/// Ranges of these names, and those of which `servers` says what step they are; one inside another of the steps (of the
/// requests) is left out. Needs col::ranges, col::spans, col::calls and device work where present.
Phases phases_of(const Report& report, const PhaseNames& names, const StepReader& servers);

}  // namespace assay::serving
