#include "interim/power_option.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/config.hpp"
#include "interim/power.hpp"

namespace assay {
namespace {

struct PowerOptions {
  std::filesystem::path result;
  std::optional<double> effect;
};

Exit plan_power(const PowerOptions& power, const PlanOptions& plan) {
  const auto questions = read_configs(plan.configs);
  if (!questions) return fail(questions.error());
  ProgressBar bar(true);
  const Status printed = print_power(*questions, power.result, power.effect, plan.format, std::cout,
                                     [&](std::size_t done, std::size_t all) { bar.show(done, all, "profiles"); });
  return printed ? Exit::kOk : fail(printed.error());
}

}  // namespace

void add_power(CLI::App& plan, PlanOptions& to) {
  const auto power = std::make_shared<PowerOptions>();
  CLI::Option* result = add_option_function<std::filesystem::path>(
                            plan, "--power",
                            [power, &to](const std::filesystem::path& folder) {
                              power->result = folder;
                              to.instead = [power](const PlanOptions& asked) { return plan_power(*power, asked); };
                            },
                            "Instead, for each inconclusive claim of a finished result: its spread, and the blocks "
                            "and time needed to "
                            "decide it")
                            ->type_name("RESULT");
  add_option(plan, "--effect", power->effect, "With --power: the ratio, level or difference to plan for")
      ->type_name("NUMBER")
      ->needs(result);
}

}  // namespace assay
