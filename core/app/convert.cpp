#include "app/convert.hpp"

#include <spdlog/spdlog.h>

#include <iostream>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "app/terminal.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

Result<ConvertResult> convert_with_progress(const ConvertOptions& options, bool quiet, const std::atomic<bool>& stop) {
  ProgressBar bar(!quiet);
  return convert_reports(options, [&](std::size_t done, std::size_t all) { bar.show(done, all); }, stop);
}

/// "157 converted, 3 up to date, 2 failed".
std::string summary_of(const ConvertResult& result) {
  return std::to_string(result.count(ConvertState::kConverted)) + " converted, " +
         std::to_string(result.count(ConvertState::kUpToDate)) + " up to date, " +
         std::to_string(result.count(ConvertState::kFailed)) + " failed";
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
              "; all other reports are as they were",
          Exit::kInterrupted};
}

std::string places_of(const ConvertOptions& options) {
  return "'" + one_line(options.places.front().native()) + "'" + (options.places.size() > 1 ? " and the others" : "");
}

}  // namespace

Exit convert(const ConvertOptions& options, bool strict) {
  const std::atomic<bool>& stop = stop_on_signals();
  const Result<ConvertResult> result = convert_with_progress(options, false, stop);
  if (!result) return fail(result.error());
  for (const std::string& note : result->notes) spdlog::warn("{}", one_line(note));
  if (result->interrupted) return fail(interruption(*result));
  if (!result->no_program.empty()) return fail({result->no_program});
  if (result->reports.empty()) {
    return fail({"there is nothing to convert in " + places_of(options) +
                 "; expected .nsys-rep, .qdrep or .ncu-rep files, check the path"});
  }
  const std::vector<std::string> failures = failures_of(*result);
  std::cout << summary_of(*result) << "\n";
  if (!failures.empty()) std::cout << "\nFailed\n";
  for (const std::string& line : failures) std::cout << "  " << line << "\n";
  if (failures.size() == result->reports.size()) return fail({"no report could be converted", Exit::kFailed});
  if (strict && !failures.empty()) {
    return fail({"--strict: " + counted(failures.size(), "report") + " not converted", Exit::kFailed});
  }
  return Exit::kOk;
}

Status convert_before_run(const ConvertOptions& options, bool quiet, const std::atomic<bool>& stop) {
  const Result<ConvertResult> result = convert_with_progress(options, quiet, stop);
  if (!result) return result.error();
  for (const std::string& note : result->notes) spdlog::info("{}", one_line(note));
  if (result->interrupted) return interruption(*result);
  if (!result->no_program.empty()) {
    spdlog::warn("--convert: {}", result->no_program);
    return ok();
  }
  for (const std::string& line : failures_of(*result)) spdlog::warn("not converted: {}", line);
  if (!quiet && !result->reports.empty()) std::cerr << "--convert: " << summary_of(*result) << "\n";
  return ok();
}

void add_conversion(CLI::App& command, ConvertOptions& to, CLI::Option* needed) {
  CLI::Option* options[] = {
      command.add_option("--nsys", to.nsys, "The nsys that converts (default: the first in PATH)")->type_name("PATH"),
      command.add_option("--ncu", to.ncu, "The ncu that converts (default: the first in PATH)")->type_name("PATH"),
      command
          .add_option_function<unsigned>(
              "--time-limit", [&to](unsigned seconds) { to.time_limit = std::chrono::seconds(seconds); },
              "Longest time for converting one report (default: " + std::to_string(to.time_limit.count()) + ")")
          ->type_name("SECONDS")
          ->check(in_range(1, 1000000))};
  for (CLI::Option* option : options) {
    if (needed != nullptr) option->needs(needed);
  }
}

void add_convert(CommandLine& line) {
  constexpr const char* kFooter =
      R"(.nsys-rep, .qdrep and .ncu-rep files can be read by NVIDIA's own programs only. This command runs them and leaves the
exports beside the reports, where 'assay run' finds them:

  X.nsys-rep, X.qdrep  X.sqlite                             nsys export --type sqlite
  X.ncu-rep            X.ncu.raw.csv, X.ncu.details.csv     ncu --import X.ncu-rep --csv --page raw, details

A report whose export is whole and not older than the report is up to date and is not converted again, so that an
interrupted command can simply be repeated. An export appears whole or not at all, and nothing but exports is replaced.
nsys must be as new as the one that made the report, or newer.

Examples:
  assay convert ~/profiles
  assay convert ~/profiles -j 4 --nsys /opt/nvidia/nsight-systems/2025.3.1/bin/nsys
  assay convert profile.nsys-rep --force --time-limit 3600

Exit codes: 0 done; 2 nothing to convert, or nsys or ncu missing; 3 every report failed (with --strict: any);
130 interrupted.)";
  struct ConvertCommand {
    ConvertOptions how;
    bool strict = false;
  };
  const auto options = std::make_shared<ConvertCommand>();
  CLI::App& command = line.add("convert", "Convert .nsys-rep, .qdrep and .ncu-rep files with nsys and ncu", kFooter,
                               options, [](const ConvertCommand& o) { return convert(o.how, o.strict); });
  command.add_option("place", options->how.places, "Folders, read with all below them, or reports")
      ->required()
      ->type_name("DIR");
  add_jobs(command, options->how.jobs, "Reports converted at a time");
  command.add_flag("--force", options->how.force, "Also convert what has an up-to-date export");
  add_conversion(command, options->how);
  command.add_flag("--strict", options->strict, "Exit with 3 when any report was not converted");
}

}  // namespace assay
