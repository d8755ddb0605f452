// Composition of a mean iteration: rows that add up to its wall clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algo/step_items.hpp"

namespace assay::step_items {

/// Share of one kind of work in a mean iteration.
struct BudgetRow {
  std::string part;       ///< "kernels", "graphs", "communication", "copies", "sets", "idle"
  std::string name;       ///< class of kernels, direction of copies, cause of idle time; empty: the whole part
  std::int64_t wall = 0;  ///< ns; an instant with several kinds of work counts for the first part
  double device = 0;      ///< ns, sum of durations, including hidden ones; for idle time like `wall`
  double count = 0;       ///< kernels, graph launches, copies, sets; for idle time gaps
};

/// The rows add up to `wall` exactly.
struct StepBudget {
  std::string word;    ///< "step", "request", "capture"
  std::string found;   ///< which ranges are steps; empty: none
  std::string source;  ///< as RunMeasure::step_source
  std::int64_t steps = 0, runs = 0;
  std::int64_t wall = 0, shortest = 0, longest = 0;  ///< ns: mean, rounded; of one iteration
  std::vector<BudgetRow> rows;                       ///< by part, largest row of a part first
};

/// Over all steps of these runs.
StepBudget budget_of(const StudyView& view, const std::vector<JobRun>& runs);

/// "A step takes 57.3 ms (mean of 10, 57.2 to 57.6 ms): kernels 94 %, idle 4 %, copies 1 %."
std::string answer(const StepBudget& budget);

/// The answer of each group of runs, the tables `budget` and `iterations`, and the page.
struct RunGroup {
  std::string name;  ///< by its labels; empty: it is the only one
  StepBudget budget;
};
void emit_budgets(const std::vector<RunGroup>& groups, bool pages, StudySink& sink);

}  // namespace assay::step_items
