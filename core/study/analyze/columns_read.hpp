// Columns that are read of every report of a run.
#pragma once

#include <algorithm>

#include "load/window_columns.hpp"
#include "plan/plan.hpp"

namespace assay {

/// Columns of the analyzers, and those that the windows of the questions need.
inline std::set<ColumnId> columns_read(const Plan& plan) {
  std::set<ColumnId> columns = plan.wanted;
  for (const PlannedQuestion& planned : plan.questions)
    columns = with_window(std::move(columns), planned.question->window);
  return columns;
}

/// Whether the host emits fingerprints for a question. Those of all views are stored then, whoever asks for them.
inline bool needs_fingerprints(const Plan& plan) {
  return std::ranges::any_of(plan.questions, &PlannedQuestion::fingerprints);
}

}  // namespace assay
