// Columns that are read of every report of a run.
#pragma once

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

}  // namespace assay
