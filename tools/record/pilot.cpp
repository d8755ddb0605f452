#include "record/pilot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "assay/words.hpp"
#include "record/duration.hpp"
#include "record/output_files.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kPilotSteps = 10, kMaxSteps = 1'000'000;
constexpr double kLeastBetween = 0.005;  ///< runs on an idle machine; two that agree better do so by chance

double between_runs(const PilotRuns& pilot) { return std::max(kLeastBetween, pilot.profiles.between); }

Result<PilotRuns> run_pilot(const RecordContext& shop, const RecordOptions& options, const Cell& cell) {
  const fs::path folder = shop.folder / "unfinished" / "pilot";
  PilotRuns pilot{kPilotSteps, 0, {}};
  for (std::size_t n = 1; n <= 2; ++n) {
    const Result<Attempt> made =
        pilot_run(shop, cell, folder / kRecordedReports / block_name(n), kPilotSteps, std::to_string(n));
    if (!made) return made.error();
    if (made->outcome != Outcome::kOk) {
      const bool stopped = made->outcome == Outcome::kInterrupted;
      return Error{fmt::format("the pilot run of '{}', which chooses the steps of a run, {}", cell.run.name,
                               stopped ? "was interrupted" : "failed: " + made->error),
                   stopped ? Exit::kInterrupted : Exit::kFailed}
          .at(cell.run.name)
          .advise("correct it, or give a number in place of {steps}");
    }
    pilot.run_seconds += made->seconds / 2;
  }
  Result<PilotProfiles> profiles = options.pilot(folder);
  if (!profiles) return profiles.error();
  std::error_code failed;
  fs::remove_all(folder, failed);
  pilot.profiles = *profiles;
  if (pilot.profiles.measured_seconds > 0) return pilot;
  return Error{
      fmt::format("the pilot run of '{}' does not say how long it measured, so no steps can be chosen", cell.run.name),
      Exit::kFailed}
      .at(cell.run.name)
      .advise("enable the analyzer that measures the window, or give a number in place of {steps}");
}

std::string percent_text(double log) { return fmt::format("{:.2g} %", 100 * std::expm1(log)); }

std::string chosen_text(const PilotRuns& pilot, const std::string& name, std::size_t steps) {
  const PilotProfiles& seen = pilot.profiles;
  const double each = seen.measured_seconds / static_cast<double>(pilot.steps);
  const double start = std::max(0.0, pilot.run_seconds - seen.measured_seconds);
  const double whole = start + each * static_cast<double>(steps);
  std::string text = fmt::format(
      "A run measures {}: {} of {} took {:.3g} s, {:.3g} s of it measured, so {:.0f} % of a run are measured",
      counted(steps, "step"), counted(pilot.steps, "step"), name, pilot.run_seconds, seen.measured_seconds,
      100 * each * static_cast<double>(steps) / whole);
  if (seen.within > 0)
    text += fmt::format(
        "; its steps move a run by {}, runs differ by {}",
        percent_text(seen.within * std::sqrt(static_cast<double>(pilot.steps) / static_cast<double>(steps))),
        percent_text(between_runs(pilot)));
  return text + ".";
}

}  // namespace

std::size_t steps_for(const PilotRuns& pilot, double longest) {
  const auto steps = static_cast<double>(pilot.steps);
  const double each = pilot.profiles.measured_seconds / steps;
  const double start = std::max(0.0, pilot.run_seconds - pilot.profiles.measured_seconds);
  const double noise = pilot.profiles.within / between_runs(pilot);
  // The error of a mean falls with the root of the steps.
  const double wanted = std::max(start / each, steps * noise * noise);
  constexpr double kRounding = 1e-9;
  const double most = std::min(static_cast<double>(kMaxSteps), std::floor((longest - start) / each + kRounding));
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
    const double limit = shop.timeout_seconds > 0 ? shop.timeout_seconds : experiment.timeout_seconds;
    const std::size_t steps = steps_for(*pilot, limit / 2);
    const Status written = shop.journal->write(
        event::Warmup{time_stamp(), cell->key, "", Outcome::kOk, pilot->run_seconds, {}, question, steps});
    if (!written) return written;
    state.steps[question] = steps;
    if (!options.quiet) out << chosen_text(*pilot, cell->run.name, steps) << "\n";
  }
  return ok();
}

}  // namespace assay::record
