// Which columns are read of every report of a run.
#pragma once

#include "load/window_columns.hpp"
#include "plan/plan.hpp"

namespace assay {

/// What the analyzers look at, and what the windows of the questions take besides.
inline std::set<ColumnId> columns_read(const Plan& plan) {
  std::set<ColumnId> columns = plan.wanted;
  for (const PlannedQuestion& planned : plan.questions)
    columns = with_window(std::move(columns), planned.question->window);
  return columns;
}

}  // namespace assay
