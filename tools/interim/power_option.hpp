// `assay plan --power`.
#pragma once

#include "inspect/plan_options.hpp"

namespace CLI {
class App;
}

namespace assay {

/// --power and --effect
void add_power(CLI::App& plan, PlanOptions& to);

}  // namespace assay
