// Facts with the labels of their reports as columns: for facts_wide.csv and the views of results.sqlite.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "render/fact_rows.hpp"

namespace assay {

/// A label of any question of a run, as a column.
struct LabelColumn {
  std::string label;
  std::string title;     ///< the label, or "label_NAME" if it collides with another column; SQL ignores case
  bool numeric = false;  ///< in every question that declares it
};

struct FactColumns {
  std::vector<LabelColumn> labels;  ///< in declaration order
  std::vector<std::string>
      metrics;  ///< metrics with a dimensionless fact of a report, sorted; one column each in a wide table
};

FactColumns fact_columns(const RunResult& run, const FactRows& rows);

/// facts_wide.csv: one row per profile and question, one column per label and per metric without dims, for notebooks.
void write_facts_wide(const RunResult& run, const FactRows& rows, std::ostream& to);

/// CREATE VIEW for `facts_labelled` (one row per fact and question) and `facts_wide` (one row per profile and
/// question), with the labels as columns.
std::string fact_views(const FactColumns& columns);

}  // namespace assay
