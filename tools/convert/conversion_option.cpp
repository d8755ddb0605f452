#include "convert/conversion_option.hpp"

#include <fmt/core.h>

#include <iostream>

#include "cli/terminal.hpp"
#include "files/log_line.hpp"
#include "pipeline/inputs.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay {

Result<ConvertResult> convert_with_progress(const ConvertOptions& options, bool quiet, const std::atomic<bool>& stop) {
  ProgressBar bar(!quiet);
  return convert_reports(options, [&](std::size_t done, std::size_t all) { bar.show(done, all, "profiles"); }, stop);
}

std::string summary_of(const ConvertResult& result) {
  return fmt::format("{} converted, {} up to date, {} failed", result.count(ConvertState::kConverted),
                     result.count(ConvertState::kUpToDate), result.count(ConvertState::kFailed));
}

std::vector<std::string> failures_of(const ConvertResult& result) {
  std::vector<std::string> lines;
  for (const ConvertedReport& report : result.reports) {
    if (report.state != ConvertState::kFailed) continue;
    lines.push_back(one_line(report.report.native()) + ": " + one_line(report.reason));
  }
  return lines;
}

Error interruption(const ConvertResult& result) {
  return {"interrupted after " + counted(result.count(ConvertState::kConverted), "conversion") +
              "; all other files are unchanged",
          Exit::kInterrupted};
}

namespace {

Status convert_before_run(ConvertOptions how, const RunOptions& run, const std::vector<Question>& questions,
                          const std::atomic<bool>& stop) {
  how.places = folders_to_convert(run.reports, questions);
  how.jobs = run.jobs;
  const Result<ConvertResult> result = convert_with_progress(how, run.quiet, stop);
  if (!result) return result.error();
  for (const std::string& note : result->notes) log_info("{}", one_line(note));
  if (result->interrupted) return interruption(*result);
  if (!result->no_program.empty()) {
    log_warning("--convert: {}", result->no_program);
    return ok();
  }
  for (const std::string& line : failures_of(*result)) log_warning("not converted: {}", line);
  if (!run.quiet && !result->reports.empty()) std::cerr << "--convert: " << summary_of(*result) << "\n";
  return ok();
}

}  // namespace

RunStep conversion_step(std::shared_ptr<const ConvertOptions> how) {
  return
      [how = std::move(how)](const RunOptions& run, const std::vector<Question>& questions,
                             const std::atomic<bool>& stop) { return convert_before_run(*how, run, questions, stop); };
}

void add_convert_option(CLI::App& run, RunOptions& to, std::span<CLI::Option* const> /*concluding*/) {
  const auto how = std::make_shared<ConvertOptions>();
  CLI::Option* convert = add_flag_callback(
      run, "--convert", [how, &to] { to.before.push_back(conversion_step(how)); },
      "First convert profiles without an up-to-date export, as 'assay convert' does");
  add_conversion(run, *how, convert);
}

void add_conversion(CLI::App& command, ConvertOptions& to, CLI::Option* needed) {
  CLI::Option* options[] = {
      add_option(command, "--nsys", to.nsys, "nsys to use (default: the first in PATH)")->type_name("PATH"),
      add_option(command, "--ncu", to.ncu, "ncu to use (default: the first in PATH)")->type_name("PATH"),
      add_option_function<unsigned>(
          command, "--time-limit", [&to](unsigned seconds) { to.time_limit = std::chrono::seconds(seconds); },
          "Time limit for converting one profile (default: " + std::to_string(to.time_limit.count()) + ")")
          ->type_name("SECONDS")
          ->check(in_range(1, 1000000))};
  for (CLI::Option* option : options) {
    if (needed != nullptr) option->needs(needed);
  }
}

}  // namespace assay
