#include "record/record_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "config/config.hpp"
#include "record/duration.hpp"

namespace assay {
namespace {

/// Error if a cell chooses its GPU itself.
Status check_gpus(const record::Design& design) {
  for (const record::Cell& cell : design.cells()) {
    const bool chooses = std::ranges::any_of(
        cell.command.env, [](const auto& variable) { return variable.first == "CUDA_VISIBLE_DEVICES"; });
    if (!chooses) continue;
    return Error{fmt::format("{}: [experiment] chooses the GPU of '{}' itself, but a block uses the GPU it is given",
                             design.experiment(cell).pos.str(), cell.run.name)}
        .at(design.experiment(cell).pos.str())
        .advise("remove gpu and CUDA_VISIBLE_DEVICES from it");
  }
  return ok();
}

}  // namespace

void add_choice(CLI::App& command, RecordArguments& a) {
  add_option(command, "--question", a.design.questions, "Only these questions, by id or prefix of an id")
      ->type_name("ID,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_option(command, "--only", a.design.only,
             "Only runs with these values, e.g. 'patch=8' or 'dim=768|1024'; may be repeated")
      ->type_name("LABEL=VALUE")
      ->allow_extra_args(false);
  add_option(command, "--set", a.design.set, "Other values in place of the matrix's, e.g. batch=1,2,4; may be repeated")
      ->type_name("LABEL=VALUES")
      ->allow_extra_args(false);
}

void add_order(CLI::App& command, RecordArguments& a) {
  const auto count = in_range(1, 100000);
  add_option(command, "--replicates", a.design.replicates,
             "Number of blocks, i.e. runs per cell; with --until-decided the minimum")
      ->type_name("N")
      ->check(count);
  add_option(command, "--order", a.order, "Order within a block: random, or as in the matrix")
      ->type_name("blocks|sequential")
      ->check(one_of({"blocks", "sequential"}));
  add_option(command, "--seed", a.design.seed, "Seed of the order")->type_name("N");
  add_option(command, "--timeout", a.timeout, "Time limit for one run, e.g. '10 min'")->type_name("TIME");
}

Status read_times(RecordArguments& a) {
  for (const auto& [text, option] : {std::pair(&a.timeout, "--timeout"), std::pair(&a.budget, "--budget")}) {
    if (text->empty()) continue;
    const Result<double> seconds = parse_duration(*text);
    if (!seconds) return seconds.error().in(std::string(option) + " ").as(Exit::kUsage);
    if (text == &a.timeout)
      a.design.timeout_seconds = *seconds;
    else
      a.record.budget_seconds = *seconds;
  }
  if (!a.order.empty()) a.design.random_order = a.order == "blocks";
  return ok();
}

Result<record::Design> design_of_parts(RecordArguments& a, const std::vector<Question>& questions) {
  if (const Status times = read_times(a); !times) return times.error();
  auto design = record::make_design(questions, a.design);
  if (!design) return design;
  if (const Status free = check_gpus(*design); !free) return free.error();
  return design;
}

void add_design(CLI::App& command, RecordArguments& a) {
  add_choice(command, a);
  add_order(command, a);
}

Result<std::size_t> blocks_to_record(RecordArguments a) {
  const auto questions = read_configs(a.run.configs);
  if (!questions) return questions.error();
  const auto design = design_of_parts(a, *questions);
  if (!design) return design.error();
  return design->replicates;
}

}  // namespace assay
