// The plan in words, for `assay plan`.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace assay {

/// Per question: where reports come from, window, labels, expected runs, the analyzers in order with every option
/// (defaults marked), what each produces and reads and from whom; then what is read of each report. Lines end with
/// '\n'.
std::string describe_plan(const Plan& plan);

/// One row per analyzer in the order of work: question, analyzer, version, options as TOML has them, what it produces,
/// and what it reads from others.
struct PlanRow {
  std::string question, analyzer, version, options, produces, reads;
};
std::vector<PlanRow> plan_rows(const Plan& plan);

}  // namespace assay
