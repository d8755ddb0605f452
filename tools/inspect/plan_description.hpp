// Describes the plan for `assay plan`.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace assay {

/// Per question: source of the reports, window, labels, expected runs, the analyzers in order with every option
/// (defaults marked), what each produces and what it reads from which other; then the columns read of each report.
/// Lines end with a newline. Not `whole`: only short options that were given, and nothing of what is produced and read.
std::string describe_plan(const Plan& plan, bool whole = true);

/// One row per analyzer in execution order: question, analyzer, version, options as TOML, what it produces, and what it
/// reads from others.
struct PlanRow {
  std::string question, analyzer, version, options, produces, reads;
};
std::vector<PlanRow> plan_rows(const Plan& plan);

}  // namespace assay
