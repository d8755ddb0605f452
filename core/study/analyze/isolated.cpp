#include "analyze/isolated.hpp"

#include <fmt/core.h>

#include "analyze/one_report.hpp"
#include "analyze/stored_output.hpp"
#include "load/format.hpp"

namespace assay {
namespace {

AnalyzerOutput failed(const Descriptor& declared, const Report& report, std::string reason) {
  AnalyzerOutput output;
  output.skips.push_back({text_of(report.path), text_of(declared.id), std::move(reason), true});
  return output;
}

}  // namespace

AnalyzerOutput run_isolated(const Descriptor& declared, const Analyzer& analyzer, const Report& report,
                            const process::Limits& limits, const std::atomic<bool>& stop) {
  const process::Outcome outcome =
      process::contained(limits, [&] { return to_bytes(run_analyzer(declared, analyzer, report)); }, &stop);
  if (!outcome.answer) {
    return failed(declared, report, what_happened(outcome, limits) + " while analyzing " + text_of(report.path));
  }
  std::optional<AnalyzerOutput> output = output_from_bytes(*outcome.answer, declared);
  if (!output) return failed(declared, report, "spoiled its own results while analyzing " + text_of(report.path));
  return std::move(*output);
}

std::optional<std::string> rehearse(const process::Limits& limits, const std::function<void()>& work) {
  const process::Outcome outcome = process::contained(limits, [&] {
    work();
    return std::string();
  });
  if (outcome.answer) return std::nullopt;
  return what_happened(outcome, limits);
}

std::optional<std::string> rehearse_constructor(const Descriptor& declared, const Options& options,
                                                const process::Limits& limits) {
  return rehearse(limits, [&] {
    ErrorText errors;
    if (Analyzer* made = declared.create(options, errors)) made->destroy();
  });
}

Status rehearse_reading(const ProfileFiles& files, const std::set<ColumnId>& columns, const process::Limits& limits) {
  const load::Format* format = load::format_of(files.file.kind);
  if (format == nullptr || format->notes.file.empty()) return ok();
  const auto died = rehearse(limits, [&] {
    load::guard_cells(true);
    static_cast<void>(read_profile(files, columns));
  });
  if (!died) return ok();
  const std::string path = files.file.path.string();
  return Error{fmt::format("'{}': the format '{}' {} when it read it", path, format->kind.word, *died), Exit::kFailed}
      .at(path)
      .advise(fmt::format("have {} repaired, or remove it", format->notes.file));
}

}  // namespace assay
