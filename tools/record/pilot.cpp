#include "record/pilot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "assay/words.hpp"
#include "record/output_files.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kFewSteps = 10, kManySteps = 40, kMaxSteps = 1'000'000;
constexpr double kLeastBetween = 0.005;  ///< runs on an idle machine; two that agree better do so by chance

double between_runs(const PilotRuns& pilot) { return std::max(kLeastBetween, pilot.between); }

/// Whether what a step costs beyond what is measured of it takes more than half of a run of any length.
bool half_is_lost(const RunCost& cost) { return cost.step > 2 * cost.measured; }

/// One pilot run, its profiles in the folder of its block.
Result<PilotRun> run_once(const RecordContext& shop, const Cell& cell, const fs::path& folder, std::size_t steps,
                          std::size_t block) {
  const Result<Attempt> made =
      pilot_run(shop, cell, folder / kRecordedReports / block_name(block), steps, std::to_string(block));
  if (!made) return made.error();
  if (made->outcome == Outcome::kOk) return PilotRun{steps, made->seconds};
  const bool stopped = made->outcome == Outcome::kInterrupted;
  return Error{fmt::format("the pilot run of '{}', which chooses the steps of a run, {}", cell.run.name,
                           stopped ? "was interrupted" : "failed: " + made->error),
               stopped ? Exit::kInterrupted : Exit::kFailed}
      .at(cell.run.name)
      .advise("correct it, or give a number in place of {steps}");
}

Result<PilotRuns> run_pilot(const RecordContext& shop, const RecordOptions& options, const Cell& cell) {
  const fs::path folder = shop.folder / "unfinished" / "pilot";
  Result<PilotRun> few = run_once(shop, cell, folder, kFewSteps, 1);
  if (!few) return few.error();
  Result<PilotRun> many = run_once(shop, cell, folder, kManySteps, 2);
  if (!many) return many.error();
  const Result<PilotProfiles> seen = options.pilot(folder);
  if (!seen) return seen.error();
  std::error_code failed;
  fs::remove_all(folder, failed);
  const auto windows = static_cast<double>(shop.design->experiment(cell).windows());
  for (auto [run, profile] : {std::pair(&*few, &seen->runs[0]), std::pair(&*many, &seen->runs[1])}) {
    run->measured_seconds = windows * profile->measured_seconds;
    run->within = profile->within / std::sqrt(windows);
  }
  if (many->measured_seconds > 0) return PilotRuns{*few, *many, seen->between};
  return Error{
      fmt::format("the pilot run of '{}' does not say how long it measured, so no steps can be chosen", cell.run.name),
      Exit::kFailed}
      .at(cell.run.name)
      .advise("enable the analyzer that measures the window, or give a number in place of {steps}");
}

std::string percent_text(double log) { return fmt::format("{:.2g} %", 100 * std::expm1(log)); }

/// "A run measures 246 steps: starting takes 16.6 s and a step of run_a 67.4 ms, so 17 % of a run are measured; ...".
std::string chosen_text(const PilotRuns& pilot, const Cell& cell, std::size_t windows, std::size_t steps,
                        double longest) {
  const RunCost cost = cost_of(pilot);
  const auto count = static_cast<double>(steps), of_each = 1e9 / static_cast<double>(windows);
  const double whole = cost.start + cost.step * count;
  std::string text =
      fmt::format("A run measures {}{}: starting takes {:.3g} s and a step of {} {}, so {:.0f} % of a run are measured",
                  counted(steps, "step"), windows > 1 ? " in each of " + std::to_string(windows) + " windows" : "",
                  cost.start, cell.run.name, time_text(of_each * cost.step), 100 * cost.measured * count / whole);
  if (half_is_lost(cost))
    text +=
        fmt::format("; half cannot be, since {} of each step go into what is not measured, such as writing the trace",
                    time_text(of_each * (cost.step - cost.measured)));
  if (whole + cost.step > longest)
    text += fmt::format("; more would take longer than {:.3g} s, half of its time limit or its share of the budget",
                        longest);
  if (pilot.many.within > 0)
    text += fmt::format("; its steps move a run by {}, runs differ by {}",
                        percent_text(pilot.many.within * std::sqrt(static_cast<double>(pilot.many.steps) / count)),
                        percent_text(between_runs(pilot)));
  return text + ".";
}

/// How long a run may take at most: half of its time limit, and so long that a budget holds the blocks to be recorded.
double longest_run(const RecordContext& shop, const RecordOptions& options, const ExperimentSpec& experiment) {
  const Design& design = *shop.design;
  const double limit = (shop.timeout_seconds > 0 ? shop.timeout_seconds : experiment.timeout_seconds) / 2;
  const std::size_t lanes = design.gpus_at_once(), rounds = (design.replicates + lanes - 1) / lanes;
  const double share = options.budget_seconds / static_cast<double>(rounds * design.cells().size());
  return share > 0 ? std::min(limit, share) : limit;
}

}  // namespace

RunCost cost_of(const PilotRuns& pilot) {
  const auto few = static_cast<double>(pilot.few.steps), many = static_cast<double>(pilot.many.steps);
  RunCost cost;
  cost.measured = pilot.many.measured_seconds / many;
  cost.step = std::min((pilot.many.seconds - pilot.few.seconds) / (many - few), pilot.many.seconds / many);
  cost.step = std::max(cost.step, cost.measured);
  cost.start = std::max(0.0, (pilot.few.seconds + pilot.many.seconds - cost.step * (few + many)) / 2);
  return cost;
}

std::size_t steps_for(const PilotRuns& pilot, double longest) {
  const RunCost cost = cost_of(pilot);
  const auto measured = static_cast<double>(pilot.many.steps);
  const double noise = pilot.many.within / between_runs(pilot);
  const double quiet = measured * noise * noise;  // the error of a mean falls with the root of the steps
  double wanted = std::max(cost.start / cost.step, quiet);
  if (half_is_lost(cost) && noise > 0) wanted = std::min(wanted, std::max(quiet, measured));
  constexpr double kRounding = 1e-9;
  const double most =
      std::min(static_cast<double>(kMaxSteps), std::floor((longest - cost.start) / cost.step + kRounding));
  return static_cast<std::size_t>(std::max(1.0, std::min(std::ceil(wanted - kRounding), most)));
}

Status choose_steps(const RecordContext& shop, const RecordOptions& options, State& state, std::ostream& out) {
  const Design& design = *shop.design;
  for (std::size_t q = 0; q < design.questions.size(); ++q) {
    const std::string& question = design.questions[q]->id;
    const ExperimentSpec& experiment = design.experiments[q];
    const auto cell =
        std::ranges::find_if(design.cells(), [&](const Cell& c) { return c.run.question == q && !c.twin; });
    if (!experiment.chooses_steps || state.steps.contains(question) || cell == design.cells().end()) continue;
    const Result<PilotRuns> pilot = run_pilot(shop, options, *cell);
    if (!pilot) return pilot.error();
    const double longest = longest_run(shop, options, experiment);
    const std::size_t steps = steps_for(*pilot, longest);
    const double seconds = pilot->few.seconds + pilot->many.seconds;
    const Status written =
        shop.journal->write(event::Warmup{time_stamp(), cell->key, "", Outcome::kOk, seconds, {}, question, steps});
    if (!written) return written;
    state.steps[question] = steps;
    if (!options.quiet) out << chosen_text(*pilot, *cell, experiment.windows(), steps, longest) << "\n";
  }
  return ok();
}

}  // namespace assay::record
