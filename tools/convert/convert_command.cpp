#include <fmt/core.h>

#include <iostream>

#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "convert/conversion_option.hpp"
#include "files/log_line.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

std::string places_of(const ConvertOptions& options) {
  return fmt::format("'{}'{}", one_line(options.places.front().native()),
                     options.places.size() > 1 ? " and the others" : "");
}

/// Exit 0: done; 2: nothing to convert, or no program for it; 3: every report failed, with `strict` any; 130:
/// interrupted.
Exit convert(const ConvertOptions& options, bool strict) {
  const std::atomic<bool>& stop = stop_on_signals();
  const Result<ConvertResult> result = convert_with_progress(options, false, stop);
  if (!result) return fail(result.error());
  for (const std::string& note : result->notes) log_warning("{}", one_line(note));
  if (result->interrupted) return fail(interruption(*result));
  if (!result->no_program.empty()) return fail({result->no_program});
  if (result->reports.empty()) {
    return fail(Error{"nothing to convert in " + places_of(options)}.advise(
        "expected .nsys-rep, .qdrep or .ncu-rep files, check the path (exports, traces and rocpd databases are read as "
        "they are)"));
  }
  const std::vector<std::string> failures = failures_of(*result);
  std::cout << summary_of(*result) << "\n";
  if (!failures.empty()) std::cout << "\nFailed\n";
  for (const std::string& line : failures) std::cout << "  " << line << "\n";
  if (failures.size() == result->reports.size()) return fail({"no profile could be converted", Exit::kFailed});
  if (strict && !failures.empty()) {
    return fail({"--strict: " + counted(failures.size(), "profile") + " not converted", Exit::kFailed});
  }
  return Exit::kOk;
}

}  // namespace

void add_convert(CommandLine& line) {
  constexpr const char* kFooter =
      R"(.nsys-rep and .qdrep files can only be read by NVIDIA's own programs (.ncu-rep files need no conversion, but can be converted
too). This command runs them and writes the exports next to the profiles, where 'assay run' finds them:

  X.nsys-rep, X.qdrep  X.sqlite                             nsys export --type sqlite
  X.ncu-rep            X.ncu.raw.csv, X.ncu.details.csv     ncu --import X.ncu-rep --csv --page raw, details

A profile with a complete export that is not older is up to date and is skipped, so an interrupted command can simply be
repeated. An export is written completely or not at all, and no other file is replaced. nsys must be at least as new as
the one that made the profile.

Examples:
  assay convert ~/profiles
  assay convert ~/profiles -j 4 --nsys /opt/nvidia/nsight-systems/2025.3.1/bin/nsys
  assay convert profile.nsys-rep --force --time-limit 3600

Exit codes: 0 done; 2 nothing to convert, or nsys or ncu missing; 3 every profile failed (with --strict: any);
130 interrupted.)";
  struct ConvertCommand {
    ConvertOptions how;
    bool strict = false;
  };
  const auto options = std::make_shared<ConvertCommand>();
  CLI::App& command = line.add("convert", "Convert .nsys-rep, .qdrep and .ncu-rep files with nsys and ncu", kFooter,
                               options, [](const ConvertCommand& o) { return convert(o.how, o.strict); });
  add_option(command, "place", options->how.places, "Profiles, or folders (searched recursively)")
      ->required()
      ->type_name("DIR");
  add_jobs(command, options->how.jobs, "Profiles converted in parallel");
  add_flag(command, "--force", options->how.force, "Also convert what has an up-to-date export");
  add_conversion(command, options->how);
  add_flag(command, "--strict", options->strict, "Exit with 3 if any profile was not converted");
}

}  // namespace assay
