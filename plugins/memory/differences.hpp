// The memory difference between two sides of runs: total, by phase, class and stack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/study.hpp"
#include "words.hpp"

namespace assay::memory {

/// Runs of one program, before or after a change.
struct MemorySide {
  std::string name;
  std::vector<Run> runs;  ///< at least one
};
struct MemorySides {
  MemorySide before, after;
  bool stated = false;  ///< by the label `side`; false: they are the only two runs
};
std::optional<MemorySides> sides_of(const StudyView& view, const std::vector<Run>& runs);

/// The table `difference`; for sides that were stated also the answer, tables by class and stack, and the page.
void emit_differences(const StudyView& view, const MemorySides& sides, StudySink& sink);

}  // namespace assay::memory
