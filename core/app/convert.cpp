#include "app/convert.hpp"

#include <spdlog/spdlog.h>

#include <iostream>

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

}  // namespace assay
