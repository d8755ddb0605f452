#include <iostream>

#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/installed_options.hpp"
#include "difference/step_budget.hpp"
#include "look/print.hpp"

namespace assay {
namespace {

struct BudgetOptions {
  std::vector<std::filesystem::path> places;
  std::vector<std::string> steps;
  unsigned jobs = 0;
};

Exit show_budget(const BudgetOptions& options) {
  const std::string name = options.places.front().string();
  const difference::MeasureOptions measure{options.steps.empty() ? installed_step_names() : options.steps,
                                           !options.steps.empty(), options.jobs};
  const Result<difference::Side> side =
      difference::measure_side({name, options.places}, measure, installed_kernel_rules());
  if (!side) return fail(side.error());
  const difference::StepBudget budget = difference::budget_of(*side);
  if (document::wanted())
    std::cout << difference::budget_json(budget);
  else
    look::print_page(difference::page_of(budget, name), std::cout, output_style());
  return Exit::kOk;
}

}  // namespace

void add_budget(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Rows sum to the wall clock of a mean iteration. Each instant counts once: for the kernel or graph that runs, else for
communication, a copy, a memory set, else for what the idle device waits for. So communication here is what no kernel hides;
"sum of durations" has all of it. Several profiles are repeat runs of one program.

Examples:
  assay budget profile.sqlite
  assay budget trace.json.gz --steps 'decode_{i}'
  assay budget runs/base --json)";
  const auto options = std::make_shared<BudgetOptions>();
  CLI::App& command = line.add("budget", "Show what an iteration's time consists of: rows that sum to its wall clock",
                               kFooter, options, &show_budget);
  add_option(command, "place", options->places, "Profiles of one program, or folders of them")
      ->required()
      ->type_name("PROFILE...");
  add_option(command, "--steps", options->steps, "Ranges that are iterations, e.g. 'train_{i}'; may be repeated")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  add_jobs(command, options->jobs, "Profiles read in parallel");
  document::add_flag(command);
}

}  // namespace assay
