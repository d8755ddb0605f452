// The start in phases that follow each other without a gap.
#pragma once

#include <string>
#include <vector>

#include "marks.hpp"

namespace assay::start_phases {

/// Part of a phase; parts of a phase may leave time between them.
struct PhasePart {
  std::string what;
  std::int64_t time = 0;
};

struct Phase {
  std::string name;
  std::int64_t start = 0, end = 0;
  std::string evidence;          ///< what the profile shows of it
  std::string missing;           ///< what it does not show, and what to record for that; empty: nothing
  std::vector<PhasePart> parts;  ///< ranges, or compilations by function

  [[nodiscard]] std::int64_t time() const { return end - start; }
};

/// `compilations`: of the same process, on the clock of the report, by start. The times of all phases sum to
/// `ready - begin`.
std::vector<Phase> phases_of(const Start& start, const std::vector<StartCompilation>& compilations);

/// "21.8 s from the start of the process to its first result: 12.5 s compile, ..."
std::string start_line(const StartMarks& marks, const std::vector<Phase>& phases);

}  // namespace assay::start_phases
